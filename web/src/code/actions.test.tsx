import '@/testkit/browser'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { keyNames } from '@/actions/keys'
import { ACTIONS } from '@/actions/registry'
import { interpret } from '@/actions/slash'
import { entries } from '@/palette/entries'
import { useStore } from '@/store'
import { changed, codeFiles, proposal, root, ROOT } from '@/testkit/code'
import { clear, draw } from '@/testkit/draw'
import { serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { waiting } from '@/testkit/tools'
import { WaitingElsewhere } from '@/tools/WaitingElsewhere'
import { WORKSPACE_ACTIONS, workspaceActions } from './actions'
import { toPane } from './panes'
import { useCodeStore } from './useCodeStore'

const app = () => useStore.getState()
const CHAT = '0000000000abc'

beforeEach(() => {
  localStorage.clear()
  serve()
  freshStores({ session: 'in', codeChat: null, route: { page: 'code' } })
  useCodeStore.setState({ ...useCodeStore.getInitialState(), roots: [root()], root: ROOT, files: codeFiles('src/main.rs', 'src/tide.rs') }, true)
})

afterEach(async () => {
  await clear()
  vi.unstubAllGlobals()
})

describe('the palette', () => {
  const titles = (query: string) => entries(app(), query, []).map(({ group, title }) => `${group}: ${title}`)

  test('knows the files and what can be done, while one is in the workspace', () => {
    expect(titles('tide')).toContain('Files: tide.rs')
    expect(titles('terminal')).toContain('Actions: Show or hide the terminal')
    useStore.setState({ route: { page: 'memory' } })
    expect(titles('tide')).not.toContain('Files: tide.rs')
    expect(titles('terminal')).not.toContain('Actions: Show or hide the terminal')
  })

  test('leads to a file', () => {
    entries(app(), 'tide', []).find(({ title }) => title === 'tide.rs')?.run(app())
    expect(app().route).toEqual({ page: 'code', view: 'file', item: 'src/tide.rs' })
  })
})

describe('what can be done', () => {
  const ids = () => workspaceActions().map(({ id }) => id)

  test('is offered where it makes sense', () => {
    expect(ids()).not.toContain('review')
    expect(ids()).not.toContain('save')
    useCodeStore.setState({ proposals: [proposal('p1', [changed('a.rs', [])])], tabs: [{ kind: 'file', path: 'a.rs' }], tab: 'file a.rs' })
    expect(ids()).toEqual(expect.arrayContaining(['review', 'save', 'findSymbol', 'closeTab']))
    WORKSPACE_ACTIONS.find(({ id }) => id === 'review')?.run(useCodeStore.getState())
    expect(app().route).toEqual({ page: 'code', view: 'review', item: 'p1' })
    useCodeStore.setState({ root: null, tab: null, proposals: null })
    expect(ids()).toEqual([])
  })

  test('has keys of its own', () => {
    const keys = [...ACTIONS, ...WORKSPACE_ACTIONS].flatMap((action) => (action.keys ? [keyNames(action.keys).join('+')] : []))
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('is begun from any conversation by a word', () => {
    useStore.setState({ route: { page: 'new' } })
    const typed = interpret('/code mend the tides', app())
    if (typed.kind === 'run') typed.action.run(app(), typed.argument)
    expect(app()).toMatchObject({ route: { page: 'code', view: 'agent' }, drafts: { code: { text: 'mend the tides' } } })
  })
})

test.each([
  ['there is room', true, { page: 'code' }],
  ['there is none', false, { page: 'code', view: 'terminal' }],
])('where %s, a pane is a step in the history only if it takes the place of another', (_, room, route) => {
  vi.stubGlobal('matchMedia', (media: string) => ({ media, matches: media.includes('min-width') ? room : !room, addEventListener: () => {}, removeEventListener: () => {} }))
  toPane('terminal')
  expect(app().route).toEqual(route)
  expect(useCodeStore.getState().terminalShown).toBe(room)
})

test.each([
  [{ page: 'memory' as const }, true],
  [{ page: 'code' as const }, false],
  [{ page: 'code' as const, view: 'terminal' as const }, false],
])('on %o, what is asked in the workspace is told of: %s', async (route, told) => {
  useStore.setState({ route, codeChats: [CHAT], questions: [{ ...waiting('q1', CHAT), answering: null, trouble: null, heardAt: 0 }] })
  await draw(<WaitingElsewhere />)
  expect(document.querySelector('a[href="#/code/agent"]')?.textContent ?? null).toBe(told ? 'the workspace' : null)
})
