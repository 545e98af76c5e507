import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ModelState } from '@/api/protocol.gen'
import { button, clear, draw, press } from '@/testkit/draw'
import { catalogueEntry, report } from '@/testkit/models'
import { requests, routes, json, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import ModelsDialog from './ModelsDialog'


async function shown(current: ModelState): Promise<string> {
  const models = report({
    current,
    catalogue: [catalogueEntry('small', 2, { installed: true }), catalogueEntry('best', 4)],
    installed: [
      { name: 'small', kind: 'embedded', bytes: 2, current: false },
      { name: 'mine', kind: 'embedded', bytes: 9, current: false },
    ],
  })
  routes['GET /api/models'] = () => json(models)
  routes['POST /api/models/detect'] = () => json([])
  routes['POST /api/models/use'] = () => json(current)
  await draw(<ModelsDialog />)
  return document.body.textContent
}

beforeEach(() => {
  serve()
  freshStores()
})

afterEach(async () => {
  await clear()
  vi.unstubAllGlobals()
})

describe('a model', () => {
  test.each(['small', 'mine'])('that does not work says why, and can be tried again or deleted: %s', async (name) => {
    const text = await shown({ state: 'failed', name, message: 'the file is cut off' })
    expect(text).toContain('The file is cut off.')
    expect(text).not.toContain('In use')
    expect(button(`Delete ${name === 'small' ? 'SMALL' : 'mine'}`)).toBeDefined()
    await press('Try again')
    expect(requests.find(({ route }) => route === 'POST /api/models/use')?.body).toEqual({ name })
  })

  test('of the catalogue that does not work can be brought again', async () => {
    await shown({ state: 'failed', name: 'small', message: 'the file is cut off' })
    await press('Get SMALL again')
    expect(requests.at(-1)).toEqual({ route: 'POST /api/models/pull', body: { name: 'small', thenUse: true } })
  })

  test.each<ModelState>([
    { state: 'ready', name: 'small', kind: 'embedded', context: 8192, vision: false },
    { state: 'loading', name: 'small' },
  ])('that is $state is in use', async (current) => {
    expect(await shown(current)).toContain('In use')
    expect(button('Try again')).toBeUndefined()
  })
})
