import '@/testkit/browser'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Message } from '@/api/protocol.gen'
import { LOADING } from '@/chat/conversation'
import { beginLive } from '@/chat/live'
import { useOpenChat } from '@/chat/OpenChat'
import { useStore } from '@/store'
import { button, clear, draw, press } from '@/testkit/draw'
import { report } from '@/testkit/models'
import { requests, message, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { useEscapeToDev } from '../escape'
import UserView from './UserView'

const CHAT = '0000000000abc'
const state = () => useStore.getState()
const caption = () => document.querySelector('.caption')?.textContent ?? null
const composer = () => document.querySelector('textarea')
const history = () => document.querySelector('[aria-label="Conversation"]')

function View() {
  useEscapeToDev()
  return <UserView chat={useOpenChat()} />
}

const converse = (...messages: Message[]) => useStore.setState({ conversations: { [CHAT]: { ...LOADING, messages, state: 'ready' } } })
const answering = (id: string) => useStore.setState({ live: { [CHAT]: { ...beginLive({ kind: 'watch' }, [], 0), turnId: 't1', messageId: id, phase: 'writing' } } })
const escape = () => act(async () => void window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })))

async function swipe(target: Element, from: number, to: number): Promise<void> {
  Object.assign(target, { setPointerCapture: () => {} })
  for (const [type, y] of [['pointerdown', from], ['pointermove', to], ['pointerup', to]] as const) {
    const event = Object.assign(new MouseEvent(type, { bubbles: true, button: 0, clientY: y }), { pointerId: 1 })
    await act(async () => void target.dispatchEvent(event))
  }
}

beforeEach(() => {
  Element.prototype.scrollTo = () => {}
  localStorage.clear()
  serve()
  window.history.replaceState(null, '', `/#/user/c/${CHAT}`)
  freshStores({ session: 'in', view: 'user', route: { page: 'chat', id: CHAT }, lastConversation: { page: 'chat', id: CHAT } })
  converse(message('u1', 'user', 'Hi'), message('a1', 'assistant', 'Good evening. It is a fine night for a walk by the sea.'))
})
afterEach(async () => {
  await clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('face to face', () => {
  test('shows the end of what she said last', async () => {
    await draw(<View />)
    expect(caption()).toBe('Good evening. It is a fine night for a walk by the sea.')
  })

  test('offers no microphone', async () => {
    await draw(<View />)
    expect(document.body.innerHTML).not.toMatch(/microphone|mic\b/i)
  })

  test('goes through a new answer sentence by sentence, at a pace that can be read', async () => {
    vi.useFakeTimers()
    await draw(<View />)
    const said = 'The tide turns at two in the afternoon today. Then the whole bay empties within a single hour. '
    await act(async () => {
      converse(message('u2', 'user', 'When?'), message('a2', 'assistant', '', { status: 'streaming' }))
      answering('a2')
    })
    expect(caption()).toBeNull()
    await act(async () => converse(message('a2', 'assistant', said, { status: 'streaming' })))
    await act(async () => vi.advanceTimersByTime(10))
    expect(caption()).toBe('The tide turns at two in the afternoon today.')
    await act(async () => converse(message('a2', 'assistant', `${said}And`, { status: 'streaming' })))
    await act(async () => vi.advanceTimersByTime(1000))
    expect(caption()).toBe('The tide turns at two in the afternoon today.')
    await act(async () => vi.advanceTimersByTime(1500))
    expect(caption()).toBe('Then the whole bay empties within a single hour.')
    // The last caption waits until the previous one has been read.
    await act(async () => {
      useStore.setState({ live: {} })
      converse(message('a2', 'assistant', `${said}And then it is as if there had never been a sea.`))
    })
    expect(caption()).toBe('Then the whole bay empties within a single hour.')
    await act(async () => vi.advanceTimersByTime(4000))
    expect(caption()).toBe('And then it is as if there had never been a sea.')
  })

  test('what she writes is text, whatever it is', async () => {
    converse(message('a1', 'assistant', '<img src=x onerror="window.hit=1"> is what somebody wrote, and she quoted it.'))
    await draw(<View />)
    expect(document.querySelector('.caption img')).toBeNull()
    expect(caption()).toContain('<img src=x')
  })

  test('the control writes, and stops while she answers', async () => {
    await draw(<View />)
    expect(composer()).toBeNull()
    await press('Write to Luna')
    expect(composer()).not.toBeNull()
    await escape()
    expect(composer()).toBeNull()
    await act(async () => answering('a1'))
    await press('Stop')
    expect(requests.at(-1)).toEqual({ route: 'POST /api/chat/stop', body: { turnId: 't1' } })
  })

  test('the words below the moon are part of what is pressed', async () => {
    await draw(<View />)
    const control = button('Write to Luna')
    expect(control?.querySelector('.control-words')?.textContent).toBe('Write to Luna')
    await act(async () => (control?.querySelector('.control-words') as HTMLElement).click())
    expect(composer()).not.toBeNull()
  })

  test.each(['none', 'failed'] as const)('without a model that works, choosing one is what the control is for: %s', async (kind) => {
    const current = kind === 'none' ? { state: kind, hint: '' } : { state: kind, name: 'best', message: 'The file is cut off.' }
    useStore.setState({ models: report({ current }) })
    await draw(<View />)
    expect(button('Write to Luna')).toBeUndefined()
    await press('Choose a model')
    expect(state().overlay).toEqual({ kind: 'models' })
  })

  test('the field comes when it is called for, with what was written', async () => {
    await draw(<View />)
    await act(async () => {
      state().setText(CHAT, 'Half a thou')
      state().focusComposer()
    })
    expect(composer()?.value).toBe('Half a thou')
  })

  test('what was said comes with a swipe, and goes with another', async () => {
    await draw(<View />)
    await swipe(document.querySelector('.face-reach') as Element, 600, 590)
    expect(history()).toBeNull()
    await swipe(document.querySelector('.face-reach') as Element, 600, 300)
    expect(history()?.textContent).toContain('Good evening.')
    expect(document.activeElement).toBe(history())
    await swipe(history()?.querySelector('header') as Element, 100, 400)
    expect(history()).toBeNull()
  })

  test('Escape puts away one thing at a time, and then leads to the desk', async () => {
    await draw(<View />)
    await press('Conversation')
    expect(history()).not.toBeNull()
    await escape()
    expect(history()).toBeNull()
    expect(state().view).toBe('user')
    await escape()
    expect(state().view).toBe('dev')
  })

  test('her words have glass before a picture or a colour, and mist before a sky', async () => {
    await draw(<View />)
    expect(document.querySelector('.caption.glass, .control-words.glass, .face-history.glass')).toBeNull()
    await act(async () => useStore.setState({ backgrounds: { current: '#e9e7f5', backgrounds: [] } }))
    for (const name of ['caption', 'control-words', 'face-history']) expect(document.querySelector(`.${name}`)?.classList.contains('glass')).toBe(true)
  })

  test('says when something is wrong, and where to look', async () => {
    converse(message('u1', 'user', 'Hi'), message('a1', 'assistant', '', { status: 'failed', error: 'The model does not answer.' }))
    await draw(<View />)
    await press('See why')
    expect(history()).not.toBeNull()
  })

  test('says that a tiny model answers, and where to get a better one, but not over the field', async () => {
    const tiny = { state: 'ready', name: 'tiny', kind: 'embedded', context: 8192, vision: false } as const
    useStore.setState({ models: report({ current: tiny, trial: true, recommended: null }) })
    const foot = () => document.querySelector('.face-foot')?.textContent
    await draw(<View />)
    expect(foot()).toContain('A tiny model for trying.')
    await press('Write to Luna')
    expect(foot()).not.toContain('A tiny model for trying.')
    await escape()
    await press('See other models')
    expect(state().overlay).toEqual({ kind: 'models' })
    await act(async () => useStore.setState({ models: report({ current: { ...tiny, name: 'best' } }) }))
    expect(foot()).not.toContain('A tiny model for trying.')
  })

  test('a conversation that is gone leads to a new one', async () => {
    useStore.setState({ conversations: { [CHAT]: { ...LOADING, state: 'failed', gone: true, trouble: 'There is no such conversation.' } } })
    await draw(<View />)
    expect(button('Write to Luna')).toBeUndefined()
    await press('New chat', document.querySelector('.face-foot') as Element)
    expect(window.location.hash).toBe('#/user')
  })
})
