import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ChatSummary } from '@/api/protocol.gen'
import { freshStores } from '@/testkit/stores'
import { useStore } from '.'
import { receive } from './boot'

const CHAT: ChatSummary = {
  id: '00000000000ab', title: 'Moon', createdAt: '2026-11-14T20:00:00Z', updatedAt: '2026-11-14T20:00:00Z', pinned: false, folder: null, tags: [],
  messageCount: 2, preview: '', incognito: false,
}
const asked: string[] = []
const state = () => useStore.getState()

beforeEach(() => {
  asked.length = 0
  freshStores()
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    asked.push(`${init.method} ${path}`)
    return new Response(JSON.stringify({ code: 'notFound', message: 'no' }), { status: 404 })
  })
})

afterEach(() => vi.unstubAllGlobals())

describe('what happens elsewhere', () => {
  test('changes the list and the head of the conversation', () => {
    receive({ action: 'chat_changed', chat: CHAT })
    expect(state().chats).toEqual([CHAT])
    receive({ action: 'chat_changed', chat: { ...CHAT, title: 'Tides' } })
    expect(state().chats.map(({ title }) => title)).toEqual(['Tides'])
  })

  test('takes the reader away from a conversation that was deleted', () => {
    useStore.setState({ chats: [CHAT], route: { page: 'chat', id: CHAT.id } })
    receive({ action: 'chat_deleted', id: CHAT.id })
    expect(state().chats).toEqual([])
    expect(state().route).toEqual({ page: 'new' })
    expect(state().notices).toHaveLength(1)
  })

  test('that is beside the code gives way to a new one, with what was written in it', () => {
    useStore.setState({ codeChat: CHAT.id, route: { page: 'code' } })
    state().setText(CHAT.id, 'Half a thou')
    receive({ action: 'chat_deleted', id: CHAT.id })
    expect(state()).toMatchObject({ codeChat: null, route: { page: 'code' }, notices: [] })
    expect(state().drafts['code']?.text).toBe('Half a thou')
  })

  test('marks answers that are being written, and those that were finished unseen', () => {
    const turn = { conversationId: CHAT.id, turnId: 't1', messageId: 'm1' }
    receive({ action: 'turn_started', ...turn })
    expect(state().running).toEqual({ [CHAT.id]: true })
    receive({ action: 'turn_ended', ...turn })
    expect(state().running).toEqual({})
    expect(state().unread).toEqual({ [CHAT.id]: true })
  })

  test('loads everything anew when too much was missed', () => {
    receive({ action: 'resync' })
    expect(asked).toEqual(expect.arrayContaining(['GET /api/models', 'GET /api/chats?limit=100', 'GET /api/config']))
  })
})
