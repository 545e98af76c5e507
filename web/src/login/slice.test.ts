import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { User } from '@/api/protocol.gen'
import { onSignedOut } from '@/api/http'
import { useMemoryStore } from '@/memory/useMemoryStore'
import { useServerStore } from '@/servers/useServerStore'
import { useStore } from '@/store'
import { requests, routes, json, message, refusal, serve, summary, turn, view } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { server } from '@/testkit/tools'

let CHAT = ''
let count = 0
const initial = useStore.getState()
const state = () => useStore.getState()
const memory = () => useMemoryStore.getState()
const ADA: User = { id: '0000000000ada', name: 'Ada', owner: true }
const BEN: User = { id: '0000000000ben', name: 'Ben', owner: false }

function admits(user: User): void {
  routes['POST /api/auth/login'] = () => new Response('')
  routes['GET /api/auth/status'] = () => json({ enabled: true, authenticated: true, user })
}

beforeEach(async () => {
  localStorage.clear()
  count += 1
  CHAT = String(count).padStart(13, '0')
  serve()
  routes['POST /api/auth/logout'] = () => new Response('')
  routes['POST /api/chats/load'] = () => json(view(CHAT, [message('u1', 'user', 'Hi')]))
  onSignedOut(() => state().forgetSession())
  freshStores()
  admits(ADA)
  await state().signIn({ token: 'x' })
})

afterEach(() => {
  state().unfollowAll()
  vi.unstubAllGlobals()
})

/** Sets up a session in the middle of its work. */
async function settleIn() {
  const answer = turn('t1', CHAT)
  routes['POST /api/chat/stream'] = answer.response
  state().setTheme('light')
  state().setTextSize('large')
  state().go({ page: 'chat', id: CHAT })
  await state().openChat(CHAT)
  void state().send(CHAT, { text: 'Tell me', files: [] })
  answer.begin()
  await vi.waitFor(() => expect(state().live[CHAT]?.turnId).toBe('t1'))
  await state().send(CHAT, { text: 'And then?', files: [] })
  state().setText(CHAT, 'Half a thou')
  memory().keepDraft('new fact', { content: 'A secret' })
  state().chatChanged(summary(CHAT, { title: 'Secret' }))
  state().notify({ tone: 'plain', text: 'Deleted “Secret”.' })
  useStore.setState({
    filter: { folder: 'Mine' }, unread: { x: true }, running: { x: true }, folders: [{ name: 'Mine', chats: 1 }], tags: [{ name: 'mine', chats: 1 }],
    search: { query: 'secret', hits: [], next: null, state: 'done' }, outgoing: { y: { clientMessageId: '', text: 'Unsent', files: [], editOf: null, trouble: null } },
    chatsNext: 'cursor', renaming: { id: CHAT, where: 'head' }, saving: { 'llm.model': { state: 'saved' } },
  })
  useMemoryStore.setState({ timeline: { days: [], next: 'cursor', state: 'ready', trouble: null }, entryTrouble: { x: 'The disk is full.' } })
  useServerStore.setState({ servers: [server('notes')], pendingActions: { notes: 'start' } })
  return answer
}

describe('signing out', () => {
  test('leaves nothing of the person, and what belongs to the browser', async () => {
    const answer = await settleIn()
    await state().signOut()
    const { theme, textSize, ...rest } = state()
    const { theme: _system, textSize: _normal, ...fresh } = { ...initial, session: 'out', route: { page: 'new' }, drafts: {} }
    expect(rest).toEqual(fresh)
    expect(memory()).toEqual({ ...useMemoryStore.getInitialState(), memoryDrafts: {} })
    expect(useServerStore.getState()).toEqual(useServerStore.getInitialState())
    expect([theme, textSize]).toEqual(['light', 'large'])
    for (const kept of ['drafts', 'memory-drafts']) expect(localStorage.getItem(`perigee.${kept}`)).toBeNull()

    answer.say('For whoever is there.')
    answer.end()
    admits(BEN)
    await state().signIn({ token: 'y' })
    expect(state()).toMatchObject({ session: 'in', user: BEN, conversations: {}, live: {}, running: {}, drafts: {} })
    expect(requests.filter(({ route }) => route.endsWith('/stream'))).toHaveLength(1)
  })

  test('hands nothing over that arrives late', async () => {
    let arrive: (answer: Response) => void = () => {}
    routes['GET /api/chats?limit=100'] = () => new Promise((resolve) => void (arrive = resolve))
    const loading = state().refreshChats()
    await state().signOut()
    arrive(json({ chats: [summary(CHAT)], next: null, current: null, folders: [], tags: [] }))
    await loading
    admits(BEN)
    await state().signIn({ token: 'y' })
    expect(state().chats).toEqual([])
  })
})

describe('a session that ends by itself', () => {
  const expire = async () => {
    routes['GET /api/models'] = () => refusal(401, 'unauthorized', 'sign in')
    await state().refreshModels()
  }

  test('keeps what was not sent, for the same person', async () => {
    await settleIn()
    await expire()
    expect(state()).toMatchObject({ session: 'out', chats: [], conversations: {}, live: {}, queues: {}, outgoing: {} })
    await state().signIn({ token: 'x' })
    expect(state().drafts[CHAT]?.text).toBe('And then?\n\nHalf a thou')
    expect(state().drafts['y']?.text).toBe('Unsent')
    expect(memory().memoryDrafts).toEqual({ 'new fact': { content: 'A secret' } })
    expect(memory()).toMatchObject({ timeline: { state: 'idle' }, entryTrouble: {} })
    expect(useServerStore.getState()).toMatchObject({ servers: null, pendingActions: {} })
    expect(state().route).toEqual({ page: 'chat', id: CHAT })
  })

  test('keeps a message whose sending shows that it has ended', async () => {
    await state().openChat(CHAT)
    routes['POST /api/chat/stream'] = () => refusal(401, 'unauthorized', 'sign in')
    await state().send(CHAT, { text: 'Hello?', files: [] })
    expect(state().session).toBe('out')
    expect(state().drafts[CHAT]?.text).toBe('Hello?')
  })

  test('shows nothing of it to another', async () => {
    await settleIn()
    await expire()
    admits(BEN)
    await state().signIn({ token: 'y' })
    expect(state().drafts).toEqual({})
    expect(memory().memoryDrafts).toEqual({})
    expect(state().route).toEqual({ page: 'new' })
    expect(localStorage.getItem('perigee.drafts')).toBeNull()
  })
})
