import '@/testkit/browser'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Download, ModelState } from '@/api/protocol.gen'
import { Composer } from '@/composer/Composer'
import { NEW } from '@/composer/drafts'
import { useStore } from '@/store'
import { button, clear, draw, press } from '@/testkit/draw'
import { catalogueEntry, report } from '@/testkit/models'
import { requests, routes, json, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { EmptyChat, EmptyIncognito } from './EmptyChat'

const state = () => useStore.getState()
const text = () => document.body.textContent
const READY: ModelState = { state: 'ready', name: 'best', kind: 'embedded', context: 8192, vision: false }
const TRYING = report({
  current: { ...READY, name: 'tiny' },
  trial: true,
  catalogue: [catalogueEntry('tiny', 1, { tiny: true, installed: true }), catalogueEntry('best', 4, { title: 'Qwen3 1.7B', bytes: 1_300_000_000 })],
})

const page = () => (
  <>
    <EmptyChat draftKey={NEW} />
    <Composer draftKey={NEW} />
  </>
)

beforeEach(() => {
  serve()
  localStorage.clear()
  freshStores({ session: 'in', models: report({ current: READY }) })
})
afterEach(async () => {
  await clear()
  vi.unstubAllGlobals()
})

describe('the empty page', () => {
  test('greets, and a suggestion fills the field without sending it', async () => {
    await draw(page())
    expect(text()).toContain('I’m Luna.')
    const cards = [...document.querySelectorAll('[aria-label="Suggestions"] button')]
    expect(cards).toHaveLength(4)
    await act(async () => (cards[1] as HTMLElement).click())
    expect(document.querySelector('textarea')?.value).toBe('Plan a quiet weekend by the sea, on a small budget.')
    expect(requests).toEqual([])
  })

  test('has model, tools and files at hand in the field', async () => {
    await draw(page())
    for (const name of ['Model: BEST', 'What Luna may use', 'Attach files or pictures']) expect(button(name)).toBeDefined()
    await press('Model: BEST')
    expect(state().overlay).toEqual({ kind: 'models' })
  })

  test.each<ModelState>([{ state: 'none', hint: '' }, { state: 'failed', name: 'best', message: 'the file is cut off' }])('without a model that works, choosing one is what stands out: $state', async (current) => {
    useStore.setState({ models: report({ current }) })
    await draw(page())
    expect(document.querySelector('[aria-label="Suggestions"]')).toBeNull()
    const emphasised = [...document.querySelectorAll('button.bg-accent')].map((found) => found.textContent)
    expect(emphasised[0]).toMatch(/^Choose (a|another) model$/)
    await press(emphasised[0] ?? '')
    expect(state().overlay).toEqual({ kind: 'models' })
  })
})

describe('a model for trying', () => {
  test('is offered what it can answer, and a better one again what is beyond it', async () => {
    const suggested = () => [...document.querySelectorAll('[aria-label="Suggestions"] button')].map((card) => card.querySelector('span:last-child')?.textContent)
    useStore.setState({ models: TRYING })
    await draw(page())
    expect(suggested()).toEqual(['What is a rainbow?', 'Give me an idea for dinner.', 'Write a short poem about the night.', 'Tell me a joke.'])
    await act(async () => (document.querySelector('[aria-label="Suggestions"] button') as HTMLElement).click())
    expect(document.querySelector('textarea')?.value).toBe('What is a rainbow?')
    await act(async () => useStore.setState({ models: report({ current: READY }) }))
    expect(suggested()).toContain('Plan a quiet weekend by the sea, on a small budget.')
  })

  test('says that it is one, and a better one comes with a click and takes over', async () => {
    useStore.setState({ models: TRYING })
    const waiting: Download = { name: 'best', state: 'waiting', received: 0, total: 0, bytesPerSecond: 0, secondsLeft: null, source: null, message: '' }
    routes['POST /api/models/pull'] = () => json(waiting)
    await draw(page())
    expect(text()).toContain('A tiny model for trying.')
    await press('Get Qwen3 1.7B (1.3 GB)')
    expect(requests).toContainEqual({ route: 'POST /api/models/pull', body: { name: 'best', thenUse: true } })
    await act(async () => state().downloadChanged({ ...waiting, state: 'running', received: 6.5e8, total: 1.3e9 }))
    expect(text()).toContain('650 MB of 1.3 GB')
    routes['GET /api/models'] = () => json(report({ current: READY }))
    await act(async () => state().modelChanged(READY))
    await vi.waitFor(() => expect(text()).not.toContain('tiny model'))
  })

  test('that is here already needs no download', async () => {
    const catalogue = TRYING.catalogue.map((one) => ({ ...one, installed: true }))
    useStore.setState({ models: { ...TRYING, catalogue } })
    routes['POST /api/models/use'] = () => json(READY)
    await draw(page())
    await press('Use Qwen3 1.7B')
    expect(requests).toContainEqual({ route: 'POST /api/models/use', body: { name: 'best' } })
  })

  test.each([null, 'tiny', 'unheard-of'])('says so where nothing better is recommended, and leads to the list: %s', async (recommended) => {
    useStore.setState({ models: { ...TRYING, recommended } })
    await draw(page())
    expect(text()).toContain('A tiny model for trying.')
    await press('See other models')
    expect(state().overlay).toEqual({ kind: 'models' })
  })

  test('says so in a chat that leaves nothing, too', async () => {
    useStore.setState({ models: TRYING })
    await draw(<EmptyIncognito />)
    expect(text()).toContain('A tiny model for trying.')
    expect(button('Get Qwen3 1.7B (1.3 GB)')).toBeDefined()
  })

  test('whose better one could not be downloaded says so, and goes on from there', async () => {
    const failed: Download = { name: 'best', state: 'failed', received: 1, total: 2, bytesPerSecond: 0, secondsLeft: null, source: null, message: 'the line broke' }
    useStore.setState({ models: { ...TRYING, downloads: [failed] } })
    routes['POST /api/models/pull'] = () => json({ ...failed, state: 'waiting' })
    await draw(page())
    expect(text()).toContain('Qwen3 1.7B could not be downloaded.')
    await press('Continue the download')
    expect(requests.at(-1)?.body).toEqual({ name: 'best', thenUse: true })
  })
})
