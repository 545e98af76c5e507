import '@/testkit/browser'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useStore } from '@/store'
import { clear, draw, press } from '@/testkit/draw'
import { fact, factList } from '@/testkit/memory'
import { requests, routes, json, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import MemoryPage from './MemoryPage'

const CHAT = '0000000000abc'
const MESSAGE = '0000000000abd'
const doubted = fact('a', 'Lives in Lyon.', {
  doubt: { conversationId: CHAT, messageId: MESSAGE, at: '2026-11-14T20:00:00Z', words: 'Wild <b>move</b> from Lyon to Porto.' },
})

beforeEach(async () => {
  localStorage.clear()
  serve()
  freshStores()
  routes['GET /api/memory?status=current&limit=100'] = () => json(factList([doubted]))
  useStore.setState({ route: { page: 'memory' } })
  await draw(<MemoryPage />)
})

afterEach(async () => {
  await clear()
  vi.unstubAllGlobals()
})

test('what may have changed says by which words, and leads to them', () => {
  expect(document.body.textContent).toContain('may have changed this')
  const words = [...document.querySelectorAll('a')].find((link) => link.textContent.includes('from Lyon to Porto'))
  expect(words?.textContent).toBe('“Wild <b>move</b> from Lyon to Porto.”')
  expect(words?.getAttribute('href')).toContain(CHAT)
  expect(words?.getAttribute('href')).toContain(MESSAGE)
})

test.each([
  ['Still true: Lives in Lyon.', true, { ...doubted, doubt: null }],
  ['No longer true: Lives in Lyon.', false, { ...doubted, doubt: null, status: 'expired' as const }],
])('%s', async (label, confirmed, after) => {
  routes['PATCH /api/memory/a'] = () => json(after)
  await press(label)
  expect(requests.find((call) => call.route === 'PATCH /api/memory/a')?.body).toEqual({ confirmed })
  expect(document.body.textContent).not.toContain('may have changed this')
})
