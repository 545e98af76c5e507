import { describe, expect, test } from 'vitest'
import type { Event, Message } from '@/api/protocol.gen'
import { applyEvents, beginning, type Opening, type Scene } from './live'

const CHAT = '00000000000ab'
const NOW = Date.parse('2026-11-14T21:00:00Z')

function message(id: string, role: Message['role'], content: string, parent: string | null): Message {
  return {
    id, role, content, parent, reasoning: null, createdAt: '2026-11-14T20:00:00Z', status: 'complete', stopReason: null, error: null, errorCode: null,
    model: null, turnId: null, usage: null, attachments: [], siblings: [id], acts: [], plan: [],
  }
}

const HISTORY = [message('u1', 'user', 'Hi', null), message('a1', 'assistant', 'Hello.', 'u1')]

function scene(opening: Opening, messages = HISTORY): Scene {
  return { messages, live: beginning(opening, messages, NOW) }
}

const SEND: Opening = { kind: 'send', text: 'And you?', editOf: null }
const metadata = (userMessageId?: string): Event => ({
  type: 'metadata', conversationId: CHAT, model: 'qwen', turnId: 't1', messageId: 'a2', ...(userMessageId ? { userMessageId } : {}),
})
const token = (content: string): Event => ({ type: 'token', content })
const done = (stopReason: 'end' | 'stopped' | 'cut' | 'length' = 'end'): Event => ({ type: 'done', conversationId: CHAT, messageId: 'a2', stopReason })

describe('a turn on the page', () => {
  test('adds the question and the answer, and fills the answer', () => {
    const { messages, live } = applyEvents(scene(SEND), [metadata('u2'), token('Fine, '), token('thanks.')], NOW)
    expect(messages.map(({ id, content, parent, status }) => [id, content, parent, status])).toEqual([
      ['u1', 'Hi', null, 'complete'],
      ['a1', 'Hello.', 'u1', 'complete'],
      ['u2', 'And you?', 'a1', 'complete'],
      ['a2', 'Fine, thanks.', 'u2', 'streaming'],
    ])
    expect(live).toMatchObject({ phase: 'writing', turnId: 't1', messageId: 'a2' })
  })

  test('is the same however its events are bundled', () => {
    const events = [metadata('u2'), { type: 'reasoning', content: 'Hm. ' } as Event, token('Fine, '), token('thanks.'), done()]
    const atOnce = applyEvents(scene(SEND), events, NOW)
    const oneByOne = events.reduce((before, event) => applyEvents(before, [event], NOW), scene(SEND))
    expect(oneByOne).toEqual(atOnce)
  })

  test('shows what she does before the first word', () => {
    const reading = applyEvents(scene(SEND), [metadata('u2'), { type: 'progress', stage: 'reading', done: 1200, total: 3000 }], NOW)
    expect(reading.live).toMatchObject({ phase: 'reading', progress: { done: 1200, total: 3000 } })
    expect(applyEvents(reading, [token('So')], NOW).live).toMatchObject({ phase: 'writing', progress: null })
  })

  test('measures the thinking until the first word', () => {
    const thinking = applyEvents(scene(SEND), [metadata('u2'), { type: 'reasoning', content: 'Let me ' }], NOW)
    const later = applyEvents(thinking, [{ type: 'reasoning', content: 'see.' }, token('So')], NOW + 2400)
    expect(later.messages.at(-1)).toMatchObject({ reasoning: 'Let me see.', content: 'So' })
    expect(later.live.thoughtMs).toBe(2400)
  })

  test.each([
    ['end', 'complete'],
    ['length', 'complete'],
    ['stopped', 'partial'],
    ['cut', 'partial'],
  ] as const)('that ends with %s is %s', (reason, status) => {
    const { messages } = applyEvents(scene(SEND), [metadata('u2'), token('So'), done(reason)], NOW)
    expect(messages.at(-1)).toMatchObject({ status, stopReason: reason, content: 'So' })
  })

  test('that fails keeps the question and what had come', () => {
    const failure: Event = { type: 'error', message: 'the model went away', code: 'modelUnreachable' }
    const { messages } = applyEvents(scene(SEND), [metadata('u2'), token('So'), failure], NOW)
    expect(messages.at(-2)).toMatchObject({ content: 'And you?' })
    expect(messages.at(-1)).toMatchObject({ status: 'failed', content: 'So', error: 'the model went away', errorCode: 'modelUnreachable' })
  })

  test('keeps its usage', () => {
    const usage = { promptTokens: 10, cachedTokens: 4, completionTokens: 3, totalMs: 100 }
    expect(applyEvents(scene(SEND), [metadata('u2'), { type: 'usage', ...usage }], NOW).messages.at(-1)?.usage).toEqual(usage)
  })

  test('for an edited message puts it beside the old one', () => {
    const edit: Opening = { kind: 'send', text: 'Hi again', editOf: 'u1' }
    const { messages } = applyEvents(scene(edit), [metadata('u2')], NOW)
    expect(messages.map(({ id }) => id)).toEqual(['u2', 'a2'])
    expect(messages[0]).toMatchObject({ parent: null, siblings: ['u1', 'u2'] })
  })

  test('for another answer puts it beside the old one', () => {
    const again: Opening = { kind: 'regenerate', message: HISTORY[1] as Message }
    const { messages } = applyEvents(scene(again), [metadata(), token('Good evening.')], NOW)
    expect(messages.map(({ id }) => id)).toEqual(['u1', 'a2'])
    expect(messages[1]).toMatchObject({ parent: 'u1', siblings: ['a1', 'a2'], content: 'Good evening.' })
  })

  test('that is watched from its beginning does not double what was stored of it', () => {
    const stored = [...HISTORY, message('u2', 'user', 'And you?', 'a1'), { ...message('a2', 'assistant', 'Fine, tha', 'u2'), status: 'streaming' as const }]
    const { messages } = applyEvents(scene({ kind: 'watch' }, stored), [metadata('u2'), token('Fine, '), token('thanks.')], NOW)
    expect(messages).toHaveLength(4)
    expect(messages.at(-1)?.content).toBe('Fine, thanks.')
  })

  test('lets unknown events pass', () => {
    const strange = { type: 'viseme', content: 'x' } as unknown as Event
    const before = applyEvents(scene(SEND), [metadata('u2')], NOW)
    expect(applyEvents(before, [strange], NOW)).toEqual(before)
  })
})
