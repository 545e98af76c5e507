import { describe, expect, test } from 'vitest'
import { asParts, fromParts, inside, type Rect, resized, snapped } from './geometry'

const FIELD: Rect = { x: 12, y: 56, width: 1000, height: 700 }
const LEAST = { width: 200, height: 100 }
const rect = (x: number, y: number, width = 300, height = 200): Rect => ({ x, y, width, height })

describe('a panel', () => {
  test.each<[string, Rect, Rect]>([
    ['that fits stays', rect(100, 100), rect(100, 100)],
    ['beyond the left and the top comes back', rect(-500, -500), rect(12, 56)],
    ['beyond the right and the bottom comes back', rect(5000, 5000), rect(712, 556)],
    ['that is larger than the field fills it', rect(0, 0, 9000, 9000), rect(12, 56, 1000, 700)],
    ['that is too small becomes as large as it must', rect(100, 100, 1, 1), rect(100, 100, 200, 100)],
  ])('%s', (_what, given, placed) => expect(inside(given, FIELD, LEAST)).toEqual(placed))

  test('fits into a field that is smaller than the least', () => {
    expect(inside(rect(0, 0), { x: 0, y: 0, width: 120, height: 60 }, LEAST)).toEqual(rect(0, 0, 120, 60))
  })

  test('keeps its place in another window, and comes back to it', () => {
    const parts = asParts(rect(512, 406), FIELD)
    expect(parts).toEqual({ x: 0.5, y: 0.5, width: 0.3, height: 0.2857 })
    expect(fromParts(parts, FIELD)).toEqual(rect(512, 406))
    expect(fromParts(parts, { ...FIELD, width: 500 })).toMatchObject({ x: 262, width: 150 })
    expect(asParts(rect(0, 0), { x: 0, y: 0, width: 0, height: 0 })).toEqual({ x: 0, y: 0, width: 0, height: 0 })
  })

  test.each<[string, Rect, Rect]>([
    ['near the left edge goes there', rect(18, 300), rect(12, 300)],
    ['near the right edge goes there', rect(706, 300), rect(712, 300)],
    ['near the lower right corner goes there', rect(707, 560), rect(712, 556)],
    ['far from everything stays', rect(400, 300), rect(400, 300)],
    ['below another one lines up with it', rect(505, 330), rect(500, 332)],
    ['beside another one keeps the gap', rect(185, 125), rect(188, 120)],
  ])('that is dragged %s', (_what, given, placed) => expect(snapped(given, [rect(500, 120)], FIELD)).toEqual(placed))

  test.each<[Parameters<typeof resized>[1], { x: number; y: number }, Rect]>([
    ['se', { x: 50, y: 40 }, rect(300, 300, 350, 240)],
    ['nw', { x: -50, y: -40 }, rect(250, 260, 350, 240)],
    ['e', { x: 50, y: 99 }, rect(300, 300, 350, 200)],
    ['s', { x: 99, y: 40 }, rect(300, 300, 300, 240)],
    ['w', { x: 900, y: 0 }, rect(400, 300, 200, 200)],
    ['n', { x: 0, y: 900 }, rect(300, 400, 300, 100)],
    ['ne', { x: 5000, y: -5000 }, rect(300, 56, 712, 444)],
    ['sw', { x: -5000, y: 5000 }, rect(12, 300, 588, 456)],
  ])('that is pulled at %s stays usable and inside', (edge, by, after) => expect(resized(rect(300, 300), edge, by, FIELD, LEAST)).toEqual(after))
})
