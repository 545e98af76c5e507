import { expect, test } from 'vitest'
import type { Event } from '@/api/protocol.gen'
import { followed, NO_RUN, type Stage, withStage } from './runs'

type VerifyEvent = Extract<Event, { type: 'verify' }>
const verify = (stage: Stage['stage'], output: string, more: Partial<VerifyEvent> = {}): VerifyEvent => ({ type: 'verify', stage, output, errors: [], ...more })
const ERROR = { file: 'a.rs', line: 3, message: 'no' }

test.each<[string, VerifyEvent[], Stage[]]>([
  ['adds up while it prints', [verify('build', 'a\n'), verify('build', 'b\n')], [{ stage: 'build', ok: null, output: 'a\nb\n', errors: [] }]],
  ['ends with its own words', [verify('build', 'a\n'), verify('build', 'the end', { ok: false, errors: [ERROR] })], [{ stage: 'build', ok: false, output: 'the end', errors: [ERROR] }]],
  ['keeps what it printed where the end says nothing', [verify('test', 'a\n'), verify('test', '', { ok: true })], [{ stage: 'test', ok: true, output: 'a\n', errors: [] }]],
  ['is followed by the next', [verify('build', '', { ok: true }), verify('test', 'x')], [{ stage: 'build', ok: true, output: '', errors: [] }, { stage: 'test', ok: null, output: 'x', errors: [] }]],
  ['begins with its command', [verify('test', '$ make test\n'), verify('test', 'x\n'), verify('test', '', { ok: true })], [{ stage: 'test', command: 'make test', ok: true, output: 'x\n', errors: [] }]],
  ['is tried again after it ended', [verify('test', 'x', { ok: false }), verify('test', 'y')], [{ stage: 'test', ok: false, output: 'x', errors: [] }, { stage: 'test', ok: null, output: 'y', errors: [] }]],
])('a stage %s', (_, events, stages) => expect(events.reduce<Stage[]>(withStage, [])).toEqual(stages))

test('of a stage that prints without end, the end is kept', () => {
  const long = [verify('run', 'x'.repeat(30_000)), verify('run', 'the end')].reduce<Stage[]>(withStage, [])
  expect(long[0]?.output).toHaveLength(20_000)
  expect(long[0]?.output.endsWith('the end')).toBe(true)
})

test('a run gathers what is about code, and leaves the rest alone', () => {
  expect(followed(NO_RUN, { type: 'token', content: 'x' })).toBe(NO_RUN)
  const events: Event[] = [
    { type: 'context', files: [{ path: 'a.rs', reasons: ['in view'] }], parts: [{ source: 'repo map', tokens: 7, cut: true }] },
    { type: 'proposal', id: 'p1', files: [] },
    { type: 'proposal', id: 'p2', files: [] },
    { type: 'meta', ok: true, summary: 'done', files: [], diffs: [], actions: [], durationMs: 5, requiresApproval: true },
  ]
  const run = events.reduce(followed, NO_RUN)
  expect(run).toMatchObject({ parts: [{ tokens: 7 }], files: [{ path: 'a.rs' }], proposal: { id: 'p2' }, meta: { summary: 'done' } })
})
