import '@/testkit/browser'
import { act as settle } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { useStore } from '@/store'
import { button, clear, draw, press } from '@/testkit/draw'
import { act, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { LOADING } from './conversation'
import Pins from './Pins'

const CHAT = '0000000000abc'

// Imports the lazily loaded part in advance, so that no test waits for the compiler.
beforeAll(async () => void (await import('@/widgets/Opened')))

beforeEach(() => {
  serve()
  const steps = act('a', 'widget', { command: { action: 'widget', payload: { title: 'Steps', data: ['one'] } } })
  freshStores({ conversations: { [CHAT]: { ...LOADING, state: 'ready', pinned: [{ messageId: 'm', act: steps }] } } })
})

afterEach(async () => {
  await clear()
  vi.unstubAllGlobals()
})

const panel = () => document.querySelector('aside')
const escape = () => settle(async () => void document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })))

test('Escape closes what lies over the panel first, and then the panel', async () => {
  await draw(<Pins chat={CHAT} />)
  await settle(async () => useStore.getState().showPin('a'))
  await vi.waitFor(() => expect(button('Show full screen')).toBeDefined())
  await press('Show full screen')
  expect(document.querySelector('[role=dialog]')).not.toBeNull()
  await escape()
  expect(document.querySelector('[role=dialog]')).toBeNull()
  expect(panel()).not.toBeNull()
  await settle(async () => panel()?.focus())
  await escape()
  expect(panel()).toBeNull()
})
