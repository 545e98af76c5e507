import '@/testkit/browser'
import { act } from 'react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { BackgroundList } from '@/api/protocol.gen'
import { useStore } from '@/store'
import { clear, draw } from '@/testkit/draw'
import { freshStores } from '@/testkit/stores'
import Backdrop, { shownBackground } from './Backdrop'

const LIST: BackgroundList = {
  current: 'night',
  backgrounds: [
    { filename: 'night', kind: 'sky', url: null },
    { filename: 'dusk', kind: 'sky', url: null },
    { filename: 'sea.jpg', kind: 'picture', url: '/api/assets/backgrounds/sea.jpg?v=1' },
  ],
}
let decoded: { done: () => void; failed: (error: Error) => void }

beforeEach(() => {
  freshStores({ backgrounds: LIST })
  HTMLImageElement.prototype.decode = () => new Promise((done, failed) => void (decoded = { done: () => done(undefined), failed }))
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
})

afterEach(clear)

const layers = (host: ParentNode) => [...host.querySelectorAll('.backdrop-layer')].map((layer) => layer.firstElementChild)
const choose = (current: string) => act(async () => useStore.getState().backgroundChanged(current))

test.each([
  ['', 'night'], ['night', 'night'], ['dusk', 'dusk'], ['#102030', '#102030'], ['gone.png', 'night'], ['#12345', 'night'], ['__proto__', 'night'],
])('“%s” is shown as %s', (current, key) => {
  expect(shownBackground({ ...LIST, current }).key).toBe(key)
  expect(shownBackground(null).key).toBe('night')
})

test('a new one fades in over the old one, which then goes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const host = await draw(<Backdrop />)
  expect(layers(host)).toHaveLength(1)
  await choose('#102030')
  expect(layers(host)).toHaveLength(2)
  expect((layers(host)[1] as HTMLElement).style.backgroundColor).toBe('rgb(16, 32, 48)')
  await act(async () => void vi.advanceTimersByTime(400))
  expect(layers(host)).toHaveLength(1)
  expect(host.querySelector('[data-sky]')).toBeNull()
})

test('a picture comes when it can be drawn whole, and the night where it cannot', async () => {
  const host = await draw(<Backdrop />)
  await choose('sea.jpg')
  expect(host.querySelector('img')).toBeNull()
  await act(async () => decoded.done())
  expect(host.querySelector('img')?.getAttribute('src')).toBe('/api/assets/backgrounds/sea.jpg?v=1')
  await choose('#102030')
  await choose('sea.jpg')
  await act(async () => decoded.failed(new Error('broken')))
  expect(layers(host).at(-1)?.getAttribute('data-sky')).toBe('night')
})

test('a picture that was passed over does not come late', async () => {
  const host = await draw(<Backdrop />)
  await choose('sea.jpg')
  const late = decoded
  await choose('dusk')
  await act(async () => late.done())
  expect(host.querySelector('img')).toBeNull()
})

test('before anything is known there is nothing, and without a server the night', async () => {
  useStore.setState({ backgrounds: null })
  const host = await draw(<Backdrop />)
  expect(layers(host)).toHaveLength(0)
  await act(async () => useStore.setState({ bodyTrouble: 'Perigee does not answer.' }))
  expect(layers(host)[0]?.getAttribute('data-sky')).toBe('night')
})
