import '@/testkit/browser'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { useStore } from '@/store'
import { codeFiles, proposal, root, ROOT } from '@/testkit/code'
import { clear, draw, press } from '@/testkit/draw'
import { requests, routes, json, serve, summary } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import HistoryView from './HistoryView'
import { useCodeStore } from './useCodeStore'
import { Terminal } from './Terminal'

const CHAT = '0000000000abc'
const code = () => useCodeStore.getState()
const text = () => document.body.textContent ?? ''
const settle = () => act(async () => {})
const until = (check: () => void) =>
  vi.waitFor(async () => {
    await settle()
    check()
  }, 20_000)
const key = (name: string, target: Element | null | undefined) =>
  act(async () => {
    target?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }))
  })
const type = (field: HTMLInputElement | null, value: string) =>
  act(async () => {
    if (!field) throw new Error('there is no such field')
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })

beforeEach(() => {
  localStorage.clear()
  serve()
  vi.stubGlobal('matchMedia', (media: string) => ({ media, matches: media.includes('min-width'), addEventListener: () => {}, removeEventListener: () => {} }))
  freshStores({ session: 'in', codeChat: null, route: { page: 'code' } })
  useCodeStore.setState({ ...useCodeStore.getInitialState(), commandHistory: [] }, true)
  routes['GET /api/code/root'] = () => json({ current: ROOT, roots: [root()] })
  routes['GET /api/code/files'] = () => json({ files: codeFiles('README.md', 'src/main.rs'), more: false })
  routes['GET /api/code/proposals'] = () => json({ proposals: [] })
})

afterEach(async () => {
  // A running turn would send its events into the next test.
  useStore.getState().unfollowAll()
  await clear()
  vi.unstubAllGlobals()
})

describe('the terminal', () => {
  beforeEach(async () => {
    await code().refreshRoots()
    await vi.waitFor(() => expect(code().files).not.toBeNull())
  })
  const line = () => document.querySelector<HTMLInputElement>('input[aria-label=Command]')

  test('leads to what an error names, and brings back what was run', async () => {
    useCodeStore.setState({ commandHistory: ['cargo test', 'ls'], commands: [{ id: 1, root: ROOT, command: 'cargo build', status: 'failed', output: '\u001b[31merror\u001b[0m\n --> src/main.rs:5:2\n --> other.rs:5\n', ms: 12, chat: null }] })
    await draw(<Terminal />)
    expect(document.querySelector('pre')?.textContent).toBe('error\n --> src/main.rs:5:2\n --> other.rs:5')
    await act(async () => document.querySelector<HTMLAnchorElement>('pre a')?.click())
    expect(useStore.getState().route).toEqual({ page: 'code', view: 'file', item: 'src/main.rs', line: 5 })
    await type(line(), 'half')
    await key('ArrowUp', line())
    await key('ArrowUp', line())
    expect(line()?.value).toBe('ls')
    await key('ArrowDown', line())
    await key('ArrowDown', line())
    expect(line()?.value).toBe('half')
  })

  test('shows a check where it happened, with what it complains of', async () => {
    const command = (id: number, name: string) => ({ id, root: ROOT, command: name, status: 'done' as const, output: '', ms: 1, chat: null })
    const stage = { stage: 'test' as const, command: 'cargo test', ok: false, output: 'boom', errors: [{ file: 'src/main.rs', line: 5, message: 'not so' }] }
    useCodeStore.setState({ commands: [command(1, 'first'), command(2, 'second')], checks: { '': { running: false, stages: [stage], trouble: null, summary: 'It failed', after: 1, chat: null } } })
    await draw(<Terminal />)
    const log = document.querySelector('[role=log]')?.textContent ?? ''
    expect(['first', 'cargo test', 'not so', 'second'].map((words) => log.indexOf(words))).toEqual([...['first', 'cargo test', 'not so', 'second'].map((words) => log.indexOf(words))].sort((one, other) => one - other))
    expect(log).not.toContain('It failed')
    await press('Clear')
    expect([code().commands, code().checks]).toEqual([[], {}])
  })

  test('hands what failed to her', async () => {
    routes['POST /api/chats/new'] = () => json(summary(CHAT))
    useCodeStore.setState({ commands: [{ id: 1, root: ROOT, command: 'cargo build', status: 'failed', output: 'boom', ms: 12, chat: null }] })
    await draw(<Terminal />)
    await press('Fix it')
    await until(() => expect(requests.find(({ route }) => route === 'POST /api/code/stream')?.body).toMatchObject({ mode: 'repair', lastError: '$ cargo build\nboom', root: ROOT }))
  })
})

test('the history leads back only after it was asked twice', async () => {
  await code().refreshRoots()
  routes['GET /api/code/history'] = () => json({ proposals: [proposal('p1', [], { status: 'applied', canUndo: true, title: 'A week' })], notes: [{ kind: 'failure', text: 'needs --offline', createdAt: 0 }], checkpoints: [{ id: 'k1', label: 'Before a week', createdAt: 0 }] })
  routes['POST /api/code/checkpoints/k1/restore'] = () => json({})
  await code().refreshHistory()
  await draw(<HistoryView />)
  for (const words of ['A week', 'applied', 'needs --offline', 'Before a week']) expect(text()).toContain(words)
  await press('Go back')
  expect(requests.some(({ route }) => route.endsWith('/restore'))).toBe(false)
  await press('Stay here')
  await press('Go back')
  await press('Go back', document.querySelector('[role=alertdialog]') as HTMLElement)
  await until(() => expect(useStore.getState().notices.at(-1)?.text).toBe('The files are restored.'))
})
