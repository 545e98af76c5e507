// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { litPath } from './litPath'

/** Returns which side of the disc is lit, and which way the terminator bends. */
function shape(phase: number): { limb: string; edge: string; width: number } {
  const found = /A10 10 0 0 (\d) 0 10A([\d.]+) 10 0 0 (\d) 0 -10Z$/.exec(litPath(phase, 10))
  const [, limb, width, back] = found ?? []
  return { limb: limb === '1' ? 'right' : 'left', edge: back === '1' ? 'left' : 'right', width: Number(width) }
}

describe('the lit part of the moon', () => {
  test.each<[string, number, ReturnType<typeof shape>]>([
    ['a new moon is a line at its limb', 0, { limb: 'right', edge: 'right', width: 10 }],
    ['a young one is a sickle on the right', 0.125, { limb: 'right', edge: 'right', width: 7.071 }],
    ['at first quarter the edge is straight', 0.25, { limb: 'right', edge: 'left', width: 0 }],
    ['then it bulges to the left', 0.375, { limb: 'right', edge: 'left', width: 7.071 }],
    ['a full moon reaches from limb to limb', 0.5, { limb: 'left', edge: 'right', width: 10 }],
    ['a waning one is lit on the left', 0.625, { limb: 'left', edge: 'right', width: 7.071 }],
    ['an old one is a sickle on the left', 0.875, { limb: 'left', edge: 'left', width: 7.071 }],
  ])('%s', (_what, phase, wanted) => {
    const { width, ...sides } = shape(phase)
    expect(width).toBeCloseTo(wanted.width, 2)
    // A straight terminator bends neither way.
    if (wanted.width > 0) expect(sides).toEqual({ limb: wanted.limb, edge: wanted.edge })
    else expect(sides.limb).toBe(wanted.limb)
  })
})
