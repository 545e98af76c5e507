import '@/testkit/browser'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ModelState } from '@/api/protocol.gen'
import { ConversationPage } from '@/chat/ConversationPage'
import { useStore } from '@/store'
import { button, clear, draw, press } from '@/testkit/draw'
import { catalogueEntry, report } from '@/testkit/models'
import { requests, routes, json, serve, summary } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'

const state = () => useStore.getState()
const text = () => document.body.textContent
const STARTER: ModelState = { state: 'ready', name: 'tiny', kind: 'embedded', context: 8192, vision: false }
const catalogue = [catalogueEntry('tiny', 1, { tiny: true, installed: true }), catalogueEntry('best', 4, { title: 'Qwen3 1.7B', bytes: 1_300_000_000 })]
const trying = (current: ModelState = STARTER) => report({ current, trial: true, catalogue })

async function opened(models: ReturnType<typeof report>, chats: string[] = []): Promise<void> {
  routes['GET /api/models'] = () => json(models)
  routes['POST /api/models/detect'] = () => json([])
  await state().refreshModels()
  useStore.setState({ chats: chats.map((id) => summary(id)), chatsState: 'ready' })
  // Loads the lazy part beforehand, so that the test does not wait for the compiler.
  await import('./Welcome')
  await draw(<ConversationPage />)
  await vi.waitFor(() => expect(text()).toMatch(/Hello\. I’m Luna\.|I live on this machine/))
}

const isWelcome = () => text().includes('Hello. I’m Luna.')

beforeEach(() => {
  serve()
  localStorage.clear()
  freshStores({ session: 'in', route: { page: 'new' } })
})
afterEach(async () => {
  await clear()
  vi.unstubAllGlobals()
})

describe('the first start', () => {
  test('welcomes with the starter already at work, which can be talked to at once', async () => {
    await opened(trying())
    expect(isWelcome()).toBe(true)
    expect(text()).toContain('The tiny model is ready.')
    expect(button('Get Qwen3 1.7B')?.className).toContain('bg-accent')
    await press('Start talking')
    expect(isWelcome()).toBe(false)
    expect(document.querySelector('textarea')).not.toBeNull()
    expect(text()).toContain('A tiny model for trying.')
  })

  test('is once: what was passed by does not come back with the next page', async () => {
    await opened(trying())
    await press('Start talking')
    freshStores({ session: 'in', route: { page: 'new' } })
    await opened(trying())
    expect(isWelcome()).toBe(false)
  })

  test('is over where somebody has talked before', async () => {
    await opened(trying(), ['a'])
    expect(isWelcome()).toBe(false)
  })

  test('says that the starter is loading', async () => {
    await opened(trying({ state: 'loading', name: 'tiny' }))
    expect(text()).toContain('The tiny model is loading.')
    expect(button('Start talking')).toBeDefined()
  })

  test('gets the better one with one click, and goes on with talking meanwhile', async () => {
    await opened(trying())
    routes['POST /api/models/pull'] = () => json({ name: 'best', state: 'running', received: 1, total: 4, bytesPerSecond: 0, secondsLeft: null, source: null, message: '' })
    await press('Get Qwen3 1.7B')
    expect(requests).toContainEqual({ route: 'POST /api/models/pull', body: { name: 'best', thenUse: true } })
    expect(text()).toContain('takes over by itself')
    expect(button('Start talking')?.className).toContain('bg-accent')
    const better: ModelState = { ...STARTER, name: 'best' }
    routes['GET /api/models'] = () => json(report({ current: better, catalogue }))
    await act(async () => state().modelChanged(better))
    await vi.waitFor(() => expect(isWelcome()).toBe(false))
  })

  test('without any model offers one, and says nothing of talking', async () => {
    await opened(report({ current: { state: 'none', hint: '' }, catalogue: catalogue.map((one) => ({ ...one, installed: false })) }))
    expect(isWelcome()).toBe(true)
    expect(text()).toContain('downloaded once')
    expect(button('Start talking')).toBeUndefined()
    expect(button('Try it')).toBeDefined()
  })
})
