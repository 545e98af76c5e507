import '@/testkit/browser'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { App } from '@/App'
import { useStore } from '@/store'
import { button, clear, draw, press } from '@/testkit/draw'
import { report } from '@/testkit/models'
import { act as made, routes, json, message, refusal, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'

/** Fails like a lazily loaded part that the server no longer has. */
const missing = vi.hoisted(() => () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})
vi.mock('@/settings/SettingsPage', missing)
vi.mock('@/palette/HelpSheet', missing)
vi.mock('@/why/WhyPanel', missing)
vi.mock('@/login/LoginPage', missing)
vi.mock('@/chat/MessageList', missing)
/** The state of the server for a part that loads as soon as the server is back. */
const server = vi.hoisted(() => ({ down: true }))
vi.mock('@/skills/SkillsPage', () => {
  if (server.down) throw new TypeError('Failed to fetch dynamically imported module')
  return { default: () => 'Her skills' }
})

const CHAT = '0000000000abc'
const state = () => useStore.getState()
const alert = () => document.querySelector('[role=alert]')?.textContent ?? null
const composer = () => document.querySelector('textarea')

beforeEach(() => {
  localStorage.clear()
  serve()
  window.history.replaceState(null, '', '/#/')
  freshStores({ session: 'in', models: report(), route: { page: 'new' } })
  // React reports every error that a boundary catches.
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

afterEach(async () => {
  await clear()
  vi.unstubAllGlobals()
})

describe('a part that cannot be fetched', () => {
  test('of the main page says so, and the rest goes on', async () => {
    await draw(<App />)
    await act(async () => state().setText('new', 'Half a thou'))
    await act(async () => state().go({ page: 'settings' }))
    expect(alert()).toMatch(/may have stopped.*kept.*reload/)
    expect(button('Reload')).toBeDefined()
    expect(document.querySelector('nav[aria-label=Conversations]')).not.toBeNull()
    await act(async () => state().go({ page: 'new' }))
    expect(alert()).toBeNull()
    expect(composer()?.value).toBe('Half a thou')
  })

  test('of a conversation leaves the composer, with its text', async () => {
    const conversation = { chat: null, messages: [message('u1', 'user', 'Hi')], before: null, summary: null, pinned: [], state: 'ready' as const, trouble: null, gone: false, loadingEarlier: false }
    useStore.setState({ route: { page: 'chat', id: CHAT }, conversations: { [CHAT]: conversation } })
    await draw(<App />)
    await act(async () => state().setText(CHAT, 'Half a thou'))
    expect(button('Reload')).toBeDefined()
    expect(composer()?.value).toBe('Half a thou')
  })

  test('over the page can be closed', async () => {
    await draw(<App />)
    await act(async () => state().show({ kind: 'help' }))
    expect(document.querySelector('[role=dialog]')?.textContent).toMatch(/did not load/)
    await press('Close')
    expect(document.querySelector('[role=dialog]')).toBeNull()
    expect(composer()).not.toBeNull()
  })

  test('beside the page can be closed', async () => {
    useStore.setState({ route: { page: 'chat', id: CHAT } })
    routes['GET /api/chat/turns/t1/why'] = () => refusal(500, 'internal', 'no')
    await draw(<App />)
    await act(async () => state().showWhy('t1', 'a1'))
    expect(document.querySelector('aside')?.textContent).toMatch(/may have stopped/)
    await press('Close')
    expect(document.querySelector('aside')).toBeNull()
  })

  test('comes by itself when the server is back', async () => {
    await draw(<App />)
    await act(async () => state().go({ page: 'skills' }))
    await act(async () => state().setConnection(false))
    expect(alert()).toMatch(/may have stopped/)
    server.down = false
    await act(async () => state().setConnection(true))
    expect(document.querySelector('main')?.textContent).toBe('Her skills')
  })

  test('of the way in says so', async () => {
    useStore.setState({ session: 'out' })
    await draw(<App />)
    expect(alert()).toMatch(/may have stopped/)
    expect(button('Reload')).toBeDefined()
  })
})

test('the link that skips the sidebar names what it leads to', async () => {
  await draw(<App />)
  const skip = () => document.querySelector('a[href="#content"]')?.textContent
  expect(skip()).toBe('Skip to the conversation')
  await act(async () => state().go({ page: 'settings' }))
  expect(skip()).toBe('Skip to the settings')
})

describe('a conversation that is gone', () => {
  test('says so, and what was written there goes along to a new one', async () => {
    useStore.setState({ route: { page: 'chat', id: CHAT } })
    await draw(<App />)
    await act(async () => {
      state().setText(CHAT, 'Half a thou')
      state().chatMissing(CHAT, 'There is no such conversation.')
    })
    expect(alert()).toMatch(/^There is no such conversation\. It may have been deleted.*kept/)
    expect(composer()).toBeNull()
    await press('New chat', document.querySelector('[role=alert]')?.parentElement ?? document)
    expect(state().route).toEqual({ page: 'new' })
    expect(composer()?.value).toBe('Half a thou')
  })
})

describe('a map', () => {
  const config = (online: boolean) => ({ path: '', problems: [], sections: [{ name: 'map', about: '', fields: [{ key: 'map.online', value: online }] }] })
  const settings = async (online: boolean) => {
    routes['GET /api/config'] = () => json(config(online))
    await act(async () => state().refreshConfig())
  }

  test('fetches pictures while the settings let it, and only then', async () => {
    // Loads the lazy parts beforehand, so that the test does not wait for the compiler.
    await Promise.all([import('@/chat/Pins'), import('@/widgets/Opened'), import('@/map/MapView')])
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(640)
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(360)
    const map = made('a1', 'map', { pinned: true, command: { action: 'map', payload: { lat: 48.2, lon: 16.4, zoom: 3 } } })
    const conversation = { chat: null, messages: [], before: null, summary: null, pinned: [{ messageId: 'm1', act: map }], state: 'ready' as const, trouble: null, gone: false, loadingEarlier: false }
    useStore.setState({ route: { page: 'chat', id: CHAT }, conversations: { [CHAT]: conversation }, openPin: 'a1' })
    const host = await draw(<App />)
    const tiles = () => host.querySelectorAll('img[src^="/api/map/tiles/"]').length
    const wait = (check: () => void) =>
      vi.waitFor(async () => {
        await act(async () => {})
        check()
      }, 20_000)
    await wait(() => expect(host.querySelector('canvas')).not.toBeNull())
    expect(tiles()).toBe(0)
    await settings(true)
    await wait(() => expect(tiles()).toBeGreaterThan(0))
    await settings(false)
    expect(tiles()).toBe(0)
  })
})
