import type { Direction } from './gaze'

/** Turns of a bone in radians: forward, to the right of whoever looks at her, and onto that shoulder. */
export type Turn = [pitch: number, yaw: number, roll: number]
/** What is put on top of an animation. */
export type Turns = Partial<Record<'spine' | 'chest' | 'neck' | 'head' | 'leftShoulder' | 'rightShoulder', Turn>>

export interface Bearing {
  /** From 0 to 1, as her traits are. */
  mood: number
  energy: number
  /** From 0 to 1: how far she leans in to listen. */
  lean: number
  /** From 0 to 1: how much she sleeps. */
  sleep: number
  /** A nod, from 0 to 1. */
  nod: number
  head: Direction
}

const DEGREE = Math.PI / 180

/** How she holds herself. None of it is more than a few degrees: it is felt, not seen. */
export function posture({ mood, energy, lean, sleep, nod, head }: Bearing): Turns {
  const down = 0.5 - mood
  const tired = 0.5 - energy
  const droop = (down * 5 + tired * 4) * DEGREE
  const up = -head.y
  return {
    spine: [droop * 0.5 + lean * 4 * DEGREE + sleep * 2 * DEGREE, head.x * 0.1, 0],
    chest: [droop * 0.5 + lean * 2 * DEGREE, head.x * 0.1, 0],
    neck: [up * 0.35 - lean * 1.5 * DEGREE + nod * 1.5 * DEGREE + sleep * 2 * DEGREE, head.x * 0.35, 0],
    head: [up * 0.65 + droop * 0.6 - lean * 2.5 * DEGREE + nod * 3 * DEGREE + sleep * 3 * DEGREE, head.x * 0.65, lean * 3 * DEGREE + sleep * 4 * DEGREE],
    leftShoulder: [0, 0, -droop * 0.5],
    rightShoulder: [0, 0, droop * 0.5],
  }
}

/** How fast she breathes and sways. */
export function pace(energy: number, sleep: number): number {
  return (0.8 + 0.4 * energy) * (1 - 0.45 * sleep)
}
