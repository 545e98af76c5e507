import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Message, ModelState } from '@/api/protocol.gen'
import { useStore } from '@/store'
import { button, clear, draw, press } from '@/testkit/draw'
import { report } from '@/testkit/models'
import { requests, message, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { AssistantMessage } from './AssistantMessage'

const CHAT = '0000000000abc'

async function shown(more: Partial<Message>, last = true): Promise<string> {
  const answer = message('a1', 'assistant', 'The first half', more)
  useStore.setState({
    conversations: { [CHAT]: { chat: null, messages: [answer], before: null, summary: null, pinned: [], state: 'ready', trouble: null, gone: false, loadingEarlier: false } },
  })
  const host = await draw(<AssistantMessage chat={CHAT} message={answer} last={last} />)
  return host.textContent
}

beforeEach(() => {
  serve()
  freshStores()
})

afterEach(async () => {
  await clear()
  vi.unstubAllGlobals()
})

describe('an answer that failed', () => {
  const trouble = { error: 'the model went away', errorCode: 'modelUnreachable' } as const

  test.each<[string, Partial<Message>]>([
    ['while it is watched', { status: 'failed', ...trouble }],
    ['and is loaded anew', { status: 'partial', stopReason: 'cut', ...trouble }],
  ])('after its first words says why, and keeps them, %s', async (_when, more) => {
    const text = await shown(more)
    expect(text).toContain('The first half')
    expect(text).toContain('The model went away.')
    expect(text).not.toContain('cut off')
    expect(button('Choose a model')).toBeDefined()
    await press('Try again')
    expect(requests[0]).toEqual({ route: `POST /api/chats/${CHAT}/regenerate`, body: { messageId: 'a1' } })
  })

  test('without a reason was cut off', async () => {
    expect(await shown({ status: 'partial', stopReason: 'cut' })).toContain('The answer was cut off. What arrived is kept.')
  })

  const READY: ModelState = { state: 'ready', name: 'best', kind: 'embedded', context: 8192, vision: false }

  const NONE: ModelState = { state: 'none', hint: '' }
  const BROKEN: ModelState = { state: 'failed', name: 'best', message: 'the file is cut off' }

  test.each<[string, ModelState, NonNullable<Message['errorCode']>, boolean, string[]]>([
    ['there is none, so that choosing one comes first', NONE, 'noModel', true, ['Choose a model', 'Try again']],
    ['the chosen one does not work, so that choosing another comes first', BROKEN, 'modelFailed', true, ['Choose a model', 'Try again']],
    ['there is one meanwhile', READY, 'noModel', true, ['Try again', 'Choose a model']],
    ['a later answer says so too', NONE, 'noModel', false, ['Try again', 'Choose a model']],
  ])('for want of a model, where %s', async (_when, current, errorCode, last, ways) => {
    useStore.setState({ models: report({ current }) })
    await shown({ status: 'failed', error: 'there is no model yet', errorCode }, last)
    const buttons = [...document.querySelectorAll('[role=alert] button')]
    expect(buttons.map((found) => found.textContent)).toEqual(ways)
    expect(button('Choose a model')?.classList.contains('bg-accent')).toBe(ways[0] === 'Choose a model')
    await press('Choose a model')
    expect(useStore.getState().overlay).toEqual({ kind: 'models' })
  })

  test('of which nothing was said asks for other words, and can be asked for again', async () => {
    const text = await shown({ content: '', stopReason: 'end' })
    expect(text).toContain('Luna gave no answer. Try again, or put it in other words.')
    await press('Try again')
    expect(requests[0]?.route).toBe(`POST /api/chats/${CHAT}/regenerate`)
  })

  test.each<[NonNullable<Message['stopReason']>, string, string | null]>([
    ['stopped', 'You stopped the answer here.', null],
    ['length', 'This answer reached its length limit.', 'Continue'],
    ['cut', 'The answer was cut off. What arrived is kept.', 'Try again'],
  ])('that ended early says how, and what to do: %s', async (stopReason, words, way) => {
    expect(await shown({ stopReason })).toContain(words)
    for (const name of ['Continue', 'Try again']) expect(button(name) !== undefined).toBe(name === way)
  })

  test('is not one that ended well', async () => {
    await shown({ stopReason: 'end' })
    expect(button('Try again')).toBeUndefined()
  })
})
