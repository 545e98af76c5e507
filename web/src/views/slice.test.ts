import '@/testkit/browser'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Event } from '@/api/protocol.gen'
import { useStore } from '@/store'
import { receive } from '@/store/boot'
import { serve, summary } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { restoreView } from './slice'

const CHAT = '0000000000abc'
const state = () => useStore.getState()
const at = () => window.location.hash

beforeEach(() => {
  localStorage.clear()
  serve()
  window.history.replaceState(null, '', '/')
  freshStores()
})
afterEach(() => vi.unstubAllGlobals())

describe('the view', () => {
  test('changes and stays with the conversation', () => {
    state().go({ page: 'chat', id: CHAT })
    state().setView('luna')
    expect(at()).toBe(`#/luna/c/${CHAT}`)
    state().setView('user')
    expect(state()).toMatchObject({ view: 'user', route: { page: 'chat', id: CHAT } })
    state().setView('dev')
    expect(at()).toBe(`#/c/${CHAT}`)
  })

  test('stays when one goes to another conversation', () => {
    state().setView('luna')
    state().go({ page: 'chat', id: CHAT })
    expect(at()).toBe(`#/luna/c/${CHAT}`)
    state().go({ page: 'new' })
    expect(at()).toBe('#/luna')
  })

  test('gives way to a page that is not a conversation, and finds the conversation again', () => {
    state().go({ page: 'chat', id: CHAT })
    state().setView('luna')
    state().go({ page: 'settings' })
    expect(state().view).toBe('dev')
    state().setView('user')
    expect(at()).toBe(`#/user/c/${CHAT}`)
  })

  test('does not lead to a conversation that is gone', () => {
    state().go({ page: 'chat', id: CHAT })
    state().go({ page: 'settings' })
    receive({ action: 'chat_deleted', id: CHAT })
    state().setView('luna')
    expect(at()).toBe('#/luna')
  })

  test('follows the address, as back and forward change it', () => {
    state().go({ page: 'chat', id: CHAT })
    const { route } = state()
    window.history.pushState(null, '', `#/luna/c/${CHAT}`)
    state().readAddress()
    expect(state().view).toBe('luna')
    expect(state().route).toEqual(route)
    window.history.pushState(null, '', `#/c/${CHAT}`)
    state().readAddress()
    expect(state().view).toBe('dev')
  })

  test('is remembered on this device, for whoever names no place', () => {
    state().setView('luna')
    window.history.replaceState(null, '', '/')
    restoreView()
    expect(at()).toBe('#/luna')
    state().setView('dev')
    window.history.replaceState(null, '', '/')
    restoreView()
    expect(at()).toBe('')
  })

  test.each(['#/', '#/settings', `#/c/${CHAT}`])('is not put in the place of %s', (fragment) => {
    localStorage.setItem('perigee.view', 'luna')
    window.history.replaceState(null, '', `/${fragment}`)
    restoreView()
    expect(at()).toBe(fragment)
  })

  test.each(['hud', '__proto__', ''])('is the desk where storage says “%s”', (stored) => {
    localStorage.setItem('perigee.view', stored)
    restoreView()
    expect(at()).toBe('')
  })

  test('leads back to where one was, although nothing was named there', () => {
    const named = vi.spyOn(window.history, 'replaceState')
    state().setView('luna')
    // The back button must lead to the `dev` view, not to the remembered one.
    expect(named).toHaveBeenCalledExactlyOnceWith(null, '', '#/')
  })
})

const command = (id: string, action: string, payload: unknown): Event => ({ type: 'command', id, action, payload } as Event)

describe('what belongs on a panel', () => {
  const orders = () => state().panelRequests.map(({ panel, open }) => `${open ? '+' : '-'}${panel}`)
  beforeEach(() => state().go({ page: 'chat', id: CHAT }))

  test('is what she opens and closes, and what her tools show', () => {
    state().followPanels(CHAT, [
      command('c1', 'panel', { panel: 'system', open: true }),
      command('c2', 'map', { lat: 1, lon: 2 }),
      command('c3', 'weather', {}),
      command('c4', 'widget', { type: 'steps', data: [] }),
      command('c5', 'panel', { panel: 'system', open: false }),
    ])
    expect(orders()).toEqual(['+system', '+map', '+weather', '+widgets', '-system'])
  })

  test.each([null, 'system', 7, [], {}, { panel: 'system' }, { open: true }, { panel: 7, open: true }, { panel: 'system', open: 'yes' }])('is not %j', (payload) => {
    state().followPanels(CHAT, [command('c1', 'panel', payload)])
    expect(orders()).toEqual([])
  })

  test('is heard once, though a turn is told again', () => {
    state().followPanels(CHAT, [command('c1', 'map', {})])
    state().followPanels(CHAT, [command('c1', 'map', {})])
    expect(orders()).toEqual(['+map'])
  })

  test('is nothing of another conversation, and nothing that shows nothing', () => {
    state().followPanels('0000000000xyz', [command('c1', 'map', {})])
    state().followPanels(CHAT, [command('c2', 'clipboard_write', {})])
    expect(orders()).toEqual([])
  })

  test('is a short list', () => {
    state().followPanels(CHAT, Array.from({ length: 500 }, (_, index) => command(`c${index}`, 'map', {})))
    expect(state().panelRequests).toHaveLength(40)
  })
})

describe('the console', () => {
  const lines = () => state().consoleLines.map(({ kind, what, about }) => `${kind}: ${what} ${about}`.trim())

  test('tells what came over the line, and not what only keeps pages in step', () => {
    receive({ action: 'hello', clientId: 'x', version: '0.1.0' })
    receive({ action: 'chat_changed', chat: summary(CHAT) })
    receive({ action: 'tool_call', conversationId: CHAT, name: 'weather', arguments: { place: 'Lisbon' } })
    receive({ action: 'tool_call', conversationId: CHAT, name: 'time', arguments: {} })
    receive({ action: 'expression', expression: 'happy', intensity: 0.5 })
    expect(lines()).toEqual(['line: connected 0.1.0', 'tool: weather {"place":"Lisbon"}', 'tool: time', 'body: happy 0.50'])
  })

  test('keeps the last lines, and none too long', () => {
    for (let count = 0; count < 1000; count += 1) receive({ action: 'tool_call', conversationId: CHAT, name: `t${count}`, arguments: 'x'.repeat(9999) })
    expect(state().consoleLines).toHaveLength(240)
    expect(state().consoleLines.at(-1)?.what).toBe('t999')
    expect(Math.max(...state().consoleLines.map(({ about }) => about.length))).toBe(160)
  })

  test('does not repeat what a download says again and again', () => {
    const download = { name: 'm', state: 'running' as const, received: 1, total: 9, bytesPerSecond: 1, message: null }
    for (let received = 0; received < 50; received += 1) receive({ action: 'download', download: { ...download, received } as never })
    expect(lines()).toEqual(['model: download running m'])
  })

  test('keeps nothing of a conversation that is gone', () => {
    receive({ action: 'tool_call', conversationId: CHAT, name: 'secret', arguments: {} })
    receive({ action: 'chat_deleted', id: CHAT })
    expect(lines()).toEqual([])
  })
})
