import '@/testkit/browser'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { useStore } from '@/store'
import { changed, codeFile, codeFiles, hunk, proposal, root, ROOT } from '@/testkit/code'
import { button, clear, draw, press } from '@/testkit/draw'
import { HOSTILE } from '@/testkit/hostile'
import { report } from '@/testkit/models'
import { requests, routes, json, refusal, serve, summary, turn, view } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { waiting } from '@/testkit/tools'
import { AgentPanel } from './AgentPanel'
import CodePage from './CodePage'
import CodeSide from './CodeSide'
import ReviewView from './ReviewView'
import { useCodeStore } from './useCodeStore'

vi.mock('./editor/Editor', () => ({ default: ({ file }: { file: { content: string } }) => <pre data-testid="editor">{file.content}</pre> }))

// The DOM of the tests does not scroll.
Element.prototype.scrollTo = () => {}
Element.prototype.scrollIntoView = () => {}

const CHAT = '0000000000abc'
const code = () => useCodeStore.getState()
const text = () => document.body.textContent ?? ''
const settle = () => act(async () => {})
const until = (check: () => void) =>
  vi.waitFor(async () => {
    await settle()
    check()
  }, 20_000)
/** Runs a function and waits for its effect on the store. */
const during = (work: () => void, check: () => void) =>
  act(async () => {
    work()
    await vi.waitFor(check, 20_000)
  })
const key = (name: string, target: Element | null | undefined, more: KeyboardEventInit = {}) =>
  act(async () => {
    target?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...more }))
  })
const type = (field: HTMLInputElement | HTMLTextAreaElement | null, value: string) =>
  act(async () => {
    if (!field) throw new Error('there is no such field')
    const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
    Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(field, value)
    field.setSelectionRange(value.length, value.length)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })

/** Stubs a screen as wide as a desktop's, or a phone's. */
function screen(wide: boolean): void {
  vi.stubGlobal('matchMedia', (media: string) => ({ media, matches: media.includes('min-width') ? wide : media.includes('max-width') ? !wide : false, addEventListener: () => {}, removeEventListener: () => {} }))
}

beforeEach(async () => {
  localStorage.clear()
  sessionStorage.clear()
  serve()
  screen(true)
  freshStores({ session: 'in', codeChat: null, route: { page: 'code' }, models: report({ current: { state: 'ready', name: 'm', context: 1, vision: false, tools: true } as never }) })
  useCodeStore.setState({ ...useCodeStore.getInitialState(), commandHistory: [] }, true)
  routes['GET /api/code/root'] = () => json({ current: ROOT, roots: [root(), root('/home/ada/sky')] })
  routes['GET /api/code/files'] = () => json({ files: codeFiles('README.md', 'src/main.rs', 'src/tide.rs', 'tests/all.rs'), more: false })
  routes['GET /api/code/proposals'] = () => json({ proposals: [] })
})

afterEach(async () => {
  // A running turn would send its events into the next test.
  useStore.getState().unfollowAll()
  await clear()
  vi.unstubAllGlobals()
})

describe('without a folder', () => {
  beforeEach(() => {
    routes['GET /api/code/root'] = () => json({ roots: [root('/home/ada/sky', { trouble: 'it is gone' })] })
  })

  const home = { path: '/home/ada', parent: '/home', folders: [{ name: 'letters', path: '/home/ada/letters', project: false }, { name: 'tide', path: '/home/ada/tide', project: true }], more: false }
  const row = (name: string) => [...document.querySelectorAll<HTMLButtonElement>('[aria-label="Folders here"] button')].find((found) => found.textContent?.startsWith(name))

  test('it offers those that were used and the folders of the machine, before a path is typed', async () => {
    routes['GET /api/code/folders'] = () => json(home)
    routes['GET /api/code/folders?path=%2Fhome%2Fada%2Ftide'] = () => json({ path: '/home/ada/tide', parent: '/home/ada', folders: [], more: false })
    await draw(<CodePage />)
    await until(() => expect(text()).toContain('Let’s write code.'))
    expect(text()).toContain('it is gone')
    expect(document.querySelector('form input')).toBeNull()
    await until(() => expect(row('tide')?.textContent).toContain('project'))
    await key('ArrowDown', document.querySelector('[aria-label="Folders here"]'))
    expect(document.activeElement).toBe(row('letters'))
    await act(async () => row('tide')?.click())
    await until(() => expect(text()).toContain('There are no folders here.'))
    routes['POST /api/code/root'] = () => refusal(400, 'badRequest', '`/home/ada/tide` is taken')
    await press('Open this folder')
    expect(requests.at(-1)).toMatchObject({ route: 'POST /api/code/root', body: { path: '/home/ada/tide' } })
    await until(() => expect(text()).toContain('/home/ada/tide is taken.'))
    await press('Up one folder')
    expect(requests.at(-1)?.route).toBe('GET /api/code/folders?path=%2Fhome%2Fada')
  })

  test('a folder that may not be looked into says why, and where one was stays', async () => {
    routes['GET /api/code/folders'] = () => json(home)
    routes['GET /api/code/folders?path=%2Fhome'] = () => refusal(400, 'badRequest', '/home: access is denied')
    await draw(<CodePage />)
    await until(() => expect(row('tide')).toBeDefined())
    await press('Up one folder')
    await until(() => expect(text()).toContain('/home: access is denied.'))
    expect(row('tide')).toBeDefined()
  })

  test('a path can be typed, and it says why one is refused', async () => {
    routes['GET /api/code/folders'] = () => json(home)
    routes['POST /api/code/root'] = () => refusal(400, 'badRequest', '`/` is the whole machine')
    await draw(<CodePage />)
    await until(() => expect(text()).toContain('Let’s write code.'))
    await press('Type a path instead')
    await type(document.querySelector('form input'), '/')
    await press('Open')
    await until(() => expect(text()).toContain('/ is the whole machine.'))
    expect(document.querySelector('form input')?.getAttribute('aria-invalid')).toBe('true')
  })

  test('it tells where the server does not answer, and asks again', async () => {
    routes['GET /api/code/root'] = () => refusal(503, 'shuttingDown', 'it is stopping')
    await draw(<CodePage />)
    await until(() => expect(document.querySelector('[role=alert]')?.textContent).toContain('It is stopping.'))
    routes['GET /api/code/root'] = () => json({ roots: [] })
    await press('Try again')
    await until(() => expect(text()).toContain('Let’s write code.'))
  })
})

describe('the files', () => {
  const rows = () => [...document.querySelectorAll('[role=treeitem]')]
  const names = () => rows().map((row) => row.textContent)
  const tree = () => document.querySelector('[role=tree]')
  const active = () => document.getElementById(tree()?.getAttribute('aria-activedescendant') ?? '')?.textContent
  beforeEach(async () => {
    await code().refreshRoots()
    await vi.waitFor(() => expect(code().files).not.toBeNull())
  })

  test('are gone through by key', async () => {
    await draw(<CodeSide />)
    expect(names()).toEqual(['src', 'tests', 'README.md'])
    await key('ArrowRight', tree())
    expect(names()).toEqual(['src', 'main.rs', 'tide.rs', 'tests', 'README.md'])
    expect(rows()[0]?.getAttribute('aria-expanded')).toBe('true')
    await key('ArrowRight', tree())
    expect(active()).toBe('main.rs')
    await key('End', tree())
    expect(active()).toBe('README.md')
    await key('t', tree())
    expect(active()).toBe('tide.rs')
    await key('Enter', tree())
    expect(useStore.getState().route).toEqual({ page: 'code', view: 'file', item: 'src/tide.rs' })
    await key('ArrowLeft', tree())
    expect(active()).toBe('src')
    await key('ArrowLeft', tree())
    expect(names()).toEqual(['src', 'tests', 'README.md'])
  })

  test('of ten thousand, only what is seen is drawn', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `m${index}.rs`)
    routes['GET /api/code/files'] = () => json({ files: codeFiles(...many), more: true })
    await code().refreshFiles()
    await draw(<CodeSide />)
    expect(rows().length).toBeLessThan(80)
    expect(rows()[0]?.getAttribute('aria-setsize')).toBe('10000')
    expect(text()).toContain('There are too many files to list them all')
  })

  test('are found by a few letters', async () => {
    await draw(<CodeSide />)
    await type(document.querySelector('input[aria-label="Find a file by its name"]'), 'mrs')
    expect(names()).toEqual(['main.rssrc'])
    await type(document.querySelector('input[aria-label="Find a file by its name"]'), 'zzz')
    expect(text()).toContain('No file by that name.')
  })

  test('that would change are marked', async () => {
    useCodeStore.setState({ proposals: [proposal('p1', [changed('src/main.rs', []), changed('tests/all.rs', [], { kind: 'deleted' })])] })
    await draw(<CodeSide />)
    expect(names()).toEqual(['src, something in it would change', 'tests, something in it would change', 'README.md'])
    await key('ArrowRight', tree())
    expect(names()[1]).toBe('main.rsM, would change')
  })

  test('that would be added stand where they would be, and lead to the changes', async () => {
    useCodeStore.setState({ proposals: [proposal('p1', [changed('src/lags.rs', [], { kind: 'added' })])] })
    await draw(<CodeSide />)
    await key('ArrowRight', tree())
    expect(names()[1]).toBe('lags.rsA, would be added')
    await act(async () => (rows()[1] as HTMLElement).click())
    expect(useStore.getState().route).toEqual({ page: 'code', view: 'review', item: 'p1' })
  })

  test('are ticked, to say what she may change', async () => {
    routes['POST /api/code/include'] = () => json({})
    await draw(<CodeSide />)
    await press('Choose what she may change')
    await act(async () => (rows()[1] as HTMLElement).click())
    expect(rows().map((row) => row.getAttribute('aria-checked'))).toEqual(['true', 'false', 'true'])
    await press('Save')
    expect(requests.find(({ route }) => route === 'POST /api/code/include')?.body).toEqual({ paths: ['README.md', 'src'], root: ROOT })
    expect(code().choosing).toBeNull()
  })

  test('of an empty folder say what to do', async () => {
    useCodeStore.setState({ files: [] })
    await draw(<CodeSide />)
    expect(text()).toContain('This folder is empty.')
  })
})

describe('the page', () => {
  test('opens the file of its address, and shows what is not saved', async () => {
    useStore.setState({ route: { page: 'code', view: 'file', item: 'src/main.rs' } })
    routes['GET /api/code/file?path=src%2Fmain.rs'] = () => json(codeFile('src/main.rs', 'fn main() {}'))
    await draw(<CodePage />)
    await until(() => expect(document.querySelector('[data-testid=editor]')?.textContent).toBe('fn main() {}'))
    expect(document.querySelector('[role=tab]')?.getAttribute('aria-selected')).toBe('true')
    await act(async () => code().setUnsaved('src/main.rs', { text: () => 'x' }))
    expect(document.querySelector('[role=tab]')?.textContent).toBe('main.rs, not saved')
    // The user is asked before unsaved content is lost.
    await key('Delete', document.querySelector('[role=tab]'))
    expect(document.querySelectorAll('[role=tab]')).toHaveLength(1)
    await act(async () => useStore.getState().notices.at(-1)?.action?.run())
    expect(document.querySelectorAll('[role=tab]')).toHaveLength(0)
    expect(text()).toContain('What shall we build?')
  })

  test('shows both ways out of a conflict', async () => {
    useStore.setState({ route: { page: 'code', view: 'file', item: 'a.rs' } })
    routes['GET /api/code/file?path=a.rs'] = () => json(codeFile('a.rs', 'one\n'))
    await draw(<CodePage />)
    await until(() => expect(code().buffers['a.rs']?.file).not.toBeNull())
    await act(async () => code().setUnsaved('a.rs', { text: () => 'mine\n' }))
    routes['GET /api/code/file?path=a.rs'] = () => json(codeFile('a.rs', 'theirs\n'))
    await act(async () => code().refreshBuffers())
    expect(document.querySelector('[role=alert]')?.textContent).toMatch(/changed on the disk.*still here.*mine.*theirs/)
    await press('Use the version on disk')
    await until(() => expect(document.querySelector('[data-testid=editor]')?.textContent).toBe('theirs\n'))
    expect(document.querySelector('[role=alert]')).toBeNull()
  })

  test('says so where a file is no text, or is not there', async () => {
    useStore.setState({ route: { page: 'code', view: 'file', item: 'moon.png' } })
    routes['GET /api/code/file?path=moon.png'] = () => json(codeFile('moon.png', '', { binary: true, bytes: 4200 }))
    await draw(<CodePage />)
    await until(() => expect(text()).toContain('This is not a text file'))
    await act(async () => useStore.getState().go({ page: 'code', view: 'file', item: 'gone.rs' }))
    await until(() => expect(document.querySelector('[role=tabpanel] [role=alert]')?.textContent).toContain('No route'))
    expect(button('Try again')).toBeDefined()
  })

  test('says why a file is refused, and does not offer to try what will not do', async () => {
    useStore.setState({ route: { page: 'code', view: 'file', item: 'big.sql' } })
    routes['GET /api/code/file?path=big.sql'] = () => refusal(400, 'badRequest', 'big.sql has more than 16 MB')
    await draw(<CodePage />)
    await until(() => expect(document.querySelector('[role=tabpanel] [role=alert]')?.textContent).toBe('big.sql has more than 16 MB.'))
    expect(button('Try again')).toBeUndefined()
  })

  test('is one pane at a time on a phone', async () => {
    screen(false)
    await draw(<CodePage />)
    await until(() => expect(document.querySelector('nav[aria-label=Panes]')).not.toBeNull())
    const panes = () => [...document.querySelectorAll('nav[aria-label=Panes] a')].map((link) => [link.textContent, link.getAttribute('aria-current')])
    expect(panes()).toEqual([['Files', null], ['Code', 'page'], ['Luna', null], ['Terminal', null]])
    await act(async () => useStore.getState().go({ page: 'code', view: 'terminal' }))
    expect(document.querySelector('section[aria-label=Terminal]')).not.toBeNull()
    expect(document.querySelector('textarea')).toBeNull()
    await act(async () => useStore.getState().go({ page: 'code', view: 'files' }))
    expect(document.querySelector('[role=tree]')).not.toBeNull()
  })

  test('goes to files and symbols by key', async () => {
    useStore.setState({ route: { page: 'code', view: 'file', item: 'a.rs' } })
    routes['GET /api/code/file?path=a.rs'] = () => json(codeFile('a.rs', 'x', { symbols: [{ name: 'level', kind: 'function', line: 7, endLine: 9 }] }))
    await draw(<CodePage />)
    await until(() => expect(code().buffers['a.rs']?.file).not.toBeNull())
    await key(';', document.body, { ctrlKey: true })
    expect([...document.querySelectorAll('[role=option]')].map((option) => option.textContent)).toEqual(['levelfunction7'])
    await key('Enter', document.querySelector('[role=combobox]'))
    expect(useStore.getState().route).toEqual({ page: 'code', view: 'file', item: 'a.rs', line: 7 })
    await until(() => expect(code().jump).toMatchObject({ path: 'a.rs', line: 7 }))
    await key('p', document.body, { ctrlKey: true })
    await type(document.querySelector('[role=combobox]'), 'tide')
    await key('Enter', document.querySelector('[role=combobox]'))
    expect(useStore.getState().route).toMatchObject({ item: 'src/tide.rs' })
  })
})

describe('a review', () => {
  const FILES = [changed('src/tide.rs', [hunk(1, 8, ' keep', '-let lag = 0.83;', '+let lag = 0.91;'), hunk(2, 30, '+more')]), changed('moon.png', [], { kind: 'binary' })]
  const verify = { outcome: 'failed' as const, summary: 'one test failed', steps: [{ stage: 'test' as const, command: 'cargo test', ok: false, output: 'boom', errors: [{ file: 'src/tide.rs', line: 9, message: 'not so' }, { file: 'tests/all.rs', line: 4, message: 'nor so' }], durationMs: 5 }] }
  const put = (more = {}) => {
    routes['GET /api/code/proposals/p1'] = () => json(proposal('p1', FILES, { verify, ...more }))
  }
  const show = async (more = {}) => {
    put(more)
    await code().openReview('p1')
    return draw(<ReviewView id="p1" />)
  }
  const changes = () => document.querySelector('[data-testid=changes]')
  const hunks = () => [...document.querySelectorAll('[data-change]')].map((one) => `${one.hasAttribute('data-active') ? '> ' : ''}${one.getAttribute('data-change')} ${one.getAttribute('data-choice') ?? ''}`.trim())

  test('is done by key alone', async () => {
    routes['POST /api/code/proposals/p1/apply'] = () => json(proposal('p1', FILES, { status: 'applied', canUndo: true }))
    await show()
    expect(hunks()).toEqual(['> 1 src/tide.rs', '2 src/tide.rs', 'moon.png'])
    await key('y', changes())
    await key('n', changes())
    expect(hunks()).toEqual(['1 src/tide.rs yes', '2 src/tide.rs no', '>  moon.png'])
    expect(button('Apply 2 of 3')).toBeDefined()
    await key('k', changes())
    await key('a', changes())
    expect(code().reviews['p1']?.choices).toEqual({ '1 src/tide.rs': 'yes', '2 src/tide.rs': 'yes' })
    await key('Enter', changes())
    await until(() => expect(text()).toContain('It is in your files.'))
    expect(requests.find(({ route }) => route.endsWith('/apply'))?.body).toEqual({})
  })

  test('takes no letter that is typed elsewhere', async () => {
    await show()
    const field = changes()?.appendChild(document.createElement('input'))
    await key('n', field)
    expect(code().reviews['p1']?.choices).toEqual({})
  })

  test('leads from what is wrong to the line in the change, or else to the file', async () => {
    await show()
    // The summary is not shown in addition to the errors.
    expect(text()).not.toContain('One test failed.')
    await act(async () => button('not sosrc/tide.rs:9')?.click())
    expect(document.querySelector('[data-found-line]')?.textContent).toContain('let lag = 0.91;')
    await act(async () => button('nor sotests/all.rs:4')?.click())
    expect(useStore.getState().route).toEqual({ page: 'code', view: 'file', item: 'tests/all.rs', line: 4 })
  })

  test('that is out of date cannot land before it is brought up to date', async () => {
    await show({ stale: ['src/tide.rs'] })
    expect(document.querySelector('[role=alert]')?.textContent).toContain('src/tide.rs has changed since she wrote this')
    expect(button('Apply all')?.disabled).toBe(true)
    routes['POST /api/code/proposals/p1/rebase'] = () => json(proposal('p1', FILES))
    await press('Update it')
    await until(() => expect(button('Apply all')?.disabled).toBe(false))
  })

  test.each([
    ['rejected', {}, 'These changes were rejected. No file was changed.'],
    ['applied', { canUndo: false }, 'It can no longer be undone'],
  ])('of one that is %s offers nothing more', async (status, more, words) => {
    await show({ status, ...more })
    expect(text()).toContain(words)
    expect(button('Take')).toBeUndefined()
  })

  test('shows a large change when it is asked for', async () => {
    const lines = Array.from({ length: 1300 }, (_, index) => `+line ${index}`)
    routes['GET /api/code/proposals/p2'] = () => json(proposal('p2', [changed('big.rs', [hunk(1, 1, ...lines)])]))
    await code().openReview('p2')
    await draw(<ReviewView id="p2" />)
    expect(document.querySelectorAll('.line')).toHaveLength(0)
    await press('A large change: 1,300 lines. Show it')
    expect(document.querySelectorAll('.line')).toHaveLength(240)
    await press('Show all 1,300 lines')
    expect(document.querySelectorAll('.line')).toHaveLength(1300)
  })

  test('lets nothing act that stands in a file', async () => {
    const hostile = [changed('<img src=x onerror="window.hit=1">.html', [hunk(1, 1, ...HOSTILE.flatMap((line) => line.split('\n')).map((line) => `+${line}`))])]
    routes['GET /api/code/proposals/p3'] = () => json(proposal('p3', hostile, { title: '<script>window.hit=1</script>' }))
    await code().openReview('p3')
    const host = await draw(<ReviewView id="p3" />)
    await settle()
    expect(host.querySelector('script, iframe, img, object, style, form, [onerror], [onclick]')).toBeNull()
    expect((window as { hit?: unknown }).hit).toBeUndefined()
  })
})

describe('the conversation about the code', () => {
  beforeEach(async () => {
    await Promise.all([import('@/chat/MessageList'), import('./RunParts')])
    routes['POST /api/chats/new'] = () => json(summary(CHAT, { title: 'A lag' }))
    await code().refreshRoots()
    await vi.waitFor(() => expect(code().files).not.toBeNull())
  })
  const field = () => document.querySelector('textarea')

  const answer = () => useStore.getState().conversations[CHAT]?.messages.at(-1)
  const sends = () => requests.filter(({ route }) => route === 'POST /api/code/stream')
  const tell = async (words: string) => {
    await type(field(), words)
    await during(
      () => field()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })),
      () => expect(sends()).not.toHaveLength(0),
    )
  }

  test('shows what she read, did, would change and checked, and leads to the review', async () => {
    const run = turn('t1', CHAT)
    routes['POST /api/code/stream'] = run.response
    routes['GET /api/code/proposals/p1'] = () => json(proposal('p1', []))
    await draw(<AgentPanel />)
    await tell('Change it')
    await during(
      () => {
        run.begin()
        run.emit({ type: 'context', files: [{ path: 'src/tide.rs', reasons: ['in view'] }], parts: [{ source: 'repo map', tokens: 1200, cut: true }] })
        run.emit({ type: 'tool', id: 'k1', name: 'search_replace', args: { path: 'src/tide.rs' }, status: 'done', ms: 4 })
        run.emit({ type: 'proposal', id: 'p1', files: [changed('src/tide.rs', [], { added: 3 })] })
        run.emit({ type: 'verify', stage: 'test', ok: false, output: 'boom', errors: [{ file: 'src/tide.rs', line: 3, message: 'not so' }] })
        run.say('There it is.')
      },
      () => expect(answer()?.content).toBe('There it is.'),
    )
    await settle()
    for (const words of ['There it is.', 'Looked at 1 file · 1,200 tokens', 'Changed the file src/tide.rs', '+3', 'Still working…', 'not so']) expect(text()).toContain(words)
    expect(button('Stop')).toBeDefined()
    await during(
      () => {
        run.emit({ type: 'meta', ok: true, summary: 'a lag of its own', files: ['src/tide.rs'], diffs: [], actions: [], durationMs: 2000, proposalId: 'p1', requiresApproval: true })
        run.end()
      },
      () => expect(useStore.getState().live).toEqual({}),
    )
    expect(text()).toContain('A lag of its own. Took 2.0 s')
    expect(document.querySelector('a[href="#/code/review/p1"]')?.textContent).toBe('Review')
    await press('Looked at 1 file · 1,200 tokens')
    expect(document.querySelector('[aria-label="Tokens by part"]')?.textContent).toBe('repo mapcut1,200')
    routes['POST /api/code/stream'] = turn('t2', CHAT).response
    await during(
      () => button('Fix it')?.click(),
      () => expect(sends().at(-1)?.body).toMatchObject({ mode: 'repair', lastError: expect.stringContaining('not so') as string }),
    )
  })

  test('names what still waits after a reload', async () => {
    routes[`GET /api/chats/${CHAT}`] = () => json(view(CHAT, []))
    routes['GET /api/code/proposals'] = () => json({ proposals: [proposal('p1', [], { title: 'A lag', conversationId: CHAT }), proposal('p0', [], { conversationId: 'other' })] })
    useStore.getState().showCodeChat(CHAT)
    await code().refreshProposals()
    await draw(<AgentPanel />)
    await until(() => expect(document.querySelector('a[href="#/code/review/p1"]')?.textContent).toBe('A lagto review'))
    expect(document.querySelector('a[href="#/code/review/p0"]')).toBeNull()
  })

  test('carries a plan out', async () => {
    const run = turn('t1', CHAT)
    routes['POST /api/code/stream'] = run.response
    await draw(<AgentPanel />)
    await act(async () => document.querySelector<HTMLInputElement>('input[value=plan]')?.click())
    await tell('Plan it')
    await during(
      () => {
        run.begin()
        run.emit({ type: 'plan', steps: Array.from({ length: 8 }, (_, index) => ({ title: `Step ${index + 1}`, status: 'pending' as const })) })
        run.say('Eight steps.')
        run.end()
      },
      () => {
        expect(answer()?.status).toBe('complete')
        expect(useStore.getState().live).toEqual({})
      },
    )
    await settle()
    expect(document.querySelectorAll('[data-step]')).toHaveLength(8)
    routes['POST /api/code/stream'] = turn('t2', CHAT).response
    await during(
      () => button('Do it')?.click(),
      () => expect(sends()).toHaveLength(2),
    )
    expect(sends().at(-1)?.body).toMatchObject({ mode: 'agent', planContext: expect.stringMatching(/^- \[ \] Step 1\n- \[ \] Step 2[^]*- \[ \] Step 8$/) as string })
    expect(code().mode).toBe('agent')
  })

  test('offers what can be brought along, and Enter picks before it sends', async () => {
    await draw(<AgentPanel />)
    await type(field(), 'Explain @tid')
    expect([...document.querySelectorAll('[role=option]')].map((option) => option.textContent)).toEqual(['tide.rssrc'])
    await key('Enter', field())
    expect(field()?.value).toBe('Explain @src/tide.rs ')
    expect(document.querySelector('[aria-label="Attached"]')?.textContent).toBe('tide.rs≈100 tokens')
    expect(requests.some(({ route }) => route === 'POST /api/code/stream')).toBe(false)
  })

  test('asks there what she may not do by herself', async () => {
    routes[`GET /api/chats/${CHAT}`] = () => json(view(CHAT, []))
    useStore.setState({ codeChat: CHAT, questions: [{ ...waiting('q1', CHAT), answering: null, trouble: null, heardAt: 0 }] })
    await draw(<AgentPanel />)
    await until(() => expect(button('AllowY')).toBeDefined())
  })

  test('says what is missing where there is no model', async () => {
    useStore.setState({ models: report() })
    await draw(<AgentPanel />)
    expect(text()).toContain('No model yet')
    await press('Choose a model')
    expect(useStore.getState().overlay).toEqual({ kind: 'models' })
  })

  test('that was deleted elsewhere gives way to a new one, with what was written in it', async () => {
    useStore.setState({ codeChat: CHAT })
    useStore.getState().setText(CHAT, 'Half a thou')
    routes[`GET /api/chats/${CHAT}`] = () => refusal(404, 'notFound', 'no such conversation')
    await draw(<AgentPanel />)
    await until(() => expect(useStore.getState().codeChat).toBeNull())
    expect(field()?.value).toBe('Half a thou')
  })
})
