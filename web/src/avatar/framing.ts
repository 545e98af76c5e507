import type { Measures } from './measure'

/** The part of the avatar that is in the picture. */
export type Framing = 'face' | 'bust' | 'full'

/** The vertical field of view in degrees: a long lens is flattering. */
export const FIELD_OF_VIEW = 22

export interface Shot {
  /** The height of the centre of the picture, and the camera's distance from it. */
  y: number
  distance: number
}

/** Returns the vertical range of the picture and its minimum half width. */
function span(framing: Framing, { top, crown, head, hips, headHalf, bodyHalf, reach }: Measures): { low: number; high: number; half: number } {
  const tall = crown - head
  if (framing === 'face') return { low: head - tall * 0.1, high: crown + tall * 0.18, half: headHalf * 1.12 }
  if (framing === 'bust') return { low: hips + (head - hips) * 0.22, high: top + tall * 0.12, half: Math.max(headHalf, bodyHalf * 0.8) * 1.1 }
  // There is room for a waving hand, but the avatar is not made smaller for an arm stretched straight up.
  return { low: -top * 0.045, high: Math.max(top * 1.03, Math.min(reach, top * 1.1)), half: bodyHalf * 1.12 }
}

/** Computes the camera position for any body and any aspect ratio. */
export function shotOf(framing: Framing, measures: Measures, aspect: number): Shot {
  const { low, high, half } = span(framing, measures)
  const tangent = Math.tan((FIELD_OF_VIEW / 2) * (Math.PI / 180))
  const tall = (high - low) / 2 / tangent
  const wide = half / (tangent * Math.max(0.05, aspect))
  return { y: (low + high) / 2, distance: Math.max(tall, wide) + measures.headHalf * 0.5 }
}
