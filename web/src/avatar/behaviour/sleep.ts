import { toward } from './ease'

/** Seconds without interaction until the avatar falls asleep. */
export const AWAKE_FOR = 180
const CLOSING = 2.5
const WAKING = 0.35

export interface Sleep {
  /** Seconds since the last interaction. */
  alone: number
  /** From 0, awake, to 1, asleep. */
  depth: number
}

export const AWAKE: Sleep = { alone: 0, depth: 0 }

export function stepSleep({ alone, depth }: Sleep, dt: number, busy: boolean): Sleep {
  const now = busy ? 0 : alone + dt
  return { alone: now, depth: now >= AWAKE_FOR ? toward(depth, 1, dt / CLOSING) : toward(depth, 0, dt / WAKING) }
}

export function woken(sleep: Sleep): Sleep {
  return { ...sleep, alone: 0 }
}

/** Returns true in the one step in which the avatar becomes sleepy. */
export function fallsAsleep(before: Sleep, after: Sleep): boolean {
  return before.alone < AWAKE_FOR && after.alone >= AWAKE_FOR
}
