import '@/testkit/browser'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Event, Proposal, ProposalFile } from '@/api/protocol.gen'
import { useStore } from '@/store'
import { changed, codeFiles, hunk, proposal, root, ROOT } from '@/testkit/code'
import { button, clear, draw } from '@/testkit/draw'
import { routes, json, message, refusal, serve, view } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { AgentPanel } from './AgentPanel'
import HistoryView from './HistoryView'
import { ReviewRail } from './ReviewRail'
import ReviewView from './ReviewView'
import type { Review } from './state'
import { useCodeStore } from './useCodeStore'

// Tests of the view of finished work: after a reload, or after a decision made elsewhere.

Element.prototype.scrollTo = () => {}
Element.prototype.scrollIntoView = () => {}

const CHAT = '0000000000abc'
const code = () => useCodeStore.getState()
const text = () => document.body.textContent ?? ''
const until = (check: () => void) =>
  vi.waitFor(async () => {
    await act(async () => {})
    check()
  }, 20_000)

beforeEach(async () => {
  localStorage.clear()
  sessionStorage.clear()
  serve()
  freshStores({ session: 'in', codeChat: null, route: { page: 'code' } })
  useCodeStore.setState({ ...useCodeStore.getInitialState(), commandHistory: [] }, true)
  routes['GET /api/code/root'] = () => json({ current: ROOT, roots: [root()] })
  routes['GET /api/code/files'] = () => json({ files: codeFiles('src/tide.rs'), more: false })
  routes['GET /api/code/proposals'] = () => json({ proposals: [] })
  await code().refreshRoots()
  await vi.waitFor(() => expect(code().proposals).not.toBeNull())
})

afterEach(async () => {
  useStore.getState().unfollowAll()
  await clear()
  vi.unstubAllGlobals()
})

describe('a run that is over', () => {
  beforeEach(async () => void (await Promise.all([import('@/chat/MessageList'), import('./RunParts')])))

  const WORK: Event[] = [
    { type: 'context', files: [{ path: 'src/tide.rs', reasons: ['in view'] }], parts: [{ source: 'repo map', tokens: 1200, cut: true }] },
    { type: 'verify', stage: 'build', ok: true, output: '', errors: [] },
    { type: 'verify', stage: 'test', ok: false, output: 'boom', errors: [{ file: 'src/tide.rs', line: 3, message: 'not so' }] },
    { type: 'proposal', id: 'p1', files: [changed('src/tide.rs', [], { added: 3 })] },
    { type: 'meta', ok: true, summary: 'a lag of its own', files: ['src/tide.rs'], diffs: [], actions: [], durationMs: 2000, proposalId: 'p1', requiresApproval: true },
  ]

  test('shows the same after a reload', async () => {
    routes[`GET /api/chats/${CHAT}`] = () => json(view(CHAT, [message('u1', 'user', 'Change it'), message('m1', 'assistant', 'There it is.', { parent: 'u1', work: WORK })]))
    routes['GET /api/code/proposals'] = () => json({ proposals: [proposal('p1', [], { title: 'A lag', conversationId: CHAT })] })
    useStore.getState().showCodeChat(CHAT)
    await code().refreshProposals()
    await draw(<AgentPanel />)
    await until(() => expect(text()).toContain('A lag of its own. Took 2.0 s'))
    for (const words of ['Looked at 1 file · 1,200 tokens', '+3', 'Build', 'not so', 'to review']) expect(text()).toContain(words)
    // The card links to the review, so no second link is shown.
    expect([...document.querySelectorAll('a[href="#/code/review/p1"]')].map((link) => link.textContent)).toEqual(['Review'])
    expect(button('Fix it')).toBeDefined()
  })

  test.each([
    ['is taken back', () => json(proposal('p1', [], { status: 'undone' })), 'undone', 'Look at it'],
    ['waits', () => json(proposal('p1', [])), 'to review', 'Review'],
    ['is not there any more', () => refusal(404, 'notFound', 'no such proposal'), '', 'Look at it'],
  ])('says of a change in another folder that it %s', async (_, answer, mark, way) => {
    routes[`GET /api/chats/${CHAT}`] = () => json(view(CHAT, [message('m1', 'assistant', 'There it is.', { work: WORK })]))
    routes['GET /api/code/proposals/p1'] = answer
    useStore.getState().showCodeChat(CHAT)
    await draw(<AgentPanel />)
    await until(() => expect(code().reviews['p1']?.proposal ?? code().reviews['p1']?.trouble).toBeTruthy())
    const link = document.querySelector('a[href="#/code/review/p1"]')
    expect([link?.previousElementSibling?.textContent, link?.textContent]).toEqual([mark, way])
  })
})

describe('a proposal of which a part has landed', () => {
  const ALL = changed('a.rs', [hunk(1, 1, '+x', '+y')], { decision: 'all' })
  const SOME = changed('src/b.rs', [hunk(1, 1, '-z')], { decision: 'some' })
  const NONE = changed('src/c.rs', [hunk(1, 1, '+not here')], { decision: 'none' })
  const passed = { outcome: 'passed' as const, summary: '', steps: [] }
  const land = async (files: ProposalFile[], more = {}) => {
    routes['GET /api/code/proposals/p1'] = () => json(proposal('p1', files, { status: 'applied', canUndo: true, verify: passed, ...more }))
    await code().openReview('p1')
    return draw(<ReviewView id="p1" />)
  }
  const changes = () => document.querySelector('[data-testid=changes]')
  const hunks = () => [...document.querySelectorAll('[data-change]')].map((one) => `${one.hasAttribute('data-active') ? '> ' : ''}${one.getAttribute('data-change')} ${one.getAttribute('data-choice') ?? ''}`.trim())
  const press = (name: string) => act(async () => void changes()?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true })))
  const sections = () => [...document.querySelectorAll('[data-testid=changes] > section:has(> header)')].map((one) => one.querySelector('header')?.textContent)

  test.each<[string, ProposalFile[], object, string, string]>([
    ['all of it', [ALL], {}, '1 file, 1 change', 'It is in your files.'],
    ['one without a word of it', [{ ...ALL, decision: undefined as never }], {}, '1 file, 1 change', 'It is in your files.'],
    ['a part of a file', [ALL, SOME], {}, '2 files, 2 changes', 'It is in your files, in part.'],
    ['some files', [ALL, ALL, NONE].map((file, index) => ({ ...file, path: `${index}.rs` })), {}, '2 of 3 files, 2 changes', '2 of 3 files are in your files.'],
    ['one file', [ALL, NONE], {}, '1 of 2 files, 1 change', '1 of 2 files is in your files.'],
    ['files, and a part of one', [ALL, SOME, NONE], { canUndo: false }, '2 of 3 files, 2 changes', '2 of 3 files are in your files, in part. It can no longer be undone here.'],
    ['some that were taken back', [ALL, NONE], { status: 'undone', canUndo: false, canRedo: true }, '1 of 2 files, 1 change', 'It was undone.'],
  ])('tells so: %s', async (_, files, more, head, end) => {
    const host = await land(files, more)
    expect(text()).toContain(head)
    expect(host.textContent?.endsWith(end)).toBe(true)
  })

  test('marks what was left out, and does not count it', async () => {
    await land([ALL, SOME, NONE])
    expect(sections()).toEqual(['a.rs2 lines added, 0 removed+2', 'b.rssrcin part0 lines added, 1 removed−1', 'c.rssrcskipped'])
    expect(document.querySelector('h1 + p')?.textContent).toContain('2 lines added, 1 removed')
    expect(hunks()).toEqual(['> 1 a.rs', '1 src/b.rs', '1 src/c.rs no'])
    expect(text()).toContain('Only the changes that were kept are shown.')
  })

  test('shows it beside the files, too', async () => {
    await land([ALL, SOME, NONE])
    const review = code().reviews['p1'] as Review
    const host = await draw(<ReviewRail review={review} proposal={review.proposal as Proposal} />)
    expect([...host.querySelectorAll('li')].map((row) => row.textContent)).toEqual(['a.rs2 lines added, 0 removed+2', 'b.rssrcin part0 lines added, 1 removed−1', 'c.rssrcskipped'])
    expect([...host.querySelectorAll('li svg')].map((sign) => /lucide-(check|minus|x)\b/.exec(sign.getAttribute('class') ?? '')?.[1])).toEqual(['check', 'minus', 'x'])
  })

  test('says that the check was with all of it', async () => {
    await land([ALL, NONE])
    expect(text()).toContain('Passed, with all changes')
    await clear()
    await land([ALL])
    expect(text()).not.toContain('with all of it')
  })

  test('no longer goes by what was said before, as the pieces are others', async () => {
    routes['POST /api/code/proposals/p1/apply'] = () => json(proposal('p1', [SOME], { status: 'applied', canUndo: true }))
    await land([changed('src/b.rs', [hunk(1, 1, '+x'), hunk(2, 9, '-z')])], { status: 'open', canUndo: false })
    await press('n')
    expect(text()).toContain('Passed, with all changes')
    await press('Enter')
    await until(() => expect(text()).toContain('It is in your files, in part.'))
    expect(hunks()).toEqual(['> 1 src/b.rs'])
  })

  test('is told of in the history without what was left out', async () => {
    useCodeStore.setState({ root: ROOT, history: { proposals: [proposal('p1', [ALL, NONE], { status: 'applied' }), proposal('p0', [ALL], { status: 'rejected' })], notes: [], checkpoints: [] } })
    await draw(<HistoryView />)
    const rows = [...document.querySelectorAll('section[aria-label=Changes] li')].map((row) => row.textContent)
    expect(rows[0]).toContain('applied1 of 2 files2 lines added, 0 removed')
    expect(rows[1]).toContain('rejected1 file2 lines added')
  })

  test('that is written anew says that the check was without', async () => {
    await land([changed('src/tide.rs', [hunk(1, 8, ' keep', '-a', '+b')])], { status: 'open', canUndo: false })
    await act(async () => code().rewrite('p1', '1 src/tide.rs', 'keep\nmine'))
    expect(text()).toContain('Passed, as she wrote it')
  })
})
