// @vitest-environment node
import { expect, test } from 'vitest'
import { blended, FADE } from './blend'

const sum = (weights: number[]) => weights.reduce((all, weight) => all + weight, 0)

test('one takes over from the other in the time of a fade', () => {
  let weights = [1, 0]
  for (let at = 0; at < FADE / 2; at += 0.01) weights = blended(weights, 1, 0.01)
  expect(weights[1]).toBeCloseTo(0.5, 1)
  expect(sum(weights)).toBeCloseTo(1)
  for (let at = 0; at < FADE; at += 0.01) weights = blended(weights, 1, 0.01)
  expect(weights).toEqual([0, 1])
})

test('what is interrupted half way goes on from there, whoever comes next', () => {
  let weights = [1, 0, 0]
  const choose = [1, 1, 1, 2, 2, 0, 0, 0, 1, 2, 2, 2]
  for (const chosen of choose) {
    const next = blended(weights, chosen, 0.05)
    expect(sum(next)).toBeCloseTo(1)
    next.forEach((weight, index) => expect(Math.abs(weight - (weights[index] ?? 0))).toBeLessThanOrEqual(0.05 / FADE + 1e-9))
    weights = next
  }
})

test('without others it has all the weight', () => {
  expect(blended([0], 0, 0)).toEqual([1])
  expect(blended([0, 0], 1, 0)).toEqual([0, 1])
})
