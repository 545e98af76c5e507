import { describe, expect, test } from 'vitest'
import type { Message } from '@/api/protocol.gen'
import { act } from '@/testkit/server'
import { sentences, spoken } from './Announcer'
import { beginLive } from './live'
import { groupTurns } from './turns'
import { activity, saysNothing, usageParts } from './wording'

const LIVE = beginLive({ kind: 'watch' }, [], 0)

describe('what is said while she works', () => {
  test.each([
    [{ progress: { stage: 'reading', done: 1200, total: 3000 } }, 0, 'Reading the conversation… 40 %'],
    [{ progress: { stage: 'reading', done: 64, total: 1600, secondsLeft: 96 } }, 0, 'Reading the conversation… 4 %, 2 min left'],
    [{ progress: { stage: 'reading', done: 1590, total: 1600, secondsLeft: 0 } }, 0, 'Reading the conversation… 99 %'],
    [{ progress: { stage: 'loading', done: 0, total: 0 } }, 0, 'Loading the model…'],
    [{ lineLost: true }, 0, 'The connection broke. Reconnecting; nothing is lost…'],
    [{ stopping: true }, 0, 'Stopping…'],
    [{}, 200, ''],
    [{}, 1000, 'Thinking…'],
  ])('%j after %i ms', (change, waited, said) => expect(activity({ ...LIVE, ...change }, waited)).toBe(said))
})

test.each<[string, Parameters<typeof saysNothing>[0], boolean]>([
  ['no word', { status: 'complete', content: ' \n', acts: [] }, true],
  ['a word', { status: 'complete', content: 'Yes.', acts: [] }, false],
  ['something shown', { status: 'complete', content: '', acts: [act('a', 'map')] }, false],
  ['not over yet', { status: 'streaming', content: '', acts: [] }, false],
  ['failed, which is told already', { status: 'failed', content: '', acts: [] }, false],
])('an answer with %s', (_, answer, nothing) => expect(saysNothing(answer)).toBe(nothing))

test('usage says how much, how fast, and how soon', () => {
  expect(usageParts({ promptTokens: 1840, cachedTokens: 1620, completionTokens: 400, firstTokenMs: 400, totalMs: 10_400 })).toEqual([
    '400 tokens',
    '40/s',
    'first word after 0.4 s',
  ])
  expect(usageParts({ promptTokens: 10, cachedTokens: 0, completionTokens: 2, totalMs: 1 })).toEqual(['2 tokens'])
  expect(usageParts({ promptTokens: 10, cachedTokens: 0, completionTokens: 1, totalMs: 1 })).toEqual(['1 token'])
  expect(usageParts({ promptTokens: 0, cachedTokens: 0, completionTokens: 0, totalMs: 1 })).toEqual([])
})

test('whole sentences are read out, without signs', () => {
  expect(sentences('One. Two. Thr', 0)).toBe('One. Two.')
  expect(sentences('One. Two. Thr', 9)).toBe('')
  const text = spoken('## Title\n\n- **bold** and `code`\n\n```rust\nfn main() {}\n```\n[page](https://example.org)')
  expect(text.split(/\s+/).join(' ')).toBe('Title bold and code fn main() {} page')
})

describe('turns', () => {
  const message = (id: string, role: Message['role'], createdAt: string): Message => ({
    id, role, createdAt, content: '', parent: null, reasoning: null, status: 'complete', stopReason: null, error: null, errorCode: null, model: null,
    turnId: null, usage: null, attachments: [], siblings: [id], acts: [], plan: [], memory: [],
  })
  const messages = [
    message('u1', 'user', '2026-11-12T12:00:00'),
    message('a1', 'assistant', '2026-11-12T12:01:00'),
    message('u2', 'user', '2026-11-14T12:00:00'),
    message('a2', 'assistant', '2026-11-14T12:01:00'),
  ]
  const now = new Date('2026-11-14T13:00:00')

  test('hold a question with its answer, and name the day where it changes', () => {
    expect(groupTurns(messages, now).map(({ key, opensDay }) => [key, opensDay])).toEqual([
      ['u1', true],
      ['u2', true],
    ])
    expect(groupTurns(messages.slice(2), now).map(({ opensDay }) => opensDay)).toEqual([false])
  })

  test('that did not change are the same objects', () => {
    const before = groupTurns(messages, now)
    const grown = [...messages.slice(0, 3), { ...(messages[3] as Message), content: 'more' }]
    const after = groupTurns(grown, now, before)
    expect(after[0]).toBe(before[0])
    expect(after[1]).not.toBe(before[1])
  })
})
