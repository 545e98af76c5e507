import type { Measures } from './measure'

/** How much of her is in the picture. */
export type Framing = 'face' | 'bust' | 'full'

/** Degrees from the upper to the lower edge: a long lens flatters. */
export const FIELD = 22

export interface Shot {
  /** The middle of the picture, and how far away the camera is from it. */
  y: number
  distance: number
}

/** From where to where the picture reaches, and how wide it must be to each side. */
function span(framing: Framing, { top, crown, head, hips, headHalf, bodyHalf, reach }: Measures): { low: number; high: number; half: number } {
  const tall = crown - head
  if (framing === 'face') return { low: head - tall * 0.1, high: crown + tall * 0.18, half: headHalf * 1.12 }
  if (framing === 'bust') return { low: hips + (head - hips) * 0.22, high: top + tall * 0.12, half: Math.max(headHalf, bodyHalf * 0.8) * 1.1 }
  // A hand that waves is seen, but she is not made small for one that is stretched up.
  return { low: -top * 0.045, high: Math.max(top * 1.03, Math.min(reach, top * 1.1)), half: bodyHalf * 1.12 }
}

/** Where the camera stands for any body and any shape of the picture. */
export function shotOf(framing: Framing, measures: Measures, aspect: number): Shot {
  const { low, high, half } = span(framing, measures)
  const tangent = Math.tan((FIELD / 2) * (Math.PI / 180))
  const tall = (high - low) / 2 / tangent
  const wide = half / (tangent * Math.max(0.05, aspect))
  return { y: (low + high) / 2, distance: Math.max(tall, wide) + measures.headHalf * 0.5 }
}
