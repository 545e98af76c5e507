import '@/testkit/browser'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Event } from '@/api/protocol.gen'
import { useStore } from '@/store'
import { receive } from '@/store/boot'
import { changed, codeFile, codeFiles, hunk, proposal, root, ROOT } from '@/testkit/code'
import { requests, routes, json, refusal, serve, summary, turn, view } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { changeKey } from './choices'
import { AS_IS } from './state'
import { useCodeStore } from './useCodeStore'
import { storedTabs } from './tabSlice'

const code = () => useCodeStore.getState()
const app = () => useStore.getState()
const told = (route: string) => requests.filter((one) => one.route === route).map(({ body }) => body)
const CHAT = '0000000000abc'
const FILE = '/api/code/file?path=a.rs'

/** Returns a complete event stream at once. */
function stream(...events: Event[]): Response {
  return new Response(events.map((event, index) => `id: t1:${index + 1}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
}
const begun: Event = { type: 'metadata', conversationId: 'run', model: '', turnId: 't1', messageId: 'm1' }
const done: Event = { type: 'done', conversationId: 'run', messageId: 'm1', stopReason: 'end' }

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  serve()
  freshStores({ session: 'in', codeChat: null, route: { page: 'code' } })
  useCodeStore.setState({ ...useCodeStore.getInitialState(), commandHistory: [] }, true)
  routes['GET /api/code/root'] = () => json({ current: ROOT, roots: [root()] })
  routes['GET /api/code/files'] = () => json({ files: codeFiles('a.rs', 'src/b.rs'), more: false })
  routes['GET /api/code/proposals'] = () => json({ proposals: [] })
  routes[`GET ${FILE}`] = () => json(codeFile('a.rs', 'one\n'))
})

afterEach(() => {
  app().unfollowAll()
  vi.unstubAllGlobals()
})

describe('a folder', () => {
  test('brings its files and proposals along', async () => {
    await code().refreshRoots()
    await vi.waitFor(() => expect(code().files).toHaveLength(2))
    expect([...code().paths]).toEqual(['a.rs', 'src/b.rs'])
    await vi.waitFor(() => expect(code().proposals).toEqual([]))
  })

  test('that is refused says why, and nothing changes', async () => {
    await code().refreshRoots()
    routes['POST /api/code/root'] = () => refusal(400, 'badRequest', '`/` is the whole machine')
    expect(await code().openFolder('/')).toBe(false)
    expect(code()).toMatchObject({ openTrouble: '`/` is the whole machine.', opening: null, root: ROOT })
  })

  test('another than before leaves nothing of it open', async () => {
    await code().refreshRoots()
    code().openRoute({ page: 'code', view: 'file', item: 'a.rs' })
    routes['POST /api/code/root'] = () => json({ current: '/other', roots: [root('/other'), root()] })
    useStore.setState({ route: { page: 'code', view: 'file', item: 'a.rs' } })
    expect(await code().openFolder('/other')).toBe(true)
    expect(code()).toMatchObject({ root: '/other', tabs: [], buffers: {}, files: null })
    expect(storedTabs('/other')).toEqual([])
    expect(app().route).toEqual({ page: 'code' })
  })

  test('opens again what was open in it, and what the address names first', async () => {
    await code().refreshRoots()
    code().openRoute({ page: 'code', view: 'file', item: 'a.rs' })
    expect(storedTabs(ROOT)).toEqual([{ kind: 'file', path: 'a.rs' }])
    useCodeStore.setState({ ...useCodeStore.getInitialState() }, true)
    useStore.setState({ route: { page: 'code', view: 'history' } })
    routes['GET /api/code/history'] = () => json({ proposals: [], notes: [], checkpoints: [] })
    await code().refreshRoots()
    expect(code()).toMatchObject({ tabs: [{ kind: 'file', path: 'a.rs' }, { kind: 'history' }], tab: 'history' })
  })

  test('is read further while somebody looks, and read anew when it changed', async () => {
    await code().refreshRoots()
    receive({ action: 'code_index', root: ROOT, index: { state: 'reading', done: 1, total: 9 } })
    expect(code().roots?.[0]?.index).toEqual({ state: 'reading', done: 1, total: 9 })
    routes['GET /api/code/files'] = () => json({ files: codeFiles('new.rs'), more: true })
    receive({ action: 'code_changed', root: ROOT })
    await vi.waitFor(() => expect(code()).toMatchObject({ moreFiles: true, files: [{ path: 'new.rs' }] }))
  })

  test('keeps what was ticked only where the server took it', async () => {
    await code().refreshRoots()
    await vi.waitFor(() => expect(code().files).not.toBeNull())
    code().beginChoosing()
    code().tick('src')
    expect(code().choosing).toEqual(['a.rs'])
    await code().endChoosing('keep')
    expect(code().choosing).toEqual(['a.rs'])
    routes['POST /api/code/include'] = () => json({})
    await code().endChoosing('keep')
    expect(code()).toMatchObject({ choosing: null, roots: [{ include: ['a.rs'] }] })
    expect(told('POST /api/code/include').at(-1)).toEqual({ paths: ['a.rs'], root: ROOT })
  })
})

describe('a file that is open', () => {
  const mine = { text: () => 'mine\n' }
  beforeEach(async () => {
    await code().refreshRoots()
    await code().readBuffer('a.rs')
  })

  test('is saved over what was read, and no longer marked', async () => {
    code().setUnsaved('a.rs', mine)
    routes['PUT /api/code/file'] = () => {
      routes[`GET ${FILE}`] = () => json(codeFile('a.rs', 'mine\n'))
      return json({})
    }
    await code().save('a.rs')
    expect(told('PUT /api/code/file')).toEqual([{ root: ROOT, path: 'a.rs', content: 'mine\n', hash: 'hash of one\n' }])
    expect(code().buffers['a.rs']).toMatchObject({ unsaved: null, saving: false, file: { content: 'mine\n' } })
  })

  test('in which more was written meanwhile stays marked', async () => {
    code().setUnsaved('a.rs', mine)
    const more = { text: () => 'more\n' }
    routes['PUT /api/code/file'] = () => {
      code().setUnsaved('a.rs', more)
      return json({})
    }
    await code().save('a.rs')
    expect(code().buffers['a.rs']?.unsaved).toBe(more)
  })

  test.each([
    ['mine is kept', () => code().keepMine('a.rs'), { unsaved: null, conflict: null }],
    ['theirs is taken', async () => code().takeTheirs('a.rs'), { unsaved: null, conflict: null, file: { content: 'theirs\n' } }],
  ])('that others changed is asked about, until %s', async (_, wayOut, after) => {
    code().setUnsaved('a.rs', mine)
    routes['PUT /api/code/file'] = ({ hash }) => (hash === 'hash of theirs\n' ? json({}) : refusal(409, 'conflict', 'it has changed'))
    routes[`GET ${FILE}`] = () => json(codeFile('a.rs', 'theirs\n'))
    await code().save('a.rs')
    expect(code().buffers['a.rs']).toMatchObject({ unsaved: mine, conflict: { theirs: { content: 'theirs\n' } } })
    await wayOut()
    expect(code().buffers['a.rs']).toMatchObject(after)
  })

  test('follows the disk where nobody writes in it, and asks where somebody does', async () => {
    routes[`GET ${FILE}`] = () => json(codeFile('a.rs', 'theirs\n'))
    await code().refreshBuffers()
    expect(code().buffers['a.rs']).toMatchObject({ file: { content: 'theirs\n' }, conflict: null })
    code().setUnsaved('a.rs', mine)
    routes[`GET ${FILE}`] = () => refusal(404, 'notFound', 'it is gone')
    await code().refreshBuffers()
    expect(code().buffers['a.rs']?.conflict).toEqual({ theirs: null })
  })

  test('that cannot be saved is kept, and the reason is told', async () => {
    code().setUnsaved('a.rs', mine)
    routes['PUT /api/code/file'] = () => refusal(500, 'internal', 'the disk is full')
    await code().save('a.rs')
    expect(code().buffers['a.rs']).toMatchObject({ unsaved: mine, saving: false })
    expect(app().notices.at(-1)?.text).toBe('a.rs is not saved. The disk is full.')
  })

  test('that was saved and cannot be read again is saved', async () => {
    code().setUnsaved('a.rs', mine)
    routes['PUT /api/code/file'] = () => {
      routes[`GET ${FILE}`] = () => refusal(500, 'internal', 'the disk does not answer')
      return json({})
    }
    await code().save('a.rs')
    expect(code().buffers['a.rs']).toMatchObject({ unsaved: null, saving: false, file: null, trouble: { text: 'The disk does not answer.', again: true } })
    expect(app().notices).toEqual([])
  })

  test('closes with its tab, and the one beside it is seen', async () => {
    code().openRoute({ page: 'code', view: 'file', item: 'a.rs' })
    code().openRoute({ page: 'code', view: 'file', item: 'src/b.rs' })
    code().closeTab('file src/b.rs')
    expect(code()).toMatchObject({ tab: 'file a.rs' })
    expect(app().route).toEqual({ page: 'code', view: 'file', item: 'a.rs' })
    code().closeTab('file a.rs')
    expect(code()).toMatchObject({ tabs: [], tab: null, buffers: {} })
  })
})

describe('a proposal', () => {
  const FILES = [changed('a.rs', [hunk(1, 1, '+x'), hunk(2, 9, '-y')]), changed('b.rs', [hunk(1, 1, '+z')])]
  const open = proposal('p1', FILES)
  beforeEach(async () => {
    routes['GET /api/code/proposals/p1'] = () => json(open)
    await code().openReview('p1')
  })
  const at = () => code().reviews['p1']?.at

  test('is gone through change by change', () => {
    expect(at()).toBe(changeKey('a.rs', 1))
    code().decide('p1', changeKey('a.rs', 1), 'yes')
    expect(at()).toBe(changeKey('a.rs', 2))
    code().stepChange('p1', 1)
    code().stepChange('p1', 1)
    expect(at()).toBe(changeKey('b.rs', 1))
    code().stepChange('p1', -1)
    expect(at()).toBe(changeKey('a.rs', 2))
  })

  test('lands with what was not left out, and can be taken back and done again', async () => {
    code().decide('p1', changeKey('a.rs', 2), 'no')
    routes['POST /api/code/proposals/p1/apply'] = () => json({ ...open, status: 'applied', canUndo: true })
    routes['POST /api/code/proposals/p1/undo'] = () => json({ ...open, status: 'undone', canRedo: true })
    routes['POST /api/code/proposals/p1/redo'] = () => json({ ...open, status: 'applied', canUndo: true })
    await code().apply('p1')
    expect(told('POST /api/code/proposals/p1/apply')).toEqual([{ files: [{ path: 'a.rs', hunks: [1] }, { path: 'b.rs' }] }])
    expect(app().notices.at(-1)).toMatchObject({ text: '2 files changed.', action: { label: 'Undo' } })
    app().notices.at(-1)?.action?.run()
    await vi.waitFor(() => expect(code().reviews['p1']).toMatchObject({ busy: null, proposal: { status: 'undone' } }))
    // The notice about the earlier state is withdrawn.
    expect(app().notices.map(({ text }) => text)).toEqual(['2 files restored.'])
    app().notices.at(-1)?.action?.run()
    await vi.waitFor(() => expect(code().reviews['p1']?.proposal?.status).toBe('applied'))
  })

  test('of which everything is left out, or that is out of date, does not land', async () => {
    code().decideFile('p1', 'a.rs')
    code().decide('p1', changeKey('b.rs', 1), 'no')
    await code().apply('p1')
    routes['GET /api/code/proposals/p1'] = () => json({ ...open, stale: ['a.rs'] })
    await code().refreshReviews()
    code().decideFile('p1', 'a.rs')
    await code().apply('p1')
    expect(told('POST /api/code/proposals/p1/apply')).toEqual([])
  })

  test('that is brought up to date is asked about anew', async () => {
    code().decide('p1', changeKey('a.rs', 1), 'no')
    routes['POST /api/code/proposals/p1/rebase'] = () => json({ ...open, files: [changed('a.rs', [hunk(1, 4, '+x')])] })
    await code().stepReview('p1', 'rebase')
    expect(code().reviews['p1']).toMatchObject({ choices: {}, at: changeKey('a.rs', 1), proposal: { files: [{ path: 'a.rs' }] } })
  })

  test('is taken with what somebody wrote, until its lines are others', async () => {
    const one = changed('a.rs', [hunk(1, 1, ' a', '-b', '+c')])
    routes['GET /api/code/proposals/p1'] = () => json(proposal('p1', [one]))
    routes['POST /api/code/proposals/p1/apply'] = () => json(proposal('p1', [one], { status: 'applied' }))
    await code().openReview('p1')
    code().rewrite('p1', '1 a.rs', 'a\nmine')
    await code().openReview('p1')
    expect(code().reviews['p1']).toMatchObject({ edits: { '1 a.rs': 'a\nmine\n' }, choices: { '1 a.rs': 'yes' } })
    routes['GET /api/code/proposals/p1'] = () => json(proposal('p1', [changed('a.rs', [hunk(1, 1, ' a', '-b', '+d')])]))
    await code().openReview('p1')
    expect(code().reviews['p1']?.edits).toEqual({})
    code().rewrite('p1', '1 a.rs', 'a\nmine')
    await code().apply('p1')
    expect(told('POST /api/code/proposals/p1/apply')).toEqual([{ files: [{ path: 'a.rs', hunks: [], edited: [{ id: 1, text: 'a\nmine\n' }] }] }])
  })

  test('that is seen says there why it is refused', async () => {
    routes['GET /api/code/proposals/p1'] = () => json(proposal('p1', [changed('a.rs', [hunk(1, 1, '+c')])]))
    routes['POST /api/code/proposals/p1/reject'] = () => refusal(409, 'conflict', 'it is applied')
    useStore.setState({ route: { page: 'code', view: 'review', item: 'p1' } })
    code().openRoute({ page: 'code', view: 'review', item: 'p1' })
    await code().openReview('p1')
    await code().stepReview('p1', 'reject')
    expect(code().reviews['p1']?.refusal).toBe('It is applied.')
    expect(app().notices).toEqual([])
  })

  test('that is refused says why, and shows what the server has', async () => {
    routes['POST /api/code/proposals/p1/apply'] = () => refusal(409, 'conflict', 'a.rs has changed since')
    routes['GET /api/code/proposals/p1'] = () => json({ ...open, stale: ['a.rs'] })
    await code().apply('p1')
    expect(app().notices.at(-1)?.text).toBe('a.rs has changed since.')
    expect(code().reviews['p1']).toMatchObject({ busy: null, proposal: { stale: ['a.rs'] } })
  })

  test('is not said yes to once it has landed', () => {
    useCodeStore.setState({ reviews: { p1: { ...code().reviews['p1']!, proposal: { ...open, status: 'applied' } } } })
    code().decide('p1', changeKey('a.rs', 1), 'no')
    expect(code().reviews['p1']?.choices).toEqual({})
  })

  test('that is not there says so', async () => {
    await code().openReview('p9')
    expect(code().reviews['p9']?.trouble).toMatch(/^No route/)
  })
})

describe('a command', () => {
  test('prints, ends, and is remembered once', async () => {
    const tool = (status: 'running' | 'failed', more = {}): Event => ({ type: 'tool', id: 'x', name: 'run_command', args: {}, status, ...more })
    routes['POST /api/code/run'] = () => stream(begun, tool('running'), { type: 'toolOutput', id: 'x', text: 'one\n' }, { type: 'toolOutput', id: 'x', text: 'two\n' }, tool('failed', { result: 'exit 1', ms: 7 }), done)
    await code().refreshRoots()
    await code().runCommand(' cargo build ')
    await code().runCommand('cargo build')
    expect(code().commands[0]).toMatchObject({ command: 'cargo build', status: 'failed', output: 'one\ntwo\n', ms: 7, chat: 'run' })
    expect(code().commandHistory).toEqual(['cargo build'])
    expect(app().codeChats).toEqual(['run'])
    expect(told('POST /api/code/run')).toEqual(Array(2).fill({ command: 'cargo build', root: ROOT }))
  })

  test.each([
    ['refused by the server', () => refusal(400, 'badRequest', 'open a folder first'), { status: 'failed', output: 'Open a folder first.' }],
    ['stopped', () => stream(begun, { ...done, stopReason: 'stopped' } as Event), { status: 'stopped' }],
    ['that said nothing while it ran', () => stream(begun, { type: 'tool', id: 'x', name: 'run_command', args: {}, status: 'done', result: { output: 'all of it' } }, done), { status: 'done', output: 'all of it' }],
    ['that failed as a whole', () => stream(begun, { type: 'error', message: 'no sandbox', code: 'internal' }), { status: 'failed', output: 'no sandbox' }],
  ])('%s is told as it is', async (_, reply, after) => {
    routes['POST /api/code/run'] = reply
    await code().runCommand('ls')
    expect(code().commands[0]).toMatchObject(after)
  })

  test('of nothing, or beside another, does not run', async () => {
    await code().runCommand('  ')
    useCodeStore.setState({ commands: [{ id: 0, root: ROOT, command: 'a', status: 'running', output: '', ms: null, chat: null }] })
    await code().runCommand('b')
    expect(told('POST /api/code/run')).toEqual([])
  })
})

test('a check goes through its stages, and the proposal is read anew', async () => {
  const verify = (stage: 'build' | 'test', ok?: boolean): Event => ({ type: 'verify', stage, output: 'x', errors: [], ...(ok === undefined ? {} : { ok }) })
  routes['POST /api/code/verify'] = () => stream(begun, verify('build'), verify('build', true), verify('test', false), done)
  routes['GET /api/code/proposals/p1'] = () => json(proposal('p1', [], { verify: { outcome: 'failed', summary: 'one failed', steps: [] } }))
  await code().refreshRoots()
  await code().verify('p1')
  expect(code().checks['p1']).toMatchObject({ running: false, trouble: null, stages: [{ stage: 'build', ok: true }, { stage: 'test', ok: false }] })
  expect(told('POST /api/code/verify')).toEqual([{ proposalId: 'p1', root: ROOT }])
  expect(code().reviews['p1']?.proposal?.verify?.outcome).toBe('failed')
})

test('a check that goes on in another folder shows nothing there', async () => {
  let open: ReadableStreamDefaultController<Uint8Array> | undefined
  const send = (event: Event, id: number) => open?.enqueue(new TextEncoder().encode(`id: t1:${id}\ndata: ${JSON.stringify(event)}\n\n`))
  routes['POST /api/code/verify'] = () => new Response(new ReadableStream({ start: (controller) => void (open = controller) }))
  routes['POST /api/code/root'] = () => json({ current: '/other', roots: [root('/other'), root()] })
  await code().refreshRoots()
  const check = code().verify(AS_IS)
  await vi.waitFor(() => expect(open).toBeDefined())
  send(begun, 1)
  await vi.waitFor(() => expect(code().checks[AS_IS]).toMatchObject({ running: true }))
  expect(await code().openFolder('/other')).toBe(true)
  send({ type: 'verify', stage: 'build', output: 'x', errors: [] }, 2)
  send(done, 3)
  open?.close()
  await check
  expect(code().checks).toEqual({})
})

describe('what she is told', () => {
  beforeEach(async () => {
    routes['POST /api/chats/new'] = () => json(summary(CHAT))
    routes['GET /api/code/file?path=a.rs'] = () => json(codeFile('a.rs', 'one'))
    await code().refreshRoots()
    code().openRoute({ page: 'code', view: 'file', item: 'a.rs' })
  })

  test.each([
    ['is not there', () => refusal(404, 'notFound', 'there is no file a.rs')],
    ['is no text', () => json(codeFile('a.rs', '', { binary: true }))],
  ])('leaves a file out that %s', async (_, answer) => {
    routes['GET /api/code/file?path=a.rs'] = answer
    routes['POST /api/code/stream'] = () => refusal(400, 'noModel', 'no model is chosen')
    code().dropBuffer('a.rs')
    await code().readBuffer('a.rs')
    code().ask('Change it')
    await vi.waitFor(() => expect(told('POST /api/code/stream')).toHaveLength(1))
    expect(told('POST /api/code/stream')[0]).not.toHaveProperty('focusFile')
  })

  test('goes to the workspace with the file that is seen, and what came of it is kept beside her words', async () => {
    const run = turn('t1', CHAT)
    routes['POST /api/code/stream'] = run.response
    routes[`GET /api/chats/${CHAT}`] = () => json(view(CHAT, []))
    code().setMode('plan')
    code().ask('Change it')
    run.begin()
    run.emit({ type: 'context', files: [], parts: [{ source: 'repo map', tokens: 9, cut: false }] })
    run.say('Done.')
    run.emit({ type: 'proposal', id: 'p1', files: [] })
    await vi.waitFor(() => expect(app().codeRuns['answer of t1']?.proposal?.id).toBe('p1'))
    expect(app()).toMatchObject({ codeChat: CHAT, route: { page: 'code' } })
    expect(told('POST /api/code/stream')[0]).toMatchObject({ text: 'Change it', mode: 'plan', root: ROOT, focusFile: 'a.rs', conversationId: CHAT })
    expect(app().codeRuns['answer of t1']).toMatchObject({ options: { mode: 'plan' }, parts: [{ tokens: 9 }] })
    run.end()
    await vi.waitFor(() => expect(app().live[CHAT]).toBeUndefined())
  })

  test('is asked again as it was, without a branch', async () => {
    const first = turn('t1', CHAT)
    routes['POST /api/code/stream'] = first.response
    code().ask('Change it', { mode: 'repair', lastError: 'boom' })
    first.begin()
    first.end()
    await vi.waitFor(() => expect(app().conversations[CHAT]?.messages.at(-1)?.status).toBe('complete'))
    await vi.waitFor(() => expect(app().live[CHAT]).toBeUndefined())
    const second = turn('t2', CHAT)
    routes['POST /api/code/stream'] = second.response
    void app().regenerate(CHAT, 'answer of t1')
    await vi.waitFor(() => expect(told('POST /api/code/stream')).toHaveLength(2))
    expect(told('POST /api/code/stream')[1]).toMatchObject({ text: 'Change it', mode: 'repair', lastError: 'boom' })
    second.begin('u3')
    second.end()
    await vi.waitFor(() => expect(app().live[CHAT]).toBeUndefined())
  })

  test('and does not get through is kept, with the reason', async () => {
    routes['POST /api/code/stream'] = () => refusal(400, 'noModel', 'no model is chosen')
    code().ask('Change it')
    await vi.waitFor(() => expect(app().outgoing[CHAT]?.trouble).toMatchObject({ code: 'noModel' }))
    expect(app().outgoing[CHAT]).toMatchObject({ text: 'Change it', code: { focusFile: 'a.rs' } })
  })

  test('an ordinary answer leaves nothing there', async () => {
    const run = turn('t1', CHAT)
    routes['POST /api/chat/stream'] = run.response
    void app().send(CHAT, { text: 'Hi', files: [] })
    run.begin()
    run.say('Hello.')
    run.end()
    await vi.waitFor(() => expect(app().conversations[CHAT]?.messages.at(-1)?.status).toBe('complete'))
    expect(app().codeRuns).toEqual({})
  })
})

test('whoever signs out leaves nothing open', async () => {
  await code().refreshRoots()
  code().openRoute({ page: 'code', view: 'file', item: 'a.rs' })
  app().forgetSession()
  expect(code()).toMatchObject({ root: null, tabs: [], files: null, buffers: {} })
})
