import '@/testkit/browser'
import { act as settle } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import SkillsPage from '@/skills/SkillsPage'
import { useStore } from '@/store'
import { button, clear, draw, press } from '@/testkit/draw'
import { requests, routes, json, refusal, serve, summary } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { auditEntry, skill, tool } from '@/testkit/tools'
import AuditPage from './AuditPage'
import ToolsPage from './ToolsPage'


beforeEach(() => {
  serve()
  freshStores()
})

afterEach(async () => {
  await clear()
  vi.unstubAllGlobals()
})

const text = () => document.body.textContent
const type = (label: string, value: string) =>
  settle(async () => {
    const field = document.querySelector<HTMLInputElement>(`input[aria-label="${label}"]`)
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
    field?.dispatchEvent(new Event('input', { bubbles: true }))
  })

describe('the page of the tools', () => {
  const off = { key: 'builtin_tools.web_search.enabled', about: '', kind: 'switch' as const, choices: [], value: false, default: false, from: 'default', effective: true }

  beforeEach(() => {
    useStore.setState({ route: { page: 'tools' } })
    routes['GET /api/tools'] = () =>
      json({
        tools: [
          tool('web_search', { group: 'web_search', on: false, risk: 'safe', sendsOut: true, bringsUntrusted: true, permission: 'allow', defaultPermission: 'allow' }),
          tool('open', { permission: 'allow' }),
          tool('memory_read', { group: 'memory', readsPrivate: true }),
          tool('memory_create', { group: 'memory', on: false, changes: true }),
        ],
      })
    routes['GET /api/permissions'] = () => json({ permissions: {}, grants: [{ id: 'g1', tool: 'open', args: { target: 'clock' }, createdAt: '2026-11-14T20:00:00Z' }], trouble: 'Line 3 is not valid JSON.' })
    routes['GET /api/config'] = () => json({ path: '', problems: [], sections: [{ name: 'builtin_tools', about: '', fields: [off] }] })
  })

  test('shows every tool with what it does, what is off, and what is wrong with the file', async () => {
    await draw(<ToolsPage />)
    expect([...document.querySelectorAll('section')].map((group) => group.getAttribute('aria-label'))).toEqual(['The web', 'Memory', 'This computer', 'Always allowed'])
    expect(text()).toContain('Line 3 is not valid JSON. The last good permissions stay in force')
    expect(text()).toContain('Reads outside text · sends data out')
    expect(document.getElementById('tool memory_create')?.textContent).toContain('Off in Settings')
    expect(document.querySelector('[aria-label="The web"]')?.textContent).toContain('Off')
  })

  test('lists the rules about commands, makes one from a command, and has one back that was taken away', async () => {
    routes['GET /api/tools'] = () => json({ tools: [tool('run_command', { group: 'bash' })] })
    const wc = { id: 'allow wc ...', verdict: 'allow', pattern: 'wc ...', root: '/home/ada/moon', matches: ['wc -l x'], note: '' }
    const push = { id: 'no-push', verdict: 'deny', pattern: 'git push ...', root: null, matches: ['git push'], note: 'Never.' }
    routes['GET /api/commands/rules'] = () => json({ rules: [wc, push], refused: [{ id: 'odd', why: 'it has no example' }], trouble: null })
    await draw(<ToolsPage />)
    const rules = () => document.querySelector('[aria-label="Rules about commands"]')?.textContent
    for (const words of ['wc ...runs without asking', 'in /home/ada/moon', 'git push ...never runs', 'everywhere · Never.', 'odd is not used: it has no example']) expect(rules()).toContain(words)
    routes['DELETE /api/commands/rules/no-push'] = () => json({ rule: push })
    routes['GET /api/commands/rules'] = () => json({ rules: [wc], refused: [], trouble: null })
    await press('Remove: git push ...')
    expect(rules()).not.toContain('git push')
    routes['POST /api/commands/rules'] = () => json({ rules: [wc, push], refused: [], trouble: null })
    await settle(async () => useStore.getState().notices.at(-1)?.action?.run())
    expect(rules()).toContain('git push')
    const field = document.querySelector<HTMLInputElement>('input[placeholder="cargo test"]')
    await settle(async () => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'sudo ls')
      field?.dispatchEvent(new Event('input', { bubbles: true }))
    })
    routes['POST /api/commands/rules'] = () => refusal(400, 'bad_request', 'no rule can allow this')
    await press('Allow')
    expect(rules()).toContain('No rule can allow this.')
    expect(field?.value).toBe('sudo ls')
  })

  test.each([
    ['full', 'wc ...runs without asking', 'They apply to single, plain commands.', 'run without asking'],
    ['partial', 'wc ...runs without asking', 'They apply to single, plain commands.', 'run without asking'],
    ['none', 'wc ...asks, as there is no sandbox', 'so no rule lets a command run without asking', 'run without asking, once there is a sandbox'],
  ])('says of the rules what they come to where the sandbox is %s', async (level, rule, about, label) => {
    routes['GET /api/tools'] = () => json({ tools: [tool('run_command', { group: 'bash' })] })
    routes['GET /api/mcp/servers'] = () => json({ servers: [], sandbox: { level, missing: [] }, deleted: [] })
    const made = (verdict: string, pattern: string) => ({ id: pattern, verdict, pattern, root: null, matches: [], note: '' })
    routes['GET /api/commands/rules'] = () => json({ rules: [made('allow', 'wc ...'), made('deny', 'git push ...')], refused: [], trouble: null })
    await draw(<ToolsPage />)
    const rules = document.querySelector('[aria-label="Rules about commands"]')
    for (const words of [rule, about, 'git push ...never runs']) expect(rules?.textContent).toContain(words)
    expect(rules?.querySelector('label')?.textContent).toMatch(new RegExp(`${label}$`))
  })

  test('changes a permission, marks the default, and goes back to it', async () => {
    routes['PUT /api/permissions'] = () => json({})
    await draw(<ToolsPage />)
    const row = document.getElementById('tool open') as HTMLElement
    const chosen = () => row.querySelector<HTMLInputElement>('input:checked')?.value
    expect(chosen()).toBe('allow')
    expect([...row.querySelectorAll('label')].map((label) => label.textContent)).toEqual(['Allow', 'Ask, the default', 'Block'])
    await settle(async () => row.querySelector<HTMLInputElement>('input[value=block]')?.click())
    expect(chosen()).toBe('block')
    expect(row.textContent).toContain('Default: Ask')
    await press('Reset to the default: Ask', row)
    expect(row.textContent).not.toContain('Default: Ask')
    expect(chosen()).toBe('confirm')
    expect(requests.filter(({ route }) => route.startsWith('PUT')).map(({ body }) => body)).toEqual([{ open: 'block' }, { open: null }])
  })

  test('finds a tool by what it does', async () => {
    await draw(<ToolsPage />)
    await type('Search tools', 'memory')
    expect([...document.querySelectorAll('li[id^="tool "]')].map(({ id }) => id)).toEqual(['tool memory_read', 'tool memory_create'])
    await type('Search tools', 'zzz')
    expect(text()).toContain('No tool matches that.')
  })

  test('names tools for people, and keeps their raw names for the details', async () => {
    await draw(<ToolsPage />)
    const row = document.getElementById('tool web_search') as HTMLElement
    expect(row.textContent).toContain('Web search')
    expect(text()).not.toContain('web_search')
    await settle(async () => row.querySelector<HTMLButtonElement>('button[aria-expanded]')?.click())
    expect(row.querySelector('code')?.textContent).toBe('web_search')
    expect(document.getElementById('tool open')?.textContent).toContain('Only answers')
  })

  test('switches a group on', async () => {
    routes['PATCH /api/config'] = () => json({ path: '', problems: [], sections: [] })
    await draw(<ToolsPage />)
    await press('Turn on')
    expect(requests.find(({ route }) => route.startsWith('PATCH'))?.body).toEqual({ 'builtin_tools.web_search.enabled': true })
  })

  test('takes back what was allowed for good', async () => {
    routes['DELETE /api/permissions/grants/g1'] = () => json({})
    await draw(<ToolsPage />)
    await press('Revoke: Open apps, files and links')
    expect(button('Revoke: Open apps, files and links')).toBeUndefined()
  })

  test('says what is wrong where it cannot be read, and asks again', async () => {
    const reply = routes['GET /api/tools']
    routes['GET /api/tools'] = () => refusal(500, 'internal', 'the disk is full')
    await draw(<ToolsPage />)
    expect(text()).toContain('The disk is full.')
    if (reply) routes['GET /api/tools'] = reply
    await press('Try again')
    expect(text()).toContain('Read a memory file')
  })

  test('asks by itself when the line comes back', async () => {
    const reply = routes['GET /api/tools']
    delete routes['GET /api/tools']
    useStore.setState({ connection: { open: false, since: 0 } })
    await draw(<ToolsPage />)
    expect(button('Try again')).toBeDefined()
    if (reply) routes['GET /api/tools'] = reply
    await settle(async () => useStore.getState().setConnection(true))
    expect(text()).toContain('Read a memory file')
  })
})

describe('the page of what she did', () => {
  const CHAT = '0000000000abc'

  test('shows the acts, opens them, and leads to the conversation', async () => {
    useStore.setState({ tools: [tool('web_search')], chats: [summary(CHAT, { title: 'Tides' })] })
    routes['GET /api/audit?limit=50'] = () => json({ entries: [auditEntry({ decision: 'denied', conversationId: CHAT, why: 'It sends something out.', result: 'The user said no.' })], next: null })
    await draw(<AuditPage />)
    expect(text()).toContain('That is all.')
    const row = document.querySelector<HTMLButtonElement>('main li button, li button')
    expect(row?.textContent).toMatch(/^Was not allowed to search the web for “tides”You said no/)
    await settle(async () => row?.click())
    for (const part of ['It sends something out.', 'query', 'The user said no.']) expect(text()).toContain(part)
    expect(document.querySelector(`a[href="#/c/${CHAT}"]`)?.textContent).toBe('Tides')
  })

  test('narrows to a tool and a decision, and shows everything again', async () => {
    useStore.setState({ tools: [tool('web_search')] })
    routes['GET /api/audit?limit=50'] = () => json({ entries: [auditEntry()], next: null })
    routes['GET /api/audit?decision=blocked&limit=50'] = () => json({ entries: [], next: null })
    await draw(<AuditPage />)
    await settle(async () => {
      const choice = document.querySelector<HTMLSelectElement>('select[aria-label=Decision]')
      Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(choice, 'blocked')
      choice?.dispatchEvent(new Event('change', { bubbles: true }))
    })
    expect(text()).toContain('Nothing she did fits this.')
    await press('Show everything')
    expect(text()).toContain('Searched the web')
  })

  test('begins empty, and says what will stand here', async () => {
    useStore.setState({ tools: [] })
    routes['GET /api/audit?limit=50'] = () => json({ entries: [], next: null })
    await draw(<AuditPage />)
    expect(text()).toContain('Nothing yet')
  })

  test('goes on by a button where older ones exist, and survives a failure', async () => {
    useStore.setState({ tools: [] })
    routes['GET /api/audit?limit=50'] = () => json({ entries: [auditEntry()], next: 'c1' })
    await draw(<AuditPage />)
    await press('Show older ones')
    expect(button('Try again')).toBeDefined()
    routes['GET /api/audit?limit=50&cursor=c1'] = () => json({ entries: [auditEntry({ args: { query: 'moon' } })], next: null })
    await press('Try again')
    expect(text()).toContain('“moon”')
    expect(text()).toContain('“tides”')
  })
})

describe('the page of the skills', () => {
  beforeEach(() => {
    routes['GET /api/skills'] = () =>
      json({ skills: [skill('research', { allowedTools: ['web_search'] }), skill('mine', { shipped: false, trouble: 'The description is missing.' })], folder: '/data/skills' })
    routes['GET /api/skills/research'] = () => json({ skill: skill('research', { allowedTools: ['web_search'] }), body: '## How\n\nAsk **three**.' })
  })

  test('lists one’s own and the shipped, with their tools and troubles, and says where to put them', async () => {
    useStore.setState({ route: { page: 'skills' } })
    await draw(<SkillsPage />)
    for (const part of ['Yours', 'The description is missing.', 'They came with Perigee', 'May use web_search', '/data/skills']) expect(text()).toContain(part)
  })

  test('shows one, rendered', async () => {
    useStore.setState({ route: { page: 'skills', name: 'research' } })
    await draw(<SkillsPage />)
    expect(document.querySelector('h1')?.textContent).toBe('research')
    expect(document.querySelector('.prose strong')?.textContent).toBe('three')
    expect(document.querySelector('a[href="#/tools/web_search"]')).not.toBeNull()
  })

  test('says that one is gone', async () => {
    useStore.setState({ route: { page: 'skills', name: 'gone' } })
    await draw(<SkillsPage />)
    expect(text()).toContain('There is no skill with this name.')
  })
})
