import '@/testkit/browser'
import { act as settle } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { AssistantMessage } from '@/chat/AssistantMessage'
import PersonalityPage from '@/personality/PersonalityPage'
import type { Route } from '@/shell/route'
import { useStore } from '@/store'
import { clear, draw } from '@/testkit/draw'
import { checkInert, HOSTILE } from '@/testkit/hostile'
import { fact, factList, fileView, forgetReport, item, personality, vectorEntry } from '@/testkit/memory'
import { routes, json, message, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import ForgetDialog from './ForgetDialog'
import ImportDialog from './ImportDialog'
import MemoryPage from './MemoryPage'
import { useMemoryStore } from './useMemoryStore'

const CHAT = '0000000000abc'

beforeEach(() => {
  serve()
  freshStores()
  Element.prototype.scrollIntoView = () => {}
  // All rows count as visible.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(100_000)
})

afterEach(async () => {
  await clear()
  vi.unstubAllGlobals()
})

const show = async (route: Route) => {
  useStore.setState({ route })
  return draw(<MemoryPage />)
}
const openAll = () => settle(async () => document.querySelectorAll<HTMLButtonElement>('button[aria-expanded=false]:not([aria-haspopup]):not([data-row])').forEach((found) => found.click()))
const evil = (text: string, id: string) =>
  fact(id, text, { subject: text, quote: text, source: { kind: 'conversation', conversationId: CHAT, messageId: CHAT, title: text }, origins: [{ kind: 'web', name: text }], validFrom: text })

describe('hostile text does nothing', () => {
  test('in the list of facts', async () => {
    routes['GET /api/memory?status=current&limit=100'] = () => json(factList(HOSTILE.map((text, index) => evil(text, `f${index}`))))
    const host = await show({ page: 'memory' })
    expect(host.querySelectorAll('[data-row]')).toHaveLength(HOSTILE.length)
    checkInert(host)
    expect(host.textContent).toContain('<img src=x onerror=')
  })

  test('in a fact, its quote, its source and its history', async () => {
    for (const text of HOSTILE) {
      routes['GET /api/memory/f'] = () => json(evil(text, 'f'))
      routes['GET /api/memory/f/history'] = () => json({ canUndo: true, changes: [{ at: '2026-11-14T20:00:00Z', kind: 'edited', before: text, other: text, otherContent: text, changed: [{ what: 'subject', from: text, to: text }] }] })
      await clear()
      useMemoryStore.setState({ fact: null, histories: {} })
      const host = await show({ page: 'memory', tab: 'facts', item: 'f' })
      await openAll()
      checkInert(host)
    }
  })

  test('on the timeline', async () => {
    const entries = HOSTILE.map((text, index) => ({ at: '2026-11-14T20:00:00Z', kind: 'edited', fact: evil(text, `f${index}`), before: `${text} before` }))
    routes['GET /api/memory/timeline'] = () => json({ days: [{ day: '2026-11-14', entries }], next: null })
    checkInert(await show({ page: 'memory', tab: 'timeline' }))
  })

  test('in files, their names and their history', async () => {
    routes['GET /api/memory/files'] = () => json({ files: HOSTILE.map((text) => ({ ...fileView(text, '').file, origins: [{ kind: 'file', name: text }] })) })
    checkInert(await show({ page: 'memory', tab: 'files' }))
    for (const text of HOSTILE) {
      const history = [{ id: 'h2', at: '2026-11-14T20:00:00Z', what: text, content: text }, { id: 'h1', at: '2026-11-14T20:00:00Z', what: text, content: 'before' }]
      routes['GET /api/memory/files/evil'] = () => json(fileView(text, text, { history }))
      await clear()
      useMemoryStore.setState({ memoryFile: null })
      const host = await show({ page: 'memory', tab: 'files', item: 'evil' })
      await openAll()
      checkInert(host)
    }
  })

  test('in entries and their labels', async () => {
    routes['GET /api/vector?limit=100'] = () => json({ entries: HOSTILE.map((text, index) => vectorEntry(`e${index}`, text, { metadata: { [text]: text } })), total: HOSTILE.length })
    checkInert(await show({ page: 'memory', tab: 'entries' }))
  })

  test('in what she remembered, on the page and in the conversation', async () => {
    const items = HOSTILE.map((text, index) => item(`${index} ${text}`, text, { who: text, title: text, kind: index % 2 ? 'message' : 'file', conversationId: index % 2 ? CHAT : null, parts: [{ name: text, value: 1 }], origins: [{ kind: 'web', name: text }] }))
    useMemoryStore.setState({ recalled: { query: 'x', state: 'done', trouble: null, reply: { items, refused: false, whole: false, reading: null, millis: 1 } } })
    checkInert(await show({ page: 'memory', tab: 'recall' }))
    const host = await draw(<AssistantMessage chat={CHAT} message={message('a1', 'assistant', 'So.', { memory: items })} last />)
    await openAll()
    checkInert(host)
    expect(host.textContent).toContain(`Remembered ${HOSTILE.length} things`)
  })

  test('in what forgetting and importing report', async () => {
    const report = forgetReport({
      words: HOSTILE,
      removed: HOSTILE.map((place) => ({ place, count: 1, example: place })),
      backups: HOSTILE.map((file) => ({ file, madeAt: '2026-11-14T20:00:00Z' })),
      found: HOSTILE,
    })
    useMemoryStore.setState({ forgetting: { target: { words: 'x' }, also: [], leave: [], state: 'ready', report, trouble: null } })
    await draw(<ForgetDialog />)
    checkInert(document.body)
    await settle(async () => useMemoryStore.setState({ forgetting: { target: { words: 'x' }, also: [], leave: [], state: 'done', report: { ...report, done: true }, trouble: null } }))
    checkInert(document.body)
    await draw(<ImportDialog />)
    const reply = { format: HOSTILE[0] ?? '', facts: 0, conversations: 0, messages: 0, entries: 0, files: 0, known: 0, problems: HOSTILE }
    await settle(async () => useMemoryStore.setState({ imported: { name: HOSTILE[1] ?? '', state: 'done', reply, trouble: null } }))
    // Only the status is checked, which holds the untrusted text; the hidden file input belongs to the dialog
    // itself.
    checkInert(document.querySelector('[role=status]') as ParentNode)
  })

  test('in what moved her', async () => {
    const moves = HOSTILE.map((why) => ({ at: '2026-11-14T20:00:00Z', value: 0.5, why, conversationId: CHAT, messageId: CHAT }))
    routes['GET /api/personality'] = () => json(personality({ tone: HOSTILE.join('\n') }, { moves }))
    const host = await draw(<PersonalityPage />)
    await openAll()
    checkInert(host)
  })
})
