import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useStore } from '@/store'
import { clear, draw } from '@/testkit/draw'
import { serve, summary } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { ChatListView } from './ChatListView'

const MANY = Array.from({ length: 200 }, (_, index) => summary(String(index).padStart(13, '0'), { title: `Chat ${index}` }))

beforeEach(() => {
  serve()
  freshStores({ chatsState: 'loading' })
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
})

afterEach(async () => {
  await clear()
  vi.unstubAllGlobals()
})

test('a list that comes after the page draws what is scrolled to', async () => {
  const host = await draw(<ChatListView />)
  expect(host.textContent).toBe('')
  await act(async () => useStore.setState({ chats: MANY, chatsState: 'ready' }))
  expect(host.textContent).toContain('Chat 0')
  expect(host.textContent).not.toContain('Chat 150')

  const scroller = host.querySelector('.overflow-y-auto') as HTMLElement
  await act(async () => {
    scroller.scrollTop = 150 * 34
    scroller.dispatchEvent(new Event('scroll'))
  })
  expect(host.textContent).toContain('Chat 150')
  expect(host.textContent).not.toContain('Chat 100')
})

test('a list that is emptied and filled again does too', async () => {
  const host = await draw(<ChatListView />)
  await act(async () => useStore.setState({ chats: MANY, chatsState: 'ready' }))
  await act(async () => useStore.setState({ chats: [] }))
  expect(host.textContent).toContain('Your chats appear here.')
  await act(async () => useStore.setState({ chats: MANY }))
  const scroller = host.querySelector('.overflow-y-auto') as HTMLElement
  await act(async () => {
    scroller.scrollTop = 150 * 34
    scroller.dispatchEvent(new Event('scroll'))
  })
  expect(host.textContent).toContain('Chat 150')
})
