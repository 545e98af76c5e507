// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { firstJudgement, judged, type Judgement, type Quality, LEVELS, levelOf, SOFTWARE_START } from './quality'

const HIGH = LEVELS.length - 1

/** The cost of a picture on a machine, in milliseconds. */
type Machine = (rung: Quality, second: number) => number

/** A machine that renders in software, with a cost for vertices and a cost for pixels. */
const processor = (corners: number, points: number): Machine => ({ pixelRatio, outlines }) => (corners + points * pixelRatio ** 2) * (outlines ? 1.6 : 1)

interface Life {
  seconds: number
  software?: boolean
  /** Extra delay between frames in milliseconds, caused by the rest of the page. */
  late?: (second: number) => number
}

/**
 * Simulates a machine for some seconds with the frames that the loop would produce: measured at intervals and
 * displayed at the next 60 Hz refresh.
 */
function live(from: Judgement, machine: Machine, { seconds, software = false, late = () => 0 }: Life) {
  let state = from
  const visited = [state.rung]
  let [busy, at] = [0, 0]
  for (let measured = -Infinity; at < seconds * 1000; ) {
    const rung = LEVELS[state.rung] as Quality
    const due = 1000 / (rung.fps === 0 ? 1 / 15 : Math.min(30, rung.fps))
    const cost = machine(rung, at / 1000)
    const samples = at - measured >= (state.since < 3000 ? 300 : 2000)
    if (samples) measured = at
    const took = Math.ceil(Math.max(due, cost) / (1000 / 60) - 1e-6) * (1000 / 60) + late(at / 1000)
    busy += cost
    at += took
    const next = judged(state, { took, due, cost: samples ? cost : null }, software)
    if (next.rung !== state.rung) visited.push(next.rung)
    state = next
  }
  return { state, visited, share: busy / at, name: (LEVELS[state.rung] as Quality).name, fps: (LEVELS[state.rung] as Quality).fps }
}

test('a machine that keeps up is left alone', () => {
  expect(live(firstJudgement(HIGH), () => 4, { seconds: 600 }).visited).toEqual([HIGH])
})

test('frames that come late are given less, step by step, whoever makes them late', () => {
  const { visited } = live(firstJudgement(HIGH), () => 4, { seconds: 12, late: () => 50 })
  expect(visited.slice(0, 3)).toEqual([HIGH, HIGH - 1, HIGH - 2])
})

test('a hiccup and a tab that slept are no slow machine', () => {
  const hangs: Machine = (_, second) => (second > 3 && second < 3.5 ? 200 : 4)
  const sleeps = (second: number) => (second > 10 && second < 10.03 ? 90_000 : 0)
  expect(live(firstJudgement(HIGH), hangs, { seconds: 60, late: sleeps }).visited).toEqual([HIGH])
})

test('one that draws for seconds is found out, though a tab that slept looks alike', () => {
  expect(live(firstJudgement(HIGH), processor(50, 900), { seconds: 60 }).name).toBe('still')
})

describe('where the processor draws', () => {
  test.each([
    ['a fast one', processor(3, 4), 15],
    ['a middling one', processor(6, 10), 8],
    ['a slow one', processor(24, 40), 2],
    ['two slow cores that others use, too', processor(45, 90), 1],
  ])('%s has its pace, takes about a third of a core at most, and stays there', (_, machine, fps) => {
    const begun = live(firstJudgement(SOFTWARE_START), machine, { seconds: 120, software: true })
    expect(begun.visited.length).toBeLessThan(5)
    const lasting = live(begun.state, machine, { seconds: 1200, software: true })
    expect({ name: lasting.name, fps: lasting.fps }).toEqual({ name: 'least', fps })
    expect(lasting.share).toBeLessThan(0.3)
    expect(lasting.visited).toHaveLength(1)
  })

  test('nothing is left out of a picture, only pictures', () => {
    for (const { name, pixelRatio, outlines } of LEVELS.slice(0, levelOf('low'))) expect({ name, pixelRatio, outlines }).toMatchObject({ pixelRatio: 1, outlines: true })
  })

  test.each([processor(12, 30), processor(25, 70), processor(50, 130), processor(70, 150)])('one that does not say so is found out by what it takes', (machine) => {
    const begun = live(firstJudgement(HIGH), machine, { seconds: 60 })
    const lasting = live(begun.state, machine, { seconds: 1200 })
    expect(lasting.name).toBe('least')
    expect(lasting.share).toBeLessThan(0.46)
    expect(lasting.visited).toHaveLength(1)
  })

  test('one that draws her in no time has all of her, but not all that is around her', () => {
    const { name, state } = live(firstJudgement(SOFTWARE_START), () => 1, { seconds: 600, software: true })
    expect({ name, ...LEVELS[state.rung] }).toMatchObject({ name: 'least', pixelRatio: 1, fps: 30 })
  })

  test('it is found out within a few seconds', () => {
    expect(live(firstJudgement(HIGH), processor(60, 130), { seconds: 6 }).fps).toBeLessThanOrEqual(4)
    expect(live(firstJudgement(SOFTWARE_START), processor(60, 130), { seconds: 4, software: true }).fps).toBeLessThanOrEqual(2)
  })

  test('a picture that takes longer than can be waited for stands still, and moves again when that is over', () => {
    const machine: Machine = (_, second) => (second < 100 ? 700 : 45)
    const begun = live(firstJudgement(SOFTWARE_START), machine, { seconds: 99, software: true })
    expect(begun.name).toBe('still')
    const after = live(begun.state, () => 45, { seconds: 300, software: true })
    expect(after.fps).toBe(4)
  })

  test('costs that are never the same twice do not make it go up and down', () => {
    let seed = 7
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647
    for (const corners of [8, 14, 25, 40, 60, 90]) {
      const noisy: Machine = (rung) => processor(corners, corners * 2)(rung, 0) * (0.7 + random() * 0.6)
      const { visited, share } = live(firstJudgement(SOFTWARE_START), noisy, { seconds: 1800, software: true })
      expect(visited.length, `${corners}: ${visited}`).toBeLessThan(16)
      expect(share).toBeLessThan(0.36)
    }
  })
})

test('a graphics card that was busy with something else has everything back after a while', () => {
  const card: Machine = (_, second) => (second < 60 ? 200 : 5)
  const busy = live(firstJudgement(HIGH), card, { seconds: 59 })
  expect(busy.name).toBe('least')
  expect(live(busy.state, () => 5, { seconds: 300 }).state.rung).toBe(HIGH)
})

test('more is tried later each time that it was too much', () => {
  const machine: Machine = ({ name }) => (name === 'high' ? 40 : 8)
  const { state, visited } = live(firstJudgement(HIGH), machine, { seconds: 1800 })
  expect(visited.length).toBeLessThan(24)
  expect(state.patience).toBeGreaterThan(100_000)
})

test('a name means the best of its kind', () => {
  expect(LEVELS[levelOf('low')]).toMatchObject({ pixelRatio: 1, outlines: false })
  expect(levelOf('still')).toBe(0)
  expect(levelOf('high')).toBe(HIGH)
})
