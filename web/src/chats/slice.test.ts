import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { useStore } from '@/store'
import { boot, receive } from '@/store/boot'
import { requests, routes, json, message, refusal, serve, summary, turn, view } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'

const CHAT = '0000000000abc'
const OTHER = '0000000000abd'
const initial = useStore.getState()
const state = () => useStore.getState()
const gone = () => refusal(404, 'notFound', 'there is no such conversation')

/** A socket that never receives anything. */
class SilentSocket {
  close(): void {}
}

beforeAll(async () => {
  serve()
  boot()
  // No server replies at first. If this were reported later, it would end the session of a test.
  await vi.waitFor(() => expect(state().session).toBe('unreachable'))
})

beforeEach(async () => {
  localStorage.clear()
  serve()
  routes['GET /api/chats?limit=1'] = () => json({ chats: [], next: null, current: null, folders: [], tags: [] })
  routes['POST /api/chats/load'] = ({ id }) => json(view(String(id), [message('u1', 'user', 'Hi')]))
  routes[`DELETE /api/chats/${CHAT}`] = () => new Response('')
  window.history.replaceState(null, '', '/#/')
  vi.stubGlobal('WebSocket', SilentSocket)
  freshStores({ session: 'in', chats: [summary(CHAT, { title: 'Moon' })], route: { page: 'new' } })
  state().go({ page: 'chat', id: CHAT })
  await vi.waitFor(() => expect(state().conversations[CHAT]?.state).toBe('ready'))
})

afterEach(() => {
  useStore.setState({ session: 'out' })
  vi.unstubAllGlobals()
})

describe('a conversation that is deleted', () => {
  test('does not come back with Back', async () => {
    await state().removeChat(CHAT)
    expect(state().conversations[CHAT]).toBeUndefined()
    routes['POST /api/chats/load'] = gone
    window.history.replaceState(null, '', `/#/c/${CHAT}`)
    window.dispatchEvent(new PopStateEvent('popstate'))
    await vi.waitFor(() => expect(state().conversations[CHAT]).toMatchObject({ state: 'failed', gone: true, messages: [] }))
  })

  test('takes its running answer with it', async () => {
    const answer = turn('t1', CHAT)
    routes['POST /api/chat/stream'] = answer.response
    void state().send(CHAT, { text: 'Tell me', files: [] })
    answer.begin()
    await vi.waitFor(() => expect(state().live[CHAT]?.turnId).toBe('t1'))
    await state().send(CHAT, { text: 'And then?', files: [] })
    await state().removeChat(CHAT)
    expect(state()).toMatchObject({ live: {}, outgoing: {}, queues: {}, running: {}, unread: {}, conversations: {} })
    answer.say('Too late.')
    answer.end()
    await vi.waitFor(() => expect(state().notices).toHaveLength(1))
    expect(state().conversations).toEqual({})
    expect(requests.filter(({ route }) => route.endsWith('/stream'))).toHaveLength(1)
  })

  test('is there again after Undo, with what had not been sent', async () => {
    const answer = turn('t1', CHAT)
    routes['POST /api/chat/stream'] = answer.response
    routes[`POST /api/chats/${CHAT}/restore`] = () => json(summary(CHAT, { title: 'Moon' }))
    void state().send(CHAT, { text: 'Tell me', files: [] })
    answer.begin()
    await vi.waitFor(() => expect(state().live[CHAT]?.turnId).toBe('t1'))
    await state().send(CHAT, { text: 'And then?', files: [] })
    state().setText(CHAT, 'Also')
    await state().removeChat(CHAT)
    expect(state().route).toEqual({ page: 'new' })

    state().notices.at(-1)?.action?.run()
    await vi.waitFor(() => expect(state().conversations[CHAT]?.messages.map(({ content }) => content)).toEqual(['Hi']))
    expect(state().route).toEqual({ page: 'chat', id: CHAT })
    expect(state().chats.map(({ title }) => title)).toEqual(['Moon'])
    expect(state().drafts[CHAT]?.text).toBe('And then?\n\nAlso')
  })

  test('is opened by Undo for whoever went back to look for it', async () => {
    await state().removeChat(CHAT)
    routes['POST /api/chats/load'] = gone
    state().go({ page: 'chat', id: CHAT })
    await vi.waitFor(() => expect(state().conversations[CHAT]?.gone).toBe(true))
    routes[`POST /api/chats/${CHAT}/restore`] = () => json(summary(CHAT))
    routes['POST /api/chats/load'] = () => json(view(CHAT, [message('u1', 'user', 'Hi')]))
    state().notices.at(-1)?.action?.run()
    await vi.waitFor(() => expect(state().conversations[CHAT]).toMatchObject({ state: 'ready', gone: false }))
  })

  test('elsewhere leaves what was being written here', () => {
    state().setText(CHAT, 'Half a thou')
    receive({ action: 'chat_deleted', id: CHAT })
    expect(state().route).toEqual({ page: 'new' })
    expect(state().drafts['new']?.text).toBe('Half a thou')
    expect(state().drafts[CHAT]).toBeUndefined()
  })
})

describe('what stands beside a conversation', () => {
  test.each([{ page: 'chat', id: OTHER } as const, { page: 'new' } as const, { page: 'settings' } as const])('goes when the page is %o', async (route) => {
    routes['GET /api/chat/turns/t1/why'] = () => refusal(500, 'internal', 'no')
    await state().showWhy('t1', 'a1')
    state().go({ page: 'chat', id: CHAT, message: 'u1' })
    expect(state().why).not.toBeNull()
    state().go(route)
    expect(state().why).toBeNull()
  })
})

describe('a search', () => {
  test('shows nothing of one that somebody made before', async () => {
    const hit = (title: string) => ({ chat: CHAT, title, message: null, role: null, createdAt: '', snippet: '', marks: [] })
    const shown: string[] = []
    const watching = useStore.subscribe(({ search }) => void shown.push(...search.hits.map(({ title }) => title)))
    let arrive: (answer: Response) => void = () => {}
    routes['GET /api/chats/search?q=moon&limit=30'] = () => new Promise((resolve) => void (arrive = resolve))
    routes['GET /api/chats/search?q=tides&limit=30'] = () => json({ hits: [hit('Tides')], next: null })
    state().setSearch('moon')
    await vi.waitFor(() => expect(requests.at(-1)?.route).toContain('search'))
    useStore.setState({ search: initial.search })
    arrive(json({ hits: [hit('Moon')], next: null }))
    state().setSearch('tides')
    await vi.waitFor(() => expect(state().search.state).toBe('done'))
    watching()
    expect(new Set(shown)).toEqual(new Set(['Tides']))
  })
})
