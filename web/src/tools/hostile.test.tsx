import '@/testkit/browser'
import { act as settle } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Event, Message } from '@/api/protocol.gen'
import Pins from '@/chat/Pins'
import { LOADING } from '@/chat/conversation'
import { AssistantMessage } from '@/chat/AssistantMessage'
import { applyEvents, beginLive } from '@/chat/live'
import ServersPage from '@/servers/ServersPage'
import { useServerStore } from '@/servers/useServerStore'
import SkillsPage from '@/skills/SkillsPage'
import { useStore } from '@/store'
import { clear, draw } from '@/testkit/draw'
import { checkInert, HOSTILE, inChunks } from '@/testkit/hostile'
import { act, routes, json, message, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { auditEntry, server, serverTool, skill, tool, waiting } from '@/testkit/tools'
import AuditPage from './AuditPage'
import { Questions } from './Questions'
import ToolsPage from './ToolsPage'

const CHAT = '0000000000abc'

beforeEach(() => {
  serve()
  freshStores({ tools: [], conversations: { [CHAT]: { ...LOADING, state: 'ready' } } })
})

afterEach(async () => {
  await clear()
  vi.unstubAllGlobals()
})

/** Expands everything that can be expanded. */
async function openAll(): Promise<void> {
  await settle(async () => document.querySelectorAll<HTMLButtonElement>('button[aria-expanded=false]:not([aria-haspopup])').forEach((found) => found.click()))
}

/** A tool call in which every text is hostile. */
const evil = (text: string, id = 'a') =>
  act(id, text, { args: { [text]: text, list: [text, { [text]: text }] }, result: text, status: 'failed', command: { action: 'widget', payload: { title: text, type: text, data: text } } })

test('there are enough of them', () => expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(60))

describe('hostile text does nothing', () => {
  test('in what tools are given, bring and open', async () => {
    const known = ['web_search', 'web_fetch', 'calculate']
    const acts = HOSTILE.flatMap((text, index) => {
      const more = { args: { query: text, url: text, expression: text, action: text }, result: { [text]: text } }
      return [evil(text, `a${index}`), act(`b${index}`, known[index % 3] ?? '', more), act(`c${index}`, 'spotify', more)]
    })
    const plan = HOSTILE.slice(0, 6).map((title) => ({ title, status: 'running' as const }))
    const host = await draw(<AssistantMessage chat={CHAT} message={message('a1', 'assistant', 'So.', { acts, plan })} last />)
    await openAll()
    await openAll()
    checkInert(host)
    expect(host.textContent).toContain('<img src=x onerror=')
    expect(host.textContent).not.toContain('cannot be shown here')
  })

  test('in what is pinned', async () => {
    const pinned = HOSTILE.map((text, index) => ({ messageId: 'm', act: evil(text, `a${index}`) }))
    useStore.setState({ conversations: { [CHAT]: { ...LOADING, state: 'ready', pinned } } })
    const host = await draw(<Pins chat={CHAT} />)
    for (const { act: { id } } of pinned.slice(0, 12)) {
      await settle(async () => useStore.getState().showPin(id))
      checkInert(host)
    }
  })

  test.each(HOSTILE.map((text, index) => [index, text] as const))('in a question (%i): %s', async (index, text) => {
    useStore.setState({ tools: [tool(text)] })
    const host = await draw(<Questions chat={CHAT} />)
    const more = { tool: text, description: text, why: text, args: { [text]: text, url: text, action: text }, until: text, tainted: index % 2 === 0 }
    await settle(async () => {
      useStore.getState().questionAsked(waiting(`hostile ${index}`, CHAT, more))
      useStore.getState().questionAsked(waiting(`music ${index}`, CHAT, { ...more, tool: 'spotify' }))
    })
    checkInert(host)
    // The hostile text has added no button to the answers.
    expect([...host.querySelectorAll('#question-card footer button')].map((found) => found.textContent?.replace(/[NY]$/, ''))).toEqual(['Don’t allow', 'Allow', ...(more.tainted ? [] : ['Always'])])
    await settle(async () => useStore.getState().questionSettled(`hostile ${index}`))
    expect(host.querySelector('h2')?.textContent).toBe('May Luna use the music player?')
    await settle(async () => useStore.getState().questionSettled(`music ${index}`))
  })

  test('in the list of what she did', async () => {
    const entries = HOSTILE.flatMap((text) => [auditEntry({ tool: text, args: text, result: text, why: text }), auditEntry({ tool: 'spotify', args: { action: text } })])
    routes['GET /api/audit?limit=50'] = () => json({ entries, next: null })
    const host = await draw(<AuditPage />)
    await openAll()
    checkInert(host)
  })

  test('in the list of the tools', async () => {
    const tools = HOSTILE.map((text, index) => tool(`${index} ${text}`, { description: text, group: text, tags: [text], parameters: { properties: { [text]: { description: text } }, required: text } }))
    routes['GET /api/tools'] = () => json({ tools })
    routes['GET /api/permissions'] = () => json({ permissions: {}, grants: HOSTILE.map((text, index) => ({ id: String(index), tool: text, args: text, createdAt: '2026-11-14T20:00:00Z' })), trouble: HOSTILE.join('\n') })
    const host = await draw(<ToolsPage />)
    await openAll()
    checkInert(host)
  })

  test('in skills', async () => {
    const evilSkill = (text: string) => skill(text, { description: text, allowedTools: [text], files: [text], licence: text, trouble: text })
    routes['GET /api/skills'] = () => json({ skills: HOSTILE.map(evilSkill), folder: HOSTILE[0] })
    useStore.setState({ route: { page: 'skills' } })
    checkInert(await draw(<SkillsPage />))
    for (const text of HOSTILE) {
      const name = 'evil'
      routes['GET /api/skills/evil'] = () => json({ skill: evilSkill(text), body: text })
      await clear()
      useStore.setState({ route: { page: 'skills', name }, skill: null })
      checkInert(await draw(<SkillsPage />))
    }
  })

  test('in servers, and in what they ask for', async () => {
    const evilTool = (text: string, at: number) => serverTool(text, { fullName: `${at} ${text}`, description: text, was: `${text} before`, standing: 'changed', parameters: { properties: { [text]: { title: text, description: text, enum: [text] } } } })
    const evilServer = (text: string, at: number, more = {}) => server(`${at} ${text}`, { state: 'failed', trouble: text, reach: text, description: text, version: text, leftOut: [text], tools: [evilTool(text, at)], asks: text, ...more })
    const evilMade = (text: string) => ({ autoStart: true, wantsNetwork: true, hosts: [text], createdAt: text, changedAt: '', versions: [{ id: '1', at: text, note: text }, { id: '2', at: '', note: text }] })
    const list = (servers: unknown[]) => (routes['GET /api/mcp/servers'] = () => json({ servers, sandbox: { level: 'none', missing: [HOSTILE[0]] } }))
    list(HOSTILE.map((text, at) => evilServer(text, at)))
    useStore.setState({ route: { page: 'servers' } })
    checkInert(await draw(<ServersPage />))
    for (const [at, text] of HOSTILE.entries()) {
      list([evilServer(text, at, { name: 'evil', state: 'ready', made: at % 2 === 0 ? evilMade(text) : null, tools: [evilTool(text, at), serverTool('a', { parameters: { properties: { [text]: { title: text, description: text, enum: [text], default: text } } } })] })])
      routes['GET /api/mcp/servers/evil/source'] = () => json({ code: text, before: null })
      routes['GET /api/mcp/servers/evil/versions/1'] = () => json({ code: `${text} before`, before: null })
      routes['GET /api/mcp/servers/evil/versions/2'] = () => json({ code: text, before: null })
      routes['GET /api/mcp/servers/evil/logs'] = () => json({ lines: [{ at: '2026-11-14T20:00:00Z', text }] })
      await clear()
      useStore.setState({ route: { page: 'servers', name: 'evil' } })
      useServerStore.setState({ servers: null, serverLog: null, serverSource: null, versions: {} })
      const host = await draw(<ServersPage />)
      await openAll()
      checkInert(host)
    }
  })

  test('however the stream is cut, inside of tags and between acts', async () => {
    const source = HOSTILE.join('\n\n')
    const chunks = inChunks(source)
    const metadata: Event = { type: 'metadata', conversationId: CHAT, model: 'm', turnId: 't', messageId: 'a1' }
    const live = beginLive({ kind: 'watch' }, [], 0)
    let scene = applyEvents({ messages: [], live }, [metadata], 0)
    const answer = () => scene.messages.at(-1) as Message
    let seen = 0
    for (const [index, content] of chunks.entries()) {
      const text = HOSTILE[index % HOSTILE.length] ?? ''
      const events: Event[] = [{ type: 'token', content }]
      // Tool calls arrive at intervals, in the middle of a tag.
      if (index % 37 === 5) events.push({ type: 'tool', id: `t${index}`, name: text, args: { text }, status: 'done', result: text, ms: 1 })
      scene = applyEvents(scene, events, 0)
      if (index % 41 !== 0) continue
      seen += 1
      await clear()
      useStore.setState({ live: { [CHAT]: scene.live } })
      checkInert(await draw(<AssistantMessage chat={CHAT} message={answer()} last />))
    }
    expect(seen).toBeGreaterThan(8)
    expect(answer().content).toBe(source)
  })
})
