import '@/testkit/browser'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { available } from '@/actions/registry'
import { useStore } from '@/store'
import { boot, receive } from '@/store/boot'
import { requests, routes, json, refusal, serve, summary, view } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'

const state = () => useStore.getState()
const CHAT = '0000000000abc'
const OTHER = '0000000000abd'
const secret = (id = CHAT) => summary(id, { incognito: true })

vi.stubGlobal('WebSocket', class { close(): void {} })
boot()
// No server answers. The result is awaited here, since it would otherwise end the session of a test later.
await vi.waitFor(() => expect(state().session).toBe('unreachable'))

beforeEach(() => {
  localStorage.clear()
  serve()
  freshStores({ session: 'in', route: { page: 'new' } })
  routes['POST /api/chats/new'] = () => json(secret())
  routes['POST /api/chats/load'] = ({ id }) => json(view(String(id), [], { chat: id === OTHER ? summary(OTHER) : secret(String(id)) }))
  routes[`DELETE /api/chats/${CHAT}`] = () => json({})
})

afterEach(() => vi.unstubAllGlobals())

const closed = () => requests.filter(({ route }) => route.startsWith('DELETE')).map(({ route }) => route)

describe('an incognito chat', () => {
  test('is begun as one, opened, and in no list', async () => {
    await state().startIncognito()
    expect(requests.find(({ route }) => route === 'POST /api/chats/new')?.body).toEqual({ incognito: true })
    expect(state()).toMatchObject({ incognito: CHAT, route: { page: 'chat', id: CHAT }, chats: [] })
    receive({ action: 'chat_changed', chat: secret() })
    expect(state().chats).toEqual([])
  })

  test.each([
    ['another page', () => state().go({ page: 'settings' })],
    ['another conversation', () => state().go({ page: 'chat', id: OTHER })],
    ['its button', () => state().closeIncognito()],
    ['the way out', () => void state().signOut()],
    ['the closed page', () => window.dispatchEvent(new Event('pagehide'))],
  ])('is gone when it is left for %s, unasked', async (_, leave) => {
    await state().startIncognito()
    leave()
    expect(closed()).toEqual([`DELETE /api/chats/${CHAT}`])
    expect(state().incognito).toBeNull()
    expect(state().conversations[CHAT]).toBeUndefined()
    expect(state().overlay).toBeNull()
    await vi.waitFor(() => expect(state().notices).toEqual([]))
  })

  test('leaves no draft in the browser, nor in the page', async () => {
    vi.useFakeTimers()
    try {
      await state().startIncognito()
      state().setText(CHAT, 'the surprise party')
      vi.runAllTimers()
      expect(JSON.stringify(localStorage)).not.toContain('surprise')
      state().enqueue(CHAT, { text: 'the surprise cake', files: [] })
      state().closeIncognito()
      vi.runAllTimers()
      expect(JSON.stringify(localStorage)).not.toContain('surprise')
      expect(JSON.stringify(state().drafts)).not.toContain('surprise')
    } finally {
      vi.useRealTimers()
    }
  })

  test('that another one follows is closed, and the new one stays', async () => {
    await state().startIncognito()
    routes['POST /api/chats/new'] = () => json(secret(OTHER))
    routes['POST /api/chats/load'] = () => json(view(OTHER, [], { chat: secret(OTHER) }))
    await state().startIncognito()
    expect(closed()).toEqual([`DELETE /api/chats/${CHAT}`])
    expect(state()).toMatchObject({ incognito: OTHER, route: { page: 'chat', id: OTHER } })
  })

  test('is known again after a reload of the page', async () => {
    state().go({ page: 'chat', id: CHAT })
    await vi.waitFor(() => expect(state().incognito).toBe(CHAT))
  })

  test('that the server dropped is left, and what was typed does not move on', async () => {
    await state().startIncognito()
    state().setText(CHAT, 'the surprise party')
    receive({ action: 'chat_deleted', id: CHAT })
    expect(state().route).toEqual({ page: 'new' })
    expect(JSON.stringify(state().drafts)).not.toContain('surprise')
  })

  test('that cannot be removed says so, and offers to try again', async () => {
    await state().startIncognito()
    routes[`DELETE /api/chats/${CHAT}`] = () => refusal(500, 'internal', 'the disk is full')
    state().closeIncognito()
    await vi.waitFor(() => expect(state().notices.at(-1)?.text).toMatch(/may keep it until it stops.*disk is full/))
    routes[`DELETE /api/chats/${CHAT}`] = () => json({})
    state().notices.at(-1)?.action?.run()
    expect(closed()).toHaveLength(2)
  })

  test('that cannot be begun says why, and nothing changes', async () => {
    routes['POST /api/chats/new'] = () => refusal(500, 'internal', 'the disk is full')
    await state().startIncognito()
    expect(state()).toMatchObject({ incognito: null, route: { page: 'new' } })
    expect(state().notices.at(-1)?.text).toBe('The disk is full.')
  })

  test('cannot be named, filed or exported', async () => {
    await state().startIncognito()
    const ids = available(state()).map(({ id }) => id)
    for (const id of ['rename', 'pin', 'move', 'tag', 'export', 'exportJson', 'delete']) expect(ids).not.toContain(id)
    expect(ids).toContain('incognito')
  })
})
