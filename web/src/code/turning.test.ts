import '@/testkit/browser'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CodeRoot } from '@/api/protocol.gen'
import { useStore } from '@/store'
import { receive } from '@/store/boot'
import { codeFile, codeFiles, proposal, root, ROOT } from '@/testkit/code'
import { requests, routes, json, refusal, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { useCodeStore } from './useCodeStore'

const code = () => useCodeStore.getState()
const app = () => useStore.getState()
const OTHER = '/home/ada/sky'
const BOTH = [root(OTHER), root()]
const mine = { text: () => 'mine\n' }

/** Returns the folders named in the requests to an endpoint. */
const folders = (route: string) => requests.filter((one) => one.route.split('?')[0] === route).map((one) => one.body['root'] ?? new URLSearchParams(one.route.split('?')[1]).get('root'))
const rootsAre = (current: string | undefined, roots: CodeRoot[]) => {
  routes['GET /api/code/root'] = () => json({ current, roots })
}
const turn = (path: string) => {
  routes['POST /api/code/root'] = () => json({ current: path, roots: BOTH })
  return code().openFolder(path)
}

beforeEach(async () => {
  localStorage.clear()
  sessionStorage.clear()
  serve()
  freshStores({ session: 'in', codeChat: null, route: { page: 'code' } })
  useCodeStore.setState({ ...useCodeStore.getInitialState(), commandHistory: [] }, true)
  rootsAre(ROOT, [root(), root(OTHER)])
  routes['GET /api/code/files'] = () => json({ files: codeFiles('a.rs'), more: false })
  routes['GET /api/code/proposals'] = () => json({ proposals: [] })
  routes['GET /api/code/history'] = () => json({ proposals: [], notes: [], checkpoints: [] })
  routes['GET /api/code/file?path=a.rs'] = () => json(codeFile('a.rs', 'one\n'))
  routes['PUT /api/code/file'] = () => json({})
  await code().refreshRoots()
  await code().readBuffer('a.rs')
})

afterEach(() => vi.unstubAllGlobals())

describe('where another page has turned to another folder', () => {
  beforeEach(async () => {
    code().setUnsaved('a.rs', mine)
    requests.length = 0
    rootsAre(OTHER, BOTH)
    await code().refreshAll()
  })

  test('this one stays in its own, and asks and saves there', async () => {
    await code().refreshHistory()
    await code().save('a.rs')
    expect(code()).toMatchObject({ root: ROOT, buffers: { 'a.rs': { unsaved: null } } })
    for (const route of ['GET /api/code/files', 'GET /api/code/proposals', 'GET /api/code/history', 'GET /api/code/file', 'PUT /api/code/file']) {
      expect([route, new Set(folders(route))]).toEqual([route, new Set([ROOT])])
    }
  })

  test('this one follows when somebody turns here', async () => {
    requests.length = 0
    expect(await turn(OTHER)).toBe(true)
    await code().readBuffer('a.rs')
    code().setUnsaved('a.rs', mine)
    await code().save('a.rs')
    await code().refreshHistory()
    for (const route of ['GET /api/code/files', 'GET /api/code/proposals', 'GET /api/code/history', 'GET /api/code/file', 'PUT /api/code/file']) {
      expect([route, new Set(folders(route))]).toEqual([route, new Set([OTHER])])
    }
  })

  test('a reload comes back to its own', async () => {
    useCodeStore.setState({ ...useCodeStore.getInitialState() }, true)
    await code().refreshRoots()
    expect(code().root).toBe(ROOT)
  })

  test('whoever signs in next begins where the server is', async () => {
    useStore.getState().forgetSession()
    useStore.setState({ session: 'in' })
    await code().refreshRoots()
    expect(code().root).toBe(OTHER)
  })
})

describe('what is written and not saved', () => {
  beforeEach(() => code().setUnsaved('a.rs', mine))

  test('waits in its folder until somebody comes back', async () => {
    await turn(OTHER)
    expect(code()).toMatchObject({ buffers: {}, otherBuffers: { [ROOT]: { 'a.rs': { unsaved: mine } } } })
    await turn(ROOT)
    expect(code()).toMatchObject({ otherBuffers: {}, buffers: { 'a.rs': { unsaved: mine } }, tabs: [{ kind: 'file', path: 'a.rs' }] })
    await code().save('a.rs')
    expect(folders('PUT /api/code/file')).toEqual([ROOT])
  })

  test('and others changed meanwhile is asked about then', async () => {
    await turn(OTHER)
    routes['GET /api/code/file?path=a.rs'] = () => json(codeFile('a.rs', 'theirs\n'))
    await turn(ROOT)
    await vi.waitFor(() => expect(code().buffers['a.rs']?.conflict?.theirs?.content).toBe('theirs\n'))
  })

  test('lands where it was opened, though somebody turns while it is on its way', async () => {
    let land = () => {}
    routes['PUT /api/code/file'] = () => new Promise((resolve) => (land = () => resolve(json({}))))
    const saved = code().save('a.rs')
    await turn(OTHER)
    await code().readBuffer('a.rs')
    land()
    await saved
    expect(folders('PUT /api/code/file')).toEqual([ROOT])
    expect(folders('GET /api/code/file').at(-1)).toBe(ROOT)
    expect(code()).toMatchObject({ buffers: { 'a.rs': { unsaved: null, saving: false } }, otherBuffers: { [ROOT]: { 'a.rs': { unsaved: null, saving: false } } } })
  })

  test('and cannot be is told of, and kept', async () => {
    let refuse = () => {}
    routes['PUT /api/code/file'] = () => new Promise((resolve) => (refuse = () => resolve(refusal(500, 'internal', 'the disk is full'))))
    const saved = code().save('a.rs')
    await turn(OTHER)
    refuse()
    await saved
    expect(app().notices.at(-1)?.text).toBe('a.rs is not saved. The disk is full.')
    expect(code().otherBuffers[ROOT]?.['a.rs']).toMatchObject({ unsaved: mine, saving: false })
  })

  test.each([
    ['keeps its folder', () => {}, ROOT],
    ['does not, once it is saved', () => code().setUnsaved('a.rs', null), OTHER],
  ])('%s, where others take that off the list', async (_, before, shown) => {
    before()
    rootsAre(OTHER, [root(OTHER)])
    await code().refreshAll()
    expect(code().root).toBe(shown)
    expect(code().roots?.some(({ path }) => path === shown)).toBe(true)
  })

  test('is asked about before the page goes, in whichever folder it is', async () => {
    const leaves = () => {
      const event = new Event('beforeunload', { cancelable: true })
      window.dispatchEvent(event)
      return !event.defaultPrevented
    }
    await turn(OTHER)
    expect(leaves()).toBe(false)
    await turn(ROOT)
    code().setUnsaved('a.rs', null)
    expect(leaves()).toBe(true)
  })
})

test('a list that was asked for before a folder was opened does not lead away from it', async () => {
  let late = () => {}
  routes['GET /api/code/root'] = () => new Promise((resolve) => (late = () => resolve(json({ current: ROOT, roots: [root()] }))))
  const asking = code().refreshRoots()
  await turn(OTHER)
  late()
  await asking
  expect(code()).toMatchObject({ root: OTHER, roots: [{ path: OTHER }, { path: ROOT }] })
})

test('what changes in another folder is no reason to read this one', async () => {
  const { receive: tell } = code()
  const [refreshRoots, refreshAll] = [vi.fn(), vi.fn()]
  useCodeStore.setState({ refreshRoots, refreshAll })
  tell({ action: 'code_changed', root: OTHER })
  expect([refreshRoots.mock.calls, refreshAll.mock.calls]).toEqual([[[]], []])
  tell({ action: 'code_changed', root: ROOT })
  expect(refreshAll).toHaveBeenCalledOnce()
})

test('of changes in many folders, those in this one are seen', async () => {
  await vi.waitFor(() => expect(code().files).not.toBeNull())
  routes['GET /api/code/files'] = () => json({ files: codeFiles('a.rs', 'new.rs'), more: false })
  rootsAre(OTHER, [root(OTHER), root(ROOT, { index: { state: 'ready', files: 2, symbols: 9 } })])
  receive({ action: 'code_changed', root: OTHER })
  receive({ action: 'code_changed', root: ROOT })
  await vi.waitFor(() => expect(code().files).toHaveLength(2))
  expect(code().roots?.find(({ path }) => path === ROOT)?.index).toEqual({ state: 'ready', files: 2, symbols: 9 })
})

test('how much was read is read again with the files', async () => {
  await code().refreshFiles()
  rootsAre(ROOT, [root(ROOT, { index: { state: 'ready', files: 5, symbols: 6 } })])
  await code().refreshFiles()
  await vi.waitFor(() => expect(code().roots?.[0]?.index).toEqual({ state: 'ready', files: 5, symbols: 6 }))
})

test('a proposal is tried where it would land', async () => {
  routes['GET /api/code/proposals/p1'] = () => json(proposal('p1', [], { root: OTHER }))
  await code().openReview('p1')
  await code().verify('p1')
  expect(folders('POST /api/code/verify')).toEqual([OTHER])
})

test('a folder that is taken off the list here gives way to the one used before', async () => {
  routes[`DELETE /api/code/root?path=${encodeURIComponent(ROOT)}`] = () => new Response(null, { status: 204 })
  rootsAre(OTHER, [root(OTHER)])
  await code().forgetFolder(ROOT)
  expect(code()).toMatchObject({ root: OTHER, roots: [{ path: OTHER }] })
})
