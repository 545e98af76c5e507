// @vitest-environment node
import { expect, test } from 'vitest'
import { FIELD_OF_VIEW, type Framing, shotOf } from './framing'
import type { Measures } from './measure'

const LUNA: Measures = { top: 1.26, crown: 0.88, head: 0.48, eyes: 0.66, hips: 0.22, headHalf: 0.27, bodyHalf: 0.27, reach: 0.6, soles: 0.045 }
const TALL: Measures = { top: 1.8, crown: 1.78, head: 1.55, eyes: 1.66, hips: 0.95, headHalf: 0.11, bodyHalf: 0.42, reach: 2.1, soles: 0.02 }

/** Returns the visible range: its lower and upper edge and its half width. */
function seen(framing: Framing, measures: Measures, aspect: number) {
  const { y, distance } = shotOf(framing, measures, aspect)
  const half = Math.tan((FIELD_OF_VIEW / 2) * (Math.PI / 180)) * distance
  return { low: y - half, high: y + half, side: half * aspect }
}

for (const [name, body] of Object.entries({ LUNA, TALL })) {
  for (const aspect of [0.46, 1, 1.6, 2.4]) {
    test(`${name} at ${aspect}: each framing shows what it should`, () => {
      const face = seen('face', body, aspect)
      expect(face.low).toBeLessThan(body.head)
      expect(face.high).toBeGreaterThan(body.crown)
      expect(face.side).toBeGreaterThan(body.headHalf)
      const bust = seen('bust', body, aspect)
      expect(bust.high).toBeGreaterThan(body.top)
      const full = seen('full', body, aspect)
      expect(full.low).toBeLessThan(0)
      expect(full.high).toBeGreaterThan(body.top)
      expect(full.side).toBeGreaterThan(body.bodyHalf)
    })
  }
  test(`${name}: a face is nearer than a bust, and a bust than all of her`, () => {
    const distance = (framing: Framing) => shotOf(framing, body, 1).distance
    expect(distance('face')).toBeLessThan(distance('bust'))
    expect(distance('bust')).toBeLessThan(distance('full'))
  })
}
