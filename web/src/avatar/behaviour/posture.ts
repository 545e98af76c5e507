import type { Direction } from './gaze'

/** Rotation of a bone in radians: forward, to the viewer's right, and towards that shoulder. */
export type BoneRotation = [pitch: number, yaw: number, roll: number]
/** The rotations applied on top of an animation. */
export type BoneRotations = Partial<Record<'spine' | 'chest' | 'neck' | 'head' | 'leftShoulder' | 'rightShoulder', BoneRotation>>

export interface PostureInput {
  /** From 0 to 1, like the trait of the same name. */
  mood: number
  energy: number
  /** From 0 to 1: how far the avatar leans in to listen. */
  lean: number
  /** From 0, awake, to 1, asleep. */
  sleep: number
  /** The progress of a nod, from 0 to 1. */
  nod: number
  head: Direction
}

const DEGREE = Math.PI / 180

/** Computes the posture. No rotation exceeds a few degrees, so that the effect stays subtle. */
export function posture({ mood, energy, lean, sleep, nod, head }: PostureInput): BoneRotations {
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

/** Returns the speed factor of breathing and swaying. */
export function idleSpeed(energy: number, sleep: number): number {
  return (0.8 + 0.4 * energy) * (1 - 0.45 * sleep)
}
