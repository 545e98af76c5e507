import '@/testkit/browser'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Message, ModelState } from '@/api/protocol.gen'
import { type Cue, onCue } from '@/body/cues'
import { LOADING } from '@/chat/conversation'
import { useOpenChat } from '@/chat/OpenChat'
import { useStore } from '@/store'
import { button, clear, draw, press } from '@/testkit/draw'
import { report } from '@/testkit/models'
import { act as made, message, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { useEscapeToDev } from '../escape'
import LunaView from './LunaView'
import { rectOf, useLuna } from './store'

const CHAT = '0000000000abc'
const luna = useLuna.getState()
const state = () => useStore.getState()
const panel = (id: string) => document.querySelector<HTMLElement>(`[data-panel="${id}"]`)
const shown = () => [...document.querySelectorAll('[data-panel]')].map((found) => found.getAttribute('data-panel'))
const head = (id: string) => panel(id)?.querySelector<HTMLElement>('[data-panel-head]') as HTMLElement
const rect = (id: string) => rectOf(useLuna.getState(), id)
const stored = () => JSON.parse(localStorage.getItem('perigee.luna-panels') ?? 'null') as { panels: Record<string, { open: boolean; pinned: boolean; x: number }> }

async function key(target: Element | Window, name: string, more: KeyboardEventInit = {}): Promise<KeyboardEvent> {
  const event = new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...more })
  await act(async () => void target.dispatchEvent(event))
  return event
}

async function pull(target: Element, by: { x: number; y: number }, end = 'pointerup'): Promise<void> {
  const send = (type: string, x: number, y: number) => {
    const event = Object.assign(new MouseEvent(type, { bubbles: true, button: 0, clientX: x, clientY: y }), { pointerId: 1 })
    return act(async () => void target.dispatchEvent(event))
  }
  Object.assign(target, { setPointerCapture: () => {} })
  await send('pointerdown', 500, 500)
  await send('pointermove', 500 + by.x, 500 + by.y)
  await send(end, 500 + by.x, 500 + by.y)
}

function Screen() {
  useEscapeToDev()
  return <LunaView chat={useOpenChat()} />
}

function converse(...messages: Message[]): void {
  useStore.setState({ conversations: { [CHAT]: { ...LOADING, messages, state: 'ready' } } })
}

const MAP = made('m1', 'map', { command: { action: 'map', payload: { lat: 38.7, lon: -9.1 } } })

beforeEach(() => {
  Element.prototype.scrollTo = () => {}
  localStorage.clear()
  serve()
  window.history.replaceState(null, '', `/#/luna/c/${CHAT}`)
  freshStores({ session: 'in', view: 'luna', route: { page: 'chat', id: CHAT }, lastConversation: { page: 'chat', id: CHAT } })
  useLuna.setState({ ...luna, sheet: null }, true)
  useLuna.getState().setSize({ width: 1440, height: 900 })
  converse(message('a1', 'assistant', 'Good evening.'))
})
afterEach(async () => {
  await clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('her screen', () => {
  test('shows the first panels, and offers those that have something to show', async () => {
    await draw(<Screen />)
    expect(shown()).toEqual(['conversation', 'clock', 'awareness'])
    for (const name of ['Conversation', 'Clock', 'Awareness', 'System', 'Console', 'Orb']) expect(button(name)).toBeDefined()
    for (const name of ['Map', 'Weather', 'Widgets', 'Tasks', 'Camera', 'Voice', 'News', 'Stocks', 'Video']) expect(button(name)).toBeUndefined()
  })

  test('says once that a tiny model answers, whether or not the conversation is open', async () => {
    const current = { state: 'ready', name: 'tiny', kind: 'embedded', context: 8192, vision: false } as const
    useStore.setState({ route: { page: 'new' }, lastConversation: { page: 'new' }, models: report({ current, trial: true, recommended: 'tiny' }) })
    await draw(<Screen />)
    const places = () => [...document.querySelectorAll('span')].filter(({ textContent }) => textContent === 'A tiny model for trying.').map((found) => found.closest('[data-panel], .luna-foot')?.className.split(' ')[0])
    expect(places()).toEqual(['panel'])
    await press('Close Conversation')
    expect(places()).toEqual(['luna-foot'])
    await press('See other models')
    expect(state().overlay).toEqual({ kind: 'models' })
  })

  test.each<ModelState>([{ state: 'none', hint: '' }, { state: 'failed', name: 'best', message: 'the file is cut off' }])('without a model that works, choosing one is what stands out, in the conversation and without it: $state', async (current) => {
    useStore.setState({ route: { page: 'new' }, lastConversation: { page: 'new' }, models: report({ current }) })
    await draw(<Screen />)
    const emphasised = () => [...document.querySelectorAll('button.bg-accent')]
    for (const place of ['[data-panel="conversation"]', '.luna-foot']) {
      expect(emphasised().map((found) => found.textContent)).toEqual([current.state === 'none' ? 'Choose a model' : 'Choose another model'])
      expect(emphasised()[0]?.closest(place)).not.toBeNull()
      await act(async () => (emphasised()[0] as HTMLElement).click())
      expect(state().overlay).toEqual({ kind: 'models' })
      await act(async () => state().show(null))
      if (place !== '.luna-foot') await press('Close Conversation')
    }
  })

  test('offers a map when there is one', async () => {
    await draw(<Screen />)
    await act(async () => converse(message('a1', 'assistant', 'There.', { acts: [MAP] })))
    expect(button('Map')).toBeDefined()
  })

  test('opens and closes panels, and remembers that', async () => {
    await draw(<Screen />)
    await press('System')
    expect(shown()).toContain('system')
    expect(stored().panels['system']?.open).toBe(true)
    await press('Close System')
    expect(shown()).not.toContain('system')
    expect(stored().panels['system']?.open).toBe(false)
  })

  test('moves and resizes a panel by its head with the keys, and keeps it inside', async () => {
    await draw(<Screen />)
    const before = rect('clock')
    expect((await key(head('clock'), 'ArrowRight')).defaultPrevented).toBe(true)
    expect(rect('clock')?.x).toBe((before?.x ?? 0) + 16)
    await key(head('clock'), 'ArrowDown', { shiftKey: true })
    expect(rect('clock')?.height).toBe((before?.height ?? 0) + 16)
    const way = (rect('clock')?.x ?? 0) - 12
    for (let moved = -48; moved < way; moved += 16) await key(head('clock'), 'ArrowLeft')
    expect(rect('clock')?.x).toBe(12)
    expect(stored().panels['clock']?.x).toBe(0)
  })

  test('moves a panel with the pointer, and puts it back where the system takes the pointer away', async () => {
    await draw(<Screen />)
    const before = rect('clock')
    await pull(head('clock'), { x: 150, y: 90 })
    expect(rect('clock')).toMatchObject({ x: (before?.x ?? 0) + 150, y: (before?.y ?? 0) + 90 })
    const after = rect('clock')
    await pull(head('clock'), { x: 200, y: 0 }, 'pointercancel')
    expect(rect('clock')).toEqual(after)
    const edge = panel('clock')?.querySelector('[data-edge=se]') as Element
    await pull(edge, { x: 60, y: 40 })
    expect(rect('clock')).toMatchObject({ width: (after?.width ?? 0) + 60, height: (after?.height ?? 0) + 40 })
  })

  test('keeps panels inside when the window shrinks, and gives them their place back', async () => {
    await draw(<Screen />)
    await act(async () => useLuna.getState().place('clock', { x: 1100, y: 600, width: 300, height: 180 }))
    const before = rect('clock')
    await act(async () => useLuna.getState().setSize({ width: 800, height: 600 }))
    const small = rect('clock')
    expect((small?.x ?? 0) + (small?.width ?? 0)).toBeLessThanOrEqual(788)
    expect((small?.y ?? 0) + (small?.height ?? 0)).toBeLessThanOrEqual(516)
    await act(async () => useLuna.getState().setSize({ width: 1440, height: 900 }))
    expect(rect('clock')).toEqual(before)
  })

  test('tidies up all but what is pinned', async () => {
    await draw(<Screen />)
    await act(async () => {
      useLuna.getState().place('clock', { x: 600, y: 300, width: 300, height: 180 })
      useLuna.getState().place('awareness', { x: 620, y: 320, width: 300, height: 300 })
    })
    await press('Pin Clock')
    const pinned = rect('clock')
    await press('Tidy up the panels')
    expect(rect('clock')).toEqual(pinned)
    expect(rect('awareness')?.x).toBe(12)
    expect(stored().panels['clock']?.pinned).toBe(true)
  })

  test('brings a panel that is used to the front without taking it apart', async () => {
    await draw(<Screen />)
    const node = panel('clock')
    await act(async () => head('clock').focus())
    expect(panel('clock')).toBe(node)
    expect(shown()).toEqual(['conversation', 'clock', 'awareness'])
    expect(Number(panel('clock')?.style.zIndex)).toBeGreaterThan(Number(panel('awareness')?.style.zIndex))
    expect(document.activeElement).toBe(head('clock'))
  })

  test('goes from panel to panel with F6, and back', async () => {
    await draw(<Screen />)
    await act(async () => head('conversation').focus())
    await key(window, 'F6')
    expect(document.activeElement).toBe(head('clock'))
    await key(window, 'F6', { shiftKey: true })
    expect(document.activeElement).toBe(head('conversation'))
    await key(window, 'F6', { shiftKey: true })
    expect(document.activeElement?.closest('.luna-bar')).not.toBeNull()
  })
})

describe('she', () => {
  const order = (id: string, action: string, payload: unknown) => act(async () => state().followPanels(CHAT, [{ type: 'command', id, action, payload }]))

  test('opens a panel for what she shows, covers nothing with it, and looks there', async () => {
    const cues: Cue[] = []
    const stop = onCue((cue) => cues.push(cue))
    await draw(<Screen />)
    await act(async () => converse(message('a1', 'assistant', 'There.', { acts: [MAP] })))
    await order('order map', 'map', {})
    stop()
    expect(shown()).toContain('map')
    const place = rect('map')
    expect(cues).toEqual([{ action: 'look', x: (place?.x ?? 0) + (place?.width ?? 0) / 2, y: (place?.y ?? 0) + (place?.height ?? 0) / 2 }])
  })

  test('does not open again what was closed since', async () => {
    await draw(<Screen />)
    await order('order system', 'panel', { panel: 'system', open: true })
    await press('Close System')
    await draw(<Screen />)
    await order('order system', 'panel', { panel: 'system', open: true })
    expect(shown()).not.toContain('system')
  })

  test.each(['camera', 'tasks', 'map', '__proto__', ''])('cannot open %j where there is no such thing', async (name) => {
    await draw(<Screen />)
    await order(`order of ${name}`, 'panel', { panel: name, open: true })
    expect(shown()).toEqual(['conversation', 'clock', 'awareness'])
  })

  test('closes a panel', async () => {
    await draw(<Screen />)
    await order('order away', 'panel', { panel: 'awareness', open: false })
    expect(shown()).toEqual(['conversation', 'clock'])
  })

  test('goes on answering while the conversation is closed', async () => {
    await draw(<Screen />)
    await press('Close Conversation')
    await act(async () => converse(message('a1', 'assistant', 'The tide turns at two in the afternoon, and then the bay empties.')))
    expect(document.querySelector('[data-testid=captions]')?.textContent).toContain('The tide turns at two')
    await act(async () => state().focusComposer())
    expect(document.querySelector('textarea')).not.toBeNull()
  })
})

describe('everything but her', () => {
  test('hides, and comes back with any key, which does nothing else', async () => {
    await draw(<Screen />)
    await act(async () => state().hidePanels(true))
    expect(document.querySelector('.luna')?.hasAttribute('data-bare')).toBe(true)
    expect(document.querySelector('[role=status].bare-hint')?.textContent).toBe('Press any key to show everything.')
    await key(window, 'Shift')
    expect(state().panelsHidden).toBe(true)
    expect((await key(window, 'Escape')).defaultPrevented).toBe(true)
    expect(state()).toMatchObject({ panelsHidden: false, view: 'luna' })
    await act(async () => state().hidePanels(true))
    expect(document.querySelector('.bare-hint')?.textContent).toBe('')
  })
})

describe('at rest', () => {
  test('the panels step back after a while, and come forward with any sign', async () => {
    vi.useFakeTimers()
    await draw(<Screen />)
    const resting = () => document.querySelector('.luna')?.hasAttribute('data-resting')
    await act(async () => vi.advanceTimersByTime(19_000))
    expect(resting()).toBe(false)
    await act(async () => vi.advanceTimersByTime(2000))
    expect(resting()).toBe(true)
    await key(window, 'a')
    expect(resting()).toBe(false)
  })

  const rest = () => act(async () => vi.advanceTimersByTime(21_000))
  const view = () => document.querySelector('.luna') as HTMLElement

  test('nothing rests while words are marked in it', async () => {
    vi.useFakeTimers()
    await draw(<Screen />)
    document.getSelection()?.selectAllChildren(panel('awareness') as HTMLElement)
    await rest()
    expect(view().hasAttribute('data-resting')).toBe(false)
    document.getSelection()?.removeAllRanges()
    await rest()
    expect(view().hasAttribute('data-resting')).toBe(true)
  })

  test('the hour comes forward where nothing is that could be read', async () => {
    vi.useFakeTimers()
    await draw(<Screen />)
    const stands = (element: Element | null, x: number) => {
      if (element) element.getBoundingClientRect = () => new DOMRect(x, 600, 300, 200)
    }
    stands(document.querySelector('.rest-clock'), 100)
    stands(panel('awareness'), 350)
    await rest()
    expect(view().hasAttribute('data-resting')).toBe(true)
    expect(view().hasAttribute('data-hour')).toBe(false)
    expect(document.querySelector('.rest-clock')?.getAttribute('aria-hidden')).toBe('true')
    await key(window, 'a')
    stands(panel('awareness'), 900)
    await rest()
    expect(view().hasAttribute('data-hour')).toBe(true)
  })

  test('nothing rests while she answers', async () => {
    vi.useFakeTimers()
    useStore.setState({ outgoing: { [CHAT]: { clientMessageId: 'x', text: 'Hi', files: [], editOf: null, trouble: null } } })
    await draw(<Screen />)
    await act(async () => vi.advanceTimersByTime(60_000))
    expect(document.querySelector('.luna')?.hasAttribute('data-resting')).toBe(false)
  })
})

describe('Escape', () => {
  test('leaves a field first, and then leads back to the desk', async () => {
    await draw(<Screen />)
    const field = document.querySelector('textarea') as HTMLTextAreaElement
    await act(async () => field.focus())
    await key(field, 'Escape')
    expect(state().view).toBe('luna')
    expect(document.activeElement).not.toBe(field)
    await key(window, 'Escape')
    expect(state().view).toBe('dev')
    expect(window.location.hash).toBe(`#/c/${CHAT}`)
  })

  test('does not lead away from under something that is open', async () => {
    useStore.setState({ overlay: { kind: 'help' } })
    await draw(<Screen />)
    await key(window, 'Escape')
    expect(state().view).toBe('luna')
  })
})
