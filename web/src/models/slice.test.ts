import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Download } from '@/api/protocol.gen'
import { useStore } from '@/store'
import { report } from '@/testkit/models'
import { requests, routes, json, refusal, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'

const ADDRESS = 'https://example.org/files/moon-1b.gguf'
const state = () => useStore.getState()
const downloads = () => state().models?.downloads.map(({ name, state: at }) => [name, at])

const download = (name: string, more: Partial<Download> = {}): Download => ({
  name, state: 'waiting', received: 0, total: 0, bytesPerSecond: 0, secondsLeft: null, source: null, message: '', ...more,
})

beforeEach(() => {
  serve()
  freshStores({ models: report() })
})

afterEach(() => vi.unstubAllGlobals())

describe('bringing a model', () => {
  test('from an address shows it by the name that it will have', async () => {
    routes['POST /api/models/pull'] = () => json(download('moon-1b'))
    const bringing = state().pullModel({ name: ADDRESS, thenUse: true })
    expect(downloads()).toEqual([])
    expect(await bringing).toBe(true)
    expect(downloads()).toEqual([['moon-1b', 'waiting']])
    state().downloadChanged(download('moon-1b', { state: 'running' }))
    expect(downloads()).toEqual([['moon-1b', 'running']])
  })

  test('from an address that is refused says why, and leaves nothing behind', async () => {
    routes['POST /api/models/pull'] = () => refusal(400, 'badRequest', 'that is not a model')
    expect(await state().pullModel({ name: ADDRESS, thenUse: true })).toBe(false)
    expect(downloads()).toEqual([])
    expect(state().modelsTrouble).toBe('That is not a model.')
  })

  test('goes on from the same address after it broke', async () => {
    routes['POST /api/models/pull'] = () => json(download('moon-1b'))
    await state().pullModel({ name: ADDRESS, thenUse: true })
    state().downloadChanged(download('moon-1b', { state: 'failed' }))
    await state().pullModel({ name: 'moon-1b', thenUse: true })
    expect(requests.at(-1)?.body).toEqual({ name: ADDRESS, thenUse: true })
    expect(downloads()).toEqual([['moon-1b', 'waiting']])
  })

  test('of the catalogue is shown at once', async () => {
    routes['POST /api/models/pull'] = () => json(download('small'))
    const bringing = state().pullModel({ name: 'small', thenUse: true })
    expect(downloads()).toEqual([['small', 'waiting']])
    await bringing
    routes['POST /api/models/pull'] = () => refusal(500, 'internal', 'the disk is full')
    await state().pullModel({ name: 'small', thenUse: true })
    expect(state().models?.downloads).toMatchObject([{ name: 'small', state: 'failed', message: 'The disk is full.' }])
  })

  test('that was quick is not shown as waiting', async () => {
    let answer: (answer: Response) => void = () => {}
    routes['POST /api/models/pull'] = () => new Promise((resolve) => void (answer = resolve))
    const bringing = state().pullModel({ name: ADDRESS, thenUse: true })
    await vi.waitFor(() => expect(requests).toHaveLength(1))
    state().downloadChanged(download('moon-1b', { state: 'checking' }))
    answer(json(download('moon-1b')))
    await bringing
    expect(downloads()).toEqual([['moon-1b', 'checking']])
  })
})
