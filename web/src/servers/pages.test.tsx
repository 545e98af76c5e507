import '@/testkit/browser'
import { act as settle } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { useStore } from '@/store'
import { receive } from '@/store/boot'
import { button, clear, draw, press } from '@/testkit/draw'
import { requests, routes, json, refusal, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { server, serverTool } from '@/testkit/tools'
import AddServerDialog from './AddServerDialog'
import ServersPage from './ServersPage'
import { useServerStore } from './useServerStore'

const WHOLE = { level: 'full', missing: [] }
const AT = '2026-11-14T20:00:00Z'
const MADE = { digest: 'd', autoStart: false, wantsNetwork: false, hosts: [], createdAt: AT, changedAt: AT, versions: [] }

beforeEach(() => {
  serve()
  freshStores({ route: { page: 'servers' } })
})

afterEach(async () => {
  await clear()
  vi.unstubAllGlobals()
})

const text = () => document.body.textContent
const has = (servers: unknown[], sandbox: unknown = WHOLE, more: object = {}) => {
  routes['GET /api/mcp/servers'] = () => json({ servers, sandbox, deleted: [], ...more })
}
const show = async (name?: string) => {
  useStore.setState({ route: name === undefined ? { page: 'servers' } : { page: 'servers', name } })
  await draw(<ServersPage />)
}
const write = (field: Element | null, value: string) =>
  settle(async () => {
    const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
    Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(field, value)
    field?.dispatchEvent(new Event('input', { bubbles: true }))
  })
const sent = (method: string) => requests.filter(({ route }) => route.startsWith(method)).map(({ route, body }) => [route, body])

describe('the list of the servers', () => {
  test('says what one is where there is none, and offers to add one', async () => {
    has([])
    await show()
    expect(text()).toContain('No servers yet')
    await press('Add a server')
    expect(useStore.getState().overlay).toEqual({ kind: 'addServer' })
  })

  test.each([
    ['full', 'or ask her to write one.', 'some she writes'],
    ['partial', 'or ask her to write one.', 'some she writes'],
    ['none', 'Pick one from the list.', 'Programs that give her more tools. None runs'],
  ])('offers what can be had where the sandbox is %s', async (level, none, some) => {
    has([], { level, missing: [] })
    await show()
    expect(text()).toContain(none)
    has([server('a')], { level, missing: [] })
    await settle(async () => useServerStore.getState().refreshServers())
    expect(text()).toContain(some)
  })

  test('tells how each is, whose it is, and how well programs are held', async () => {
    const trouble = 'exit code 1'
    has(
      [server('a', { state: 'asking' }), server('b', { tools: [serverTool('x', { standing: 'new' }), serverTool('y')], asks: 'sum' }), server('c', { state: 'failed', trouble }), server('d', { kind: 'made', state: 'resting', description: 'Rolls dice.' })],
      { level: 'partial', missing: ['landlock is missing: use a kernel from 5.13 on'] },
    )
    await show()
    const shelf = (name: string) => document.querySelector(`section[aria-label="${name}"]`)?.textContent
    for (const part of ['needs your approval', 'ready', 'changed, needs approval', '2 tools', 'failed', 'Exit code 1.']) expect(shelf('Connected')).toContain(part)
    expect(shelf('Written by her')).toContain('Rolls dice.idle')
    expect(shelf('Sandbox')).toMatch(/partly working.*Landlock is missing/)
    routes['POST /api/mcp/servers/c/start'] = () => json({ servers: [server('c', { state: 'starting' })], sandbox: WHOLE })
    await press('Start c again')
    expect(text()).toContain('starting')
  })

  test('warns where those that she wrote cannot be listed, and shows the others', async () => {
    has([server('a')], WHOLE, { trouble: 'manifest.json cannot be understood' })
    await show()
    expect(document.querySelector('[role=alert]')?.textContent).toContain('manifest.json cannot be understood.')
    expect(text()).toContain('ready')
  })

  test('is read again where it changes while it is being read, and an answer that was overtaken does not count', async () => {
    const answers: ((response: Response) => void)[] = []
    routes['GET /api/mcp/servers'] = () => new Promise<Response>((resolve) => answers.push(resolve))
    await show()
    await settle(async () => receive({ action: 'tools_changed' }))
    expect(answers).toHaveLength(2)
    await settle(async () => answers[1]?.(json({ servers: [server('a')], sandbox: WHOLE, deleted: [] })))
    await settle(async () => answers[0]?.(json({ servers: [server('a', { state: 'starting' })], sandbox: WHOLE, deleted: [] })))
    expect(text()).toContain('ready')
  })

  test('is read again when the server says that it changed', async () => {
    has([server('a', { state: 'starting' })])
    await show()
    has([server('a')])
    await settle(async () => receive({ action: 'tools_changed' }))
    expect(text()).toContain('ready')
  })
})

describe('a server', () => {
  test('is let in as it was shown, and not as it has become since', async () => {
    has([server('notes', { state: 'asking', asks: 'sum' })])
    await show('notes')
    expect(text()).toContain('May it run?')
    routes['POST /api/mcp/servers/notes/approve'] = () => refusal(409, 'conflict', 'it has changed since you were shown it')
    await press('Approve')
    expect(text()).toContain('It has changed since you were shown it.')
    routes['POST /api/mcp/servers/notes/approve'] = () => json({ servers: [server('notes')], sandbox: WHOLE })
    await press('Approve')
    expect(sent('POST').at(-1)).toEqual(['POST /api/mcp/servers/notes/approve', { seen: 'sum' }])
    expect(button('Approve')).toBeUndefined()
  })

  test('that changed before the yes says so beside what it is by then, and no longer than that stands', async () => {
    const asking = (asks: string) => server('dice', { kind: 'made', state: 'asking', asks, made: MADE })
    has([asking('one')])
    routes['GET /api/mcp/servers/dice/source'] = () => json({ code: 'b', before: 'a', describedBefore: null, wantedNetworkBefore: null })
    await show('dice')
    routes['POST /api/mcp/servers/dice/approve'] = () => {
      has([asking('two')])
      routes['GET /api/mcp/servers/dice/source'] = () => json({ code: 'c', before: 'a', describedBefore: null, wantedNetworkBefore: null })
      return refusal(409, 'conflict', 'it has changed since you were shown it. Look at it again')
    }
    button('Approve')?.focus()
    await press('Approve')
    expect(document.querySelector('[role=alert]')?.textContent).toBe('It has changed since you were shown it. Look at it again.')
    expect(document.querySelector('[aria-label="What changed"]')?.textContent).toContain('added: c')
    expect(document.activeElement).toBe(button('Approve'))
    has([asking('three')])
    await settle(async () => receive({ action: 'tools_changed' }))
    expect(document.querySelector('[role=alert]')).toBeNull()
    await press('Approve')
    expect(sent('POST').at(-1)?.[1]).toEqual({ seen: 'three' })
  })

  test('of hers is not let in with hosts that are none, which are kept to be mended', async () => {
    has([server('dice', { kind: 'made', state: 'asking', asks: 'sum', made: { ...MADE, wantsNetwork: true } })])
    routes['GET /api/mcp/servers/dice/source'] = () => json({ code: 'a', before: null, describedBefore: null, wantedNetworkBefore: null })
    routes['POST /api/mcp/servers/dice/approve'] = () => json({ servers: [], sandbox: WHOLE })
    await show('dice')
    const field = () => document.querySelector<HTMLInputElement>('input[placeholder="api.example.org"]')
    await write(field(), 'a.example, http://bad/')
    await press('Approve')
    expect(document.querySelector('[role=alert]')?.textContent).toMatch(/^http:\/\/bad\/ is not a host/)
    expect([field()?.value, field()?.getAttribute('aria-invalid'), document.activeElement === field()]).toEqual(['a.example, http://bad/', 'true', true])
    expect(sent('POST')).toEqual([])
    await write(field(), 'a.example')
    expect(document.querySelector('[role=alert]')).toBeNull()
    await press('Approve')
    expect(sent('POST').at(-1)?.[1]).toEqual({ seen: 'sum', hosts: ['a.example'] })
  })

  test.each([
    ['ready', ['Stop']],
    ['starting', ['Stop']],
    ['failing', ['Start again', 'Stop']],
    ['failed', ['Start again']],
    ['resting', ['Start']],
    ['asking', []],
  ] as const)('that is %s can be told to %s', async (state, buttons) => {
    has([server('notes', { state })])
    await show('notes')
    expect(['Start', 'Start again', 'Stop'].filter((name) => button(name))).toEqual(buttons)
    if (!button('Stop')) return
    routes['POST /api/mcp/servers/notes/stop'] = () => json({ servers: [server('notes', { state: 'resting' })], sandbox: WHOLE })
    await press('Stop')
    expect(text()).toContain('idle')
  })

  test('warns on its own page, too, where those that she wrote cannot be listed', async () => {
    has([server('notes')], WHOLE, { trouble: 'manifest.json cannot be understood' })
    await show('notes')
    expect(document.querySelector('[role=alert]')?.textContent).toContain('manifest.json cannot be understood.')
    expect(text()).toContain('ready')
    has([server('notes')])
    await press('Look again')
    expect(text()).not.toContain('manifest.json')
  })

  test('that offers something else shows what changed first, and what it takes', async () => {
    const parameters = { properties: { path: { type: 'string', description: 'Where.' } }, required: ['path'] }
    has([server('notes', { asks: 'sum', tools: [serverTool('a'), serverTool('b', { standing: 'changed', was: 'Reads.', description: 'Reads. Sends.', parameters })] })])
    await show('notes')
    const [first] = document.querySelectorAll('section[aria-label="Tools"] > ul > li')
    expect(first?.querySelector('ins')?.textContent).toContain('Sends.')
    await press('Arguments: b')
    expect(first?.textContent).toContain('path Where.')
    routes['POST /api/mcp/servers/notes/approve'] = () => json({ servers: [], sandbox: WHOLE })
    await press('Approve these')
    expect(sent('POST').at(-1)?.[1]).toEqual({ seen: 'sum' })
  })

  test('of hers shows what is different, and is let in with the hosts that are named', async () => {
    has([server('dice', { kind: 'made', state: 'asking', asks: 'sum', description: 'Sends dice.', made: { ...MADE, wantsNetwork: true, hosts: ['a.example', 'b.example'] } })])
    routes['GET /api/mcp/servers/dice/source'] = () => json({ code: 'a\nc\n', before: 'a\nb\n', describedBefore: 'Rolls dice.', wantedNetworkBefore: false })
    await show('dice')
    expect(document.querySelector('[aria-label="What changed"]')?.textContent).toContain('removed: b')
    expect(document.querySelector('section[aria-label="Waiting for your approval"] del')?.textContent).toContain('Rolls')
    expect(text()).toContain('It now asks for network access.')
    routes['POST /api/mcp/servers/dice/approve'] = () => json({ servers: [], sandbox: WHOLE })
    await press('Approve')
    expect(sent('POST').at(-1)?.[1]).toEqual({ seen: 'sum', hosts: ['a.example', 'b.example'] })
  })

  test('of hers whose description alone was changed is not shown with changes of its code', async () => {
    has([server('dice', { kind: 'made', state: 'asking', asks: 'sum', description: 'Sends dice.', made: MADE })])
    routes['GET /api/mcp/servers/dice/source'] = () => json({ code: 'a', before: 'a', describedBefore: 'Rolls dice.', wantedNetworkBefore: null })
    await show('dice')
    expect(text()).toContain('Its code is the same.')
    expect(document.querySelector('[aria-label="What changed"]')).toBeNull()
  })

  test('of hers goes back to an earlier version', async () => {
    const versions = ['1', '2'].map((id) => ({ id, at: AT, note: 'made' }))
    has([server('dice', { kind: 'made', state: 'resting', made: { ...MADE, versions } })])
    routes['GET /api/mcp/servers/dice/source'] = () => json({ code: 'b', before: 'a', describedBefore: null, wantedNetworkBefore: null })
    for (const id of ['1', '2']) routes[`GET /api/mcp/servers/dice/versions/${id}`] = () => json({ code: id, before: null })
    await show('dice')
    // On a phone each select has a line of its own, and code wraps as its diff does.
    expect(document.querySelector('select[aria-label="From version"]')?.parentElement?.parentElement?.className).toContain('grid-cols-[auto_minmax(0,1fr)]')
    expect(document.querySelector('section[aria-label=Source] figure')?.parentElement?.className).toContain('max-sm:[&_pre]:whitespace-pre-wrap')
    routes['POST /api/mcp/servers/dice/versions/1/restore'] = () => json({ servers: [server('dice', { kind: 'made', state: 'asking', asks: 'sum', made: MADE })], sandbox: WHOLE, deleted: [] })
    await press('Go back to version 1')
    expect(text()).toContain('It was changed since you approved it')
  })

  test('of hers is given other hosts without waiting for a yes', async () => {
    const reaching = (hosts: string[]) => server('dice', { kind: 'made', state: 'resting', made: { ...MADE, wantsNetwork: true, hosts } })
    has([reaching(['a.example'])])
    await show('dice')
    await press('Change')
    const field = () => document.querySelector<HTMLInputElement>('input[placeholder="api.example.org"]')
    expect([field()?.value, document.activeElement === field()]).toEqual(['a.example', true])
    await write(field(), 'http://bad/')
    await press('Save')
    expect(field()?.getAttribute('aria-invalid')).toBe('true')
    routes['POST /api/mcp/servers/dice/approve'] = () => json({ servers: [reaching(['b.example'])], sandbox: WHOLE, deleted: [] })
    await write(field(), 'b.example')
    await press('Save')
    expect(sent('POST').at(-1)?.[1]).toEqual({ seen: MADE.digest, hosts: ['b.example'] })
    expect(field()).toBeNull()
    expect(text()).toContain('b.example')
  })

  test('of hers says how well it is held', async () => {
    for (const [level, words] of [['full', 'sees only its own folder'], ['partial', 'changes only its own folder'], ['none', 'does not run']] as const) {
      has([server('dice', { kind: 'made', state: 'resting', made: MADE })], { level, missing: [] })
      await show('dice')
      expect(text()).toContain(words)
      await clear()
    }
  })

  test('of hers that she took away can be had back from the list', async () => {
    const dice = server('dice', { kind: 'made', state: 'resting', made: MADE })
    has([], WHOLE, { deleted: [{ name: 'dice', description: 'Rolls dice.' }] })
    await show()
    routes['POST /api/mcp/servers/dice/restore'] = () => refusal(409, 'conflict', 'another server is named dice now')
    await press('Restore dice')
    expect(useStore.getState().notices.at(-1)?.text).toContain('Another server is named dice now')
    routes['POST /api/mcp/servers/dice/restore'] = () => json({ servers: [dice], sandbox: WHOLE, deleted: [] })
    await press('Restore dice')
    expect(text()).toContain('Written by her')
    expect(button('Restore dice')).toBeUndefined()
  })

  test('is looked at again when it is walked to', async () => {
    has([server('notes', { state: 'starting' })])
    await show()
    has([server('notes', { state: 'failed', trouble: 'exit code 1' })])
    await settle(async () => useStore.setState({ route: { page: 'servers', name: 'notes' } }))
    expect(text()).toContain('Exit code 1.')
  })

  test('of hers that is taken away can be had back', async () => {
    const dice = server('dice', { kind: 'made', state: 'resting', made: MADE })
    has([dice])
    await show('dice')
    routes['DELETE /api/mcp/servers/dice'] = () => new Response(null, { status: 204 })
    has([])
    await press('Remove')
    expect(text()).toContain('No servers yet')
    routes['POST /api/mcp/servers/dice/restore'] = () => json({ servers: [dice], sandbox: WHOLE })
    await settle(async () => useStore.getState().notices.at(-1)?.action?.run())
    expect(text()).toContain('dice')
  })

  test('that wants a sign-in leads to its page, and says so when there is none', async () => {
    const open = vi.fn()
    vi.stubGlobal('open', open)
    has([server('docs', { state: 'locked', signIn: 'wanted' })])
    await show('docs')
    expect(text()).toContain('Sign-in needed')
    routes['POST /api/mcp/servers/docs/sign-in'] = () => refusal(502, 'service_unreachable', 'signing in did not work: nobody is there')
    await press('Sign in')
    expect(text()).toContain('Signing in did not work: nobody is there.')
    expect(open).not.toHaveBeenCalled()
    routes['POST /api/mcp/servers/docs/sign-in'] = () => json({ url: 'https://there.example/authorize?state=x' })
    await press('Sign in')
    expect(open).toHaveBeenCalledWith('https://there.example/authorize?state=x', '_blank', 'noopener')
    expect(document.querySelector<HTMLAnchorElement>('a[target=_blank]')?.href).toBe('https://there.example/authorize?state=x')
    has([server('docs', { signIn: 'done' })])
    await settle(async () => receive({ action: 'tools_changed' }))
    expect(button('Sign in')).toBeUndefined()
    routes['DELETE /api/mcp/servers/docs/sign-in'] = () => json({ servers: [server('docs', { state: 'locked', signIn: 'wanted' })], sandbox: WHOLE })
    await press('Sign out')
    expect(button('Sign in')).toBeDefined()
  })

  test('that needs more rights says so, and still runs', async () => {
    has([server('docs', { signIn: 'more' })])
    await show('docs')
    expect(text()).toContain('It needs more permissions')
    expect(button('Sign in again')).toBeDefined()
    expect(button('Stop')).toBeDefined()
  })

  test('that is not there any more says so', async () => {
    has([])
    await show('gone')
    expect(text()).toContain('There is no server with this name.')
  })
})

test('what is pasted without a name asks for one, and is added under it', async () => {
  useServerStore.setState({ servers: [server('taken')] })
  await draw(<AddServerDialog />)
  await way('Paste JSON')
  await write(document.querySelector('textarea'), '{"command": "uvx", "args": ["x"]}')
  await press('Add and connect')
  expect(document.querySelector('[role=alert]')?.textContent).toBe('Give it a short name.')
  await write(document.querySelector('input[placeholder=calendar]'), 'taken')
  await press('Add and connect')
  expect(document.querySelector('[role=alert]')?.textContent).toBe('There is a server named taken already.')
  routes['POST /api/mcp/servers'] = () => json({ servers: [server('time')], sandbox: WHOLE })
  await write(document.querySelector('input[placeholder=calendar]'), 'time')
  await press('Add and connect')
  expect(sent('POST')).toEqual([['POST /api/mcp/servers', { name: 'time', server: { command: 'uvx', args: ['x'] } }]])
  expect(useStore.getState().route).toEqual({ page: 'servers', name: 'time' })
})

const way = (title: string) => settle(async () => [...document.querySelectorAll('label')].find((label) => label.textContent === title)?.querySelector('input')?.click())
const pick = (title: string) => settle(async () => [...document.querySelectorAll('label')].find((label) => label.textContent?.startsWith(title))?.querySelector('input')?.click())

describe('a known server', () => {
  test('is chosen from the list first of all, and added with one click', async () => {
    useServerStore.setState({ servers: [server('time')] })
    await draw(<AddServerDialog />)
    for (const title of ['Files', 'Git', 'Time', 'Fetch', 'Browser']) expect(document.body.textContent).toContain(title)
    await press('Add and connect')
    expect(document.querySelector('[role=alert]')?.textContent).toBe('Choose a server from the list first.')
    await pick('Time')
    routes['POST /api/mcp/servers'] = () => json({ servers: [server('time'), server('time-2')], sandbox: WHOLE })
    await press('Add and connect')
    expect(sent('POST')).toEqual([['POST /api/mcp/servers', { name: 'time-2', server: { command: 'uvx', args: ['mcp-server-time'] } }]])
  })

  test.each([
    ['Time', 'uv has to be installed on the machine that runs Perigee.', 'https://docs.astral.sh/uv/getting-started/installation/'],
    ['Browser', 'Node has to be installed on the machine that runs Perigee.', 'https://nodejs.org/en/download'],
    ['Notion', null, null],
  ])('says what has to be installed for it, and where to get it: %s', async (title, words, page) => {
    useServerStore.setState({ servers: [] })
    await draw(<AddServerDialog />)
    expect(document.body.textContent).not.toContain('has to be installed')
    await pick(title)
    const link = document.querySelector<HTMLAnchorElement>('fieldset a')
    expect(link?.href ?? null).toBe(page)
    expect(link?.closest('p')?.textContent?.startsWith(words ?? '') ?? null).toBe(words === null ? null : true)
  })

  test('that works in a folder asks for it, and leaves the main button the only one that stands out', async () => {
    routes['GET /api/code/folders'] = () => json({ path: '/home/ada', parent: '/home', folders: [{ name: 'letters', path: '/home/ada/letters', project: false }], more: false })
    routes['GET /api/code/folders?path=%2Fhome%2Fada%2Fletters'] = () => json({ path: '/home/ada/letters', parent: '/home/ada', folders: [], more: false })
    useServerStore.setState({ servers: [] })
    await draw(<AddServerDialog />)
    await pick('Files')
    expect([...document.querySelectorAll('button.bg-accent')].map((found) => found.textContent)).toEqual(['Add and connect'])
    await press('Add and connect')
    expect(document.querySelector('[role=alert]')?.textContent).toBe('Choose a folder for it first.')
    await settle(async () => [...document.querySelectorAll('button')].find((found) => found.textContent?.startsWith('letters'))?.click())
    await press('Use this folder')
    routes['POST /api/mcp/servers'] = () => json({ servers: [server('files')], sandbox: WHOLE })
    await press('Add and connect')
    expect(sent('POST').at(-1)).toEqual(['POST /api/mcp/servers', { name: 'files', server: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/home/ada/letters'] } }])
  })
})
