import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Loop } from './loop'

let frames: FrameRequestCallback[] = []

beforeEach(() => {
  frames = []
  vi.stubGlobal('requestAnimationFrame', (work: FrameRequestCallback) => frames.push(work))
  vi.stubGlobal('cancelAnimationFrame', () => (frames = []))
})
afterEach(() => vi.unstubAllGlobals())

/** Simulates a 60 Hz screen. */
function run(from: number, count: number): void {
  for (let i = 0; i < count; i++) for (const work of frames.splice(0)) work(from + (i * 1000) / 60)
}

function loop(fps: number) {
  const steps: number[] = []
  return { steps, loop: new Loop({ fps: () => fps, longest: () => 0.1, frame: (dt) => steps.push(dt) }) }
}

test('it draws at the pace that is wanted', () => {
  const [fast, slow] = [loop(60), loop(30)]
  fast.loop.setSeen(true)
  slow.loop.setSeen(true)
  run(1000, 61)
  expect(fast.steps).toHaveLength(61)
  expect(slow.steps).toHaveLength(31)
  expect(slow.steps[5]).toBeCloseTo(1 / 30)
})

test('out of sight nothing is drawn or asked for, and nothing jumps afterwards', () => {
  const { loop: it, steps } = loop(60)
  it.setSeen(true)
  run(1000, 10)
  it.setSeen(false)
  expect(frames).toHaveLength(0)
  run(2000, 10)
  expect(steps).toHaveLength(10)
  it.setSeen(true)
  run(90_000, 1)
  expect(steps.at(-1)).toBe(0)
})

test('a frame that hangs is a short step', () => {
  const { loop: it, steps } = loop(60)
  it.setSeen(true)
  run(1000, 1)
  run(6000, 1)
  expect(steps.at(-1)).toBe(0.1)
})

test('a test that stepped by hand lets it go on', () => {
  const { loop: it, steps } = loop(60)
  it.setSeen(true)
  it.setPaused(true)
  run(1000, 5)
  expect(steps).toHaveLength(0)
  it.setPaused(false)
  run(2000, 2)
  expect(steps).toHaveLength(2)
})

test('what cannot wait does not, and time goes on as it was', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { loop: it, steps } = loop(2)
  it.hurry()
  expect(frames).toHaveLength(0)
  it.setSeen(true)
  run(1000, 1)
  it.hurry()
  run(1080, 1)
  expect(steps).toEqual([0, 0.08])
  expect(frames).toHaveLength(0)
  vi.advanceTimersByTime(500)
  run(1580, 1)
  expect(steps).toHaveLength(3)
  vi.useRealTimers()
})

test('what comes seldom is slept towards, and does not keep the page awake', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { loop: it, steps } = loop(2)
  it.setSeen(true)
  run(1000, 1)
  expect(frames).toHaveLength(0)
  vi.advanceTimersByTime(449)
  expect(frames).toHaveLength(0)
  vi.advanceTimersByTime(51)
  run(1500, 1)
  expect(steps).toHaveLength(2)
  it.setSeen(false)
  vi.advanceTimersByTime(5000)
  expect(frames).toHaveLength(0)
  vi.useRealTimers()
})
