import '@/testkit/browser'
import { beforeEach, expect, test, vi } from 'vitest'
import { useStore } from '@/store'
import { freshStores } from '@/testkit/stores'

const html = (entry: string) => `<!doctype html><link rel="x"><script src="/theme.js"></script><script type="module" crossorigin src="${entry}"></script>`
const serves = (entry: string) => vi.stubGlobal('fetch', async () => new Response(html(entry)))
const notices = () => useStore.getState().notices.map(({ text, action }) => `${text} ${action?.label}`)
const reload = vi.fn()

/** Imports the module as in a page that has just been loaded. */
async function page() {
  vi.resetModules()
  vi.doMock('@/store', () => ({ useStore }))
  vi.doMock('@/shell/leave', () => ({ reload }))
  return import('./page')
}

beforeEach(() => {
  freshStores()
  document.head.innerHTML = html('/assets/index-old.js')
  reload.mockClear()
})

test('the first greeting asks nothing', async () => {
  const { serverAnswered } = await page()
  const fetch = vi.fn()
  vi.stubGlobal('fetch', fetch)
  await serverAnswered()
  expect(fetch).not.toHaveBeenCalled()
})

test('a server that came back as another one is told of once, and nothing is reloaded unasked', async () => {
  const { serverAnswered } = await page()
  serves('/assets/index-new.js')
  await serverAnswered()
  await serverAnswered()
  await serverAnswered()
  expect(notices()).toEqual(['Perigee has been updated. What you have written is kept. Reload'])
  expect(reload).not.toHaveBeenCalled()
})

test('the same server that came back is not worth a word', async () => {
  const { serverAnswered } = await page()
  serves('/assets/index-old.js')
  await serverAnswered()
  await serverAnswered()
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('network')))
  await serverAnswered()
  vi.stubGlobal('fetch', async () => new Response('bad gateway', { status: 502 }))
  await serverAnswered()
  expect(notices()).toEqual([])
})

test('a page that was kept for the time without a server makes way for a newer one', async () => {
  const { serverUnreachable, serverAnswered } = await page()
  serves('/assets/index-new.js')
  serverUnreachable()
  await serverAnswered()
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  expect(notices()).toEqual([])
})

test('the entry is read from a page as it is built', async () => {
  const { entryOf } = await page()
  expect(entryOf(html('/assets/index-1.js'))).toBe('/assets/index-1.js')
  expect(entryOf('<script src="/theme.js"></script>')).toBeNull()
})
