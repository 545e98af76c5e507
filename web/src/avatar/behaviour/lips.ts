import type { MouthShape, Viseme } from '@/api/protocol.gen'
import { clamp, follow } from './ease'

/** The mouth shapes of a body, without the closed mouth. */
export type OpenMouthShape = Exclude<MouthShape, 'closed'>
export type Mouth = Record<OpenMouthShape, number>

export const SHAPES: OpenMouthShape[] = ['aa', 'ih', 'ou', 'ee', 'oh']
export const SHUT: Mouth = { aa: 0, ih: 0, ou: 0, ee: 0, oh: 0 }
/** Seconds by which one shape overlaps the next. */
const BLEND = 0.05
const RATE = 28

/**
 * The sound at one moment: its loudness from 0 to 1, and the distribution over low, middle and high
 * frequencies.
 */
export interface SoundLevels {
  level: number
  low: number
  mid: number
  high: number
}

/** Returns the mouth at this second of the sound. */
export function fromVisemes(visemes: Viseme[], at: number): Mouth {
  const mouth = { ...SHUT }
  for (const { at: begin, seconds, shape, weight } of visemes) {
    if (shape === 'closed' || at < begin - BLEND || at > begin + seconds + BLEND) continue
    const edge = Math.min(at - begin + BLEND, begin + seconds + BLEND - at)
    mouth[shape] = Math.max(mouth[shape], clamp(weight, 0, 1) * clamp(edge / (2 * BLEND), 0, 1))
  }
  return capped(mouth)
}

/** The level below which only breath and noise are heard. */
const QUIET = 0.015
const LOUD = 0.22

/** Derives a mouth from sound without visemes: the loudness opens it, and the timbre rounds or widens it. */
export function fromSound({ level, low, mid, high }: SoundLevels): Mouth {
  const open = clamp((level - QUIET) / (LOUD - QUIET), 0, 1) ** 0.7
  const whole = low + mid + high
  if (open === 0 || whole <= 0) return SHUT
  return capped({ ...SHUT, ou: (open * low * 0.9) / whole, aa: (open * mid * 1.5) / whole, ee: (open * high * 1.1) / whole })
}

export function stepMouth(mouth: Mouth, wanted: Mouth, dt: number): Mouth {
  const next = { ...SHUT }
  for (const shape of SHAPES) {
    const value = follow(mouth[shape], wanted[shape], RATE, dt)
    next[shape] = value < 0.002 ? 0 : value
  }
  return next
}

/** Limits the sum of all shapes, because too much would distort the face. */
function capped(mouth: Mouth): Mouth {
  const sum = SHAPES.reduce((all, shape) => all + mouth[shape], 0)
  if (sum <= 1) return mouth
  const within = { ...SHUT }
  for (const shape of SHAPES) within[shape] = mouth[shape] / sum
  return within
}
