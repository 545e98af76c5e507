import { expect, test } from 'vitest'
import { FIRST_JUDGEMENT, judged, type Judgement } from './quality'

const DUE = 1000 / 60

function run(state: Judgement, frames: number, took: number): Judgement {
  for (let frame = 0; frame < frames; frame++) state = judged(state, took, DUE)
  return state
}

test('a machine that keeps up is left alone', () => {
  expect(run(FIRST_JUDGEMENT, 5000, DUE).name).toBe('high')
})

test('a slow one is given less, step by step', () => {
  expect(run(FIRST_JUDGEMENT, 60, DUE * 3).name).toBe('middle')
  expect(run(FIRST_JUDGEMENT, 400, DUE * 6).name).toBe('low')
})

test('a hiccup and a tab that slept are no slow machine', () => {
  expect(run(run(FIRST_JUDGEMENT, 100, DUE), 3, DUE * 8).name).toBe('high')
  expect(judged(FIRST_JUDGEMENT, 90_000, DUE)).toMatchObject({ name: 'high', lag: 1 })
})

test('more is tried after a long while, and later each time that it was too much', () => {
  let state = run(FIRST_JUDGEMENT, 60, DUE * 3)
  const before = state.patience
  state = run(state, before + 1, DUE)
  expect(state.name).toBe('high')
  state = run(state, 45, DUE * 3)
  expect(state.name).toBe('middle')
  expect(state.patience).toBe(before * 2)
})
