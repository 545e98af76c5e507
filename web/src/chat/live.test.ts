// @vitest-environment node
import { describe, expect, test } from 'vitest'
import type { Event, Message, StepStatus, ToolStatus } from '@/api/protocol.gen'
import { applyEvents, beginLive, type TurnOrigin, type Transcript } from './live'

const CHAT = '00000000000ab'
const NOW = Date.parse('2026-11-14T21:00:00Z')

function message(id: string, role: Message['role'], content: string, parent: string | null): Message {
  return {
    id, role, content, parent, reasoning: null, createdAt: '2026-11-14T20:00:00Z', status: 'complete', stopReason: null, error: null, errorCode: null,
    model: null, turnId: null, usage: null, attachments: [], siblings: [id], acts: [], plan: [], memory: [],
  }
}

const HISTORY = [message('u1', 'user', 'Hi', null), message('a1', 'assistant', 'Hello.', 'u1')]

function scene(opening: TurnOrigin, messages = HISTORY): Transcript {
  return { messages, live: beginLive(opening, messages, NOW) }
}

const SEND: TurnOrigin = { kind: 'send', text: 'And you?', editOf: null }
const metadata = (userMessageId?: string): Event => ({
  type: 'metadata', conversationId: CHAT, model: 'qwen', turnId: 't1', messageId: 'a2', ...(userMessageId ? { userMessageId } : {}),
})
const token = (content: string): Event => ({ type: 'token', content })
const done = (stopReason: 'end' | 'stopped' | 'cut' | 'length' = 'end'): Event => ({ type: 'done', conversationId: CHAT, messageId: 'a2', stopReason })

describe('a turn on the page', () => {
  test('keeps what a tool says while it runs, the end of it where it is long, until the turn is told anew', () => {
    const said = (id: string, text: string): Event => ({ type: 'toolOutput', id, text })
    const begun = applyEvents(scene(SEND), [metadata('u2'), said('c1', 'step 1\n'), said('c2', 'else'), said('c1', 'step 2\n')], NOW)
    expect(begun.live.outputs).toEqual({ c1: 'step 1\nstep 2\n', c2: 'else' })
    const long = applyEvents(begun, [said('c1', 'x'.repeat(30_000)), said('c1', 'end')], NOW).live.outputs['c1'] ?? ''
    expect([long.length, long.slice(-4)]).toEqual([20_000, 'xend'])
    expect(applyEvents(begun, [metadata('u2')], NOW).live.outputs).toEqual({})
  })

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

  test('says what she remembered before her first word, and anew where it is told again', () => {
    const remembered: Event = { type: 'memory', items: [{ kind: 'fact', id: 'f', text: 'Likes tea.', who: '', at: null, score: 0.8, parts: [], conversationId: null, messageId: null, title: null, origins: [] }] }
    const once = applyEvents(scene(SEND), [metadata('u2'), remembered, token('Tea?')], NOW)
    expect(once.messages.at(-1)).toMatchObject({ content: 'Tea?', memory: [{ id: 'f' }] })
    expect(applyEvents(once, [metadata('u2')], NOW).messages.at(-1)?.memory).toEqual([])
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
    const edit: TurnOrigin = { kind: 'send', text: 'Hi again', editOf: 'u1' }
    const { messages } = applyEvents(scene(edit), [metadata('u2')], NOW)
    expect(messages.map(({ id }) => id)).toEqual(['u2', 'a2'])
    expect(messages[0]).toMatchObject({ parent: null, siblings: ['u1', 'u2'] })
  })

  test('for another answer puts it beside the old one', () => {
    const again: TurnOrigin = { kind: 'regenerate', message: HISTORY[1] as Message }
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

describe('what she does in a turn', () => {
  const tool = (id: string, status: ToolStatus, more: Partial<Extract<Event, { type: 'tool' }>> = {}): Event => ({
    type: 'tool', id, name: 'web_search', args: { query: 'tides' }, status, ...more,
  })
  const command = (id: string): Event => ({ type: 'command', id, action: 'web_search', payload: { results: [] } })
  const answer = (events: Event[]) => applyEvents(scene(SEND), [metadata('u2'), ...events], NOW).messages.at(-1) as Message
  const acts = (events: Event[]) => answer(events).acts.map(({ id, status, at }) => [id, status, at])

  test('stands where the text was when it began', () => {
    expect(acts([tool('a', 'running'), token('Wait. '), tool('b', 'running'), token('So.'), tool('a', 'done'), tool('c', 'running')])).toEqual([
      ['a', 'done', 0],
      ['b', 'running', 6],
      ['c', 'running', 9],
    ])
  })

  test('counts as browsers count', () => {
    expect(acts([token('🌕'), tool('a', 'running')])).toEqual([['a', 'running', 2]])
  })

  test('keeps what it was given, what came of it, and how long it took', () => {
    const events = [tool('a', 'running'), tool('a', 'done', { result: 'Twice a day.', ms: 640 }), command('a')]
    expect(answer(events).acts[0]).toMatchObject({ args: { query: 'tides' }, result: 'Twice a day.', ms: 640, command: { action: 'web_search' } })
  })

  test('opens what it opens, in whatever order that is told', () => {
    const late = answer([command('a'), tool('a', 'done', { ms: 5 })])
    expect(late.acts).toHaveLength(1)
    expect(late.acts[0]).toMatchObject({ name: 'web_search', status: 'done', command: { payload: { results: [] } } })
    expect(answer([command('unknown')]).acts[0]).toMatchObject({ id: 'unknown', name: 'web_search', status: 'done' })
  })

  test('does not go back when it is told twice', () => {
    expect(acts([tool('a', 'running'), tool('a', 'done'), tool('a', 'running'), tool('a', 'done')])).toEqual([['a', 'done', 0]])
    const twice = answer([tool('a', 'done', { result: 'x', ms: 3 }), tool('a', 'done')])
    expect(twice.acts[0]).toMatchObject({ result: 'x', ms: 3 })
  })

  test('waits where it needs a yes, even if nothing else was told of it', () => {
    const question: Event = { type: 'confirmation', id: 'a', tool: 'open', description: 'Opens.', args: {}, risk: 'risky', why: 'Because.', tainted: false, everyTime: false, until: '' }
    expect(acts([question])).toEqual([['a', 'waiting', 0]])
    expect(acts([tool('a', 'running'), question])).toEqual([['a', 'waiting', 0]])
    expect(acts([tool('a', 'denied'), question])).toEqual([['a', 'denied', 0]])
  })

  test('that asks in the midst of its work is one act, as are two whose names look like that', () => {
    const question = (id: string): Event => ({ type: 'confirmation', id, tool: 'notes__ask', description: 'Which?', args: {}, risk: 'risky', why: 'It asks.', tainted: true, everyTime: true, until: '' })
    expect(acts([tool('a', 'waiting'), question('a'), tool('a', 'running'), tool('a', 'waiting'), question('a.1')])).toEqual([['a', 'waiting', 0]])
    expect(acts([tool('a', 'running'), question('a.1'), tool('a', 'running'), question('a.2'), tool('a', 'done')])).toEqual([['a', 'done', 0]])
    expect(acts([tool('a', 'running'), tool('a.1', 'running'), question('a.1')])).toEqual([['a', 'running', 0], ['a.1', 'waiting', 0]])
    expect(acts([question('b.1')])).toEqual([['b.1', 'waiting', 0]])
  })

  test('follows a plan, of which the last word counts', () => {
    const plan = (status: StepStatus): Event => ({ type: 'plan', steps: [{ title: 'Look', status }] })
    expect(answer([plan('running'), plan('done')]).plan).toEqual([{ title: 'Look', status: 'done' }])
  })

  test('is not doubled when the turn is watched from its beginning', () => {
    const known = { ...message('a2', 'assistant', 'Wait. ', 'u2'), acts: answer([tool('a', 'running')]).acts, plan: [{ title: 'Old', status: 'done' as const }], work: [{ type: 'proposal' as const, id: 'p1', files: [] }] }
    const stored = [...HISTORY, message('u2', 'user', 'And you?', 'a1'), known]
    const events = [metadata('u2'), token('Wait. '), tool('a', 'running'), tool('a', 'done'), token('So.')]
    const again = applyEvents(scene({ kind: 'watch' }, stored), events, NOW).messages.at(-1)
    expect(again?.acts.map(({ id, status, at }) => [id, status, at])).toEqual([['a', 'done', 6]])
    expect(again).toMatchObject({ content: 'Wait. So.', plan: [], memory: [], work: [] })
  })

  test('is the same however its events are bundled', () => {
    const events = [metadata('u2'), token('A'), tool('a', 'waiting'), tool('a', 'running'), command('a'), token('B'), tool('a', 'done', { ms: 1 }), done()]
    const oneByOne = events.reduce((before, event) => applyEvents(before, [event], NOW), scene(SEND))
    expect(oneByOne).toEqual(applyEvents(scene(SEND), events, NOW))
  })
})
