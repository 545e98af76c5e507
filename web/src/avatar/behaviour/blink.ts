import { randomBetween, type Random } from './random'

/** Seconds that a blink takes, from open to open. */
export const BLINK = 0.12
const LEAST = 2
const MOST = 6
/** The probability that a second blink follows immediately. */
const AGAIN = 0.14
const AGAIN_AFTER = 0.18

export interface Blink {
  /** Seconds to the next blink; negative while one is under way. */
  wait: number
}

export function firstBlink(random: Random): Blink {
  return { wait: randomBetween(random, LEAST, MOST) }
}

export function blink({ wait }: Blink, dt: number, random: Random): Blink {
  const left = wait - dt
  if (left > -BLINK) return { wait: left }
  return { wait: random() < AGAIN ? AGAIN_AFTER : randomBetween(random, LEAST, MOST) }
}

/** Returns how far the eyes are shut, from 0 to 1. They shut faster than they open. */
export function shut({ wait }: Blink): number {
  if (wait >= 0) return 0
  const part = -wait / BLINK
  return part < 0.4 ? part / 0.4 : Math.max(0, (1 - part) / 0.6)
}
