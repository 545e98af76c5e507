import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Message } from '@/api/protocol.gen'
import { useStore } from '@/store'
import { button, clear, draw, press } from '@/testkit/draw'
import { asked, message, serve } from '@/testkit/server'
import { HerMessage } from './HerMessage'

const CHAT = '0000000000abc'
const initial = useStore.getState()

async function shown(more: Partial<Message>): Promise<string> {
  const answer = message('a1', 'assistant', 'The first half', more)
  useStore.setState({
    conversations: { [CHAT]: { chat: null, messages: [answer], before: null, summary: null, pinned: [], state: 'ready', trouble: null, gone: false, loadingEarlier: false } },
  })
  const host = await draw(<HerMessage chat={CHAT} message={answer} last />)
  return host.textContent
}

beforeEach(() => {
  serve()
  useStore.setState(initial, true)
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
    expect(asked[0]).toEqual({ door: `POST /api/chats/${CHAT}/regenerate`, body: { messageId: 'a1' } })
  })

  test('without a reason was cut off', async () => {
    expect(await shown({ status: 'partial', stopReason: 'cut' })).toContain('The answer was cut off. What arrived is kept.')
  })

  test('is not one that ended well', async () => {
    await shown({ stopReason: 'end' })
    expect(button('Try again')).toBeUndefined()
  })
})
