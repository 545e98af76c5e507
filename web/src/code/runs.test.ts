// @vitest-environment node
import { describe, expect, test } from 'vitest'
import type { Event } from '@/api/protocol.gen'
import { type CodeRun, afterEvent, NO_RUN, requestOptionsOf, runOf, type StageResult, showsProposal, withStage } from './runs'

type VerifyEvent = Extract<Event, { type: 'verify' }>
const verify = (stage: StageResult['stage'], output: string, more: Partial<VerifyEvent> = {}): VerifyEvent => ({ type: 'verify', stage, output, errors: [], ...more })
const ERROR = { file: 'a.rs', line: 3, message: 'no' }

test.each<[string, VerifyEvent[], StageResult[]]>([
  ['adds up while it prints', [verify('build', 'a\n'), verify('build', 'b\n')], [{ stage: 'build', ok: null, output: 'a\nb\n', errors: [] }]],
  ['ends with its own words', [verify('build', 'a\n'), verify('build', 'the end', { ok: false, errors: [ERROR] })], [{ stage: 'build', ok: false, output: 'the end', errors: [ERROR] }]],
  ['keeps what it printed where the end says nothing', [verify('test', 'a\n'), verify('test', '', { ok: true })], [{ stage: 'test', ok: true, output: 'a\n', errors: [] }]],
  ['is followed by the next', [verify('build', '', { ok: true }), verify('test', 'x')], [{ stage: 'build', ok: true, output: '', errors: [] }, { stage: 'test', ok: null, output: 'x', errors: [] }]],
  ['begins with its command', [verify('test', '$ make test\n'), verify('test', 'x\n'), verify('test', '', { ok: true })], [{ stage: 'test', command: 'make test', ok: true, output: 'x\n', errors: [] }]],
  ['is known by its end alone', [verify('test', '$ make test\nx\n', { ok: false })], [{ stage: 'test', command: 'make test', ok: false, output: 'x\n', errors: [] }]],
  ['is told once more in its end', [verify('test', '$ make test\n'), verify('test', 'x\n'), verify('test', '$ make test\nx\n', { ok: true })], [{ stage: 'test', command: 'make test', ok: true, output: 'x\n', errors: [] }]],
  ['is tried again after it ended', [verify('test', 'x', { ok: false }), verify('test', 'y')], [{ stage: 'test', ok: false, output: 'x', errors: [] }, { stage: 'test', ok: null, output: 'y', errors: [] }]],
])('a stage %s', (_, events, stages) => expect(events.reduce<StageResult[]>(withStage, [])).toEqual(stages))

test('of a stage that prints without end, the end is kept', () => {
  const long = [verify('run', 'x'.repeat(30_000)), verify('run', 'the end')].reduce<StageResult[]>(withStage, [])
  expect(long[0]?.output).toHaveLength(20_000)
  expect(long[0]?.output.endsWith('the end')).toBe(true)
})

test('a run gathers what is about code, and leaves the rest alone', () => {
  expect(afterEvent(NO_RUN, { type: 'token', content: 'x' })).toBe(NO_RUN)
  const events: Event[] = [
    { type: 'context', files: [{ path: 'a.rs', reasons: ['in view'] }], parts: [{ source: 'repo map', tokens: 7, cut: true }] },
    { type: 'proposal', id: 'p1', files: [] },
    { type: 'proposal', id: 'p2', files: [] },
    { type: 'meta', ok: true, summary: 'done', files: [], diffs: [], actions: [], durationMs: 5, requiresApproval: true },
  ]
  const run = events.reduce(afterEvent, NO_RUN)
  expect(run).toMatchObject({ parts: [{ tokens: 7 }], files: [{ path: 'a.rs' }], proposal: { id: 'p2' }, meta: { summary: 'done' } })
})

describe('of a run that is over', () => {
  const meta: Event = { type: 'meta', ok: true, summary: 'kept', files: ['a.rs'], diffs: [], actions: [], durationMs: 5, requiresApproval: true }
  const work: Event[] = [{ type: 'context', files: [{ path: 'a.rs', reasons: [] }], parts: [] }, verify('build', '', { ok: true }), { type: 'proposal', id: 'p1', files: [] }, meta]
  const seen = (more: Partial<CodeRun>): CodeRun => ({ ...NO_RUN, options: { mode: 'repair' }, ...more })
  const { type: _, ...ended } = meta

  test.each<[string, Event[] | undefined, CodeRun | undefined, object | undefined]>([
    ['nothing was kept and nothing seen', undefined, undefined, undefined],
    ['nothing was kept', [], seen({}), seen({})],
    ['it was not seen', work, undefined, { options: null, files: [{ path: 'a.rs' }], stages: [{ stage: 'build', ok: true }], proposal: { id: 'p1' }, meta: { summary: 'kept' } }],
    ['its end was not seen', work, seen({ files: [] }), { options: { mode: 'repair' }, files: [{ path: 'a.rs' }], meta: { summary: 'kept' } }],
    ['all of it was seen', work, seen({ meta: { ...ended, summary: 'live' } }), { files: [], proposal: null, meta: { summary: 'live' } }],
  ])('where %s', (_, kept, before, shown) => {
    const run = runOf(kept ? { work: kept } : {}, before)
    if (shown === undefined) expect(run).toBeUndefined()
    else expect(run).toMatchObject(shown)
  })

  test.each<[string, Event[] | undefined, CodeRun | undefined, object | null]>([
    ['it was asked for here', work, seen({}), { mode: 'repair' }],
    ['it was asked for before the page was opened', [{ ...meta, mode: 'ask', root: '/home/ada/tide' }], undefined, { mode: 'ask', root: '/home/ada/tide' }],
    ['nobody noted how', work, undefined, null],
    ['it is about something else', undefined, undefined, null],
  ])('it can be asked for again where %s', (_, kept, before, order) => expect(requestOptionsOf(kept ? { work: kept } : {}, before)).toEqual(order))

  test('it is known whether it shows a proposal', () => {
    expect([showsProposal({ work }, undefined, 'p1'), showsProposal({}, seen({ proposal: { id: 'p1', files: [] } }), 'p1'), showsProposal({ work }, undefined, 'p2'), showsProposal({}, undefined, 'p1')]).toEqual([true, true, false, false])
  })
})
