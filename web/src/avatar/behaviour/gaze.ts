import { clamp, follow } from './ease'
import { randomBetween, type Random } from './random'

/**
 * A direction from the avatar's eyes in radians. `x` is to the viewer's right, `y` is up; 0 is straight at
 * the viewer.
 */
export interface Direction {
  x: number
  y: number
}

export interface Gaze {
  eyes: Direction
  head: Direction
  /** Seconds since the pointer moved. */
  rested: number
  /** The small eye movements that occur even while looking at one point. */
  saccade: Direction & { wait: number }
  /** A target that draws the gaze for a moment. */
  glance: (Direction & { left: number }) | null
}

export interface GazeInput {
  /** The direction of the pointer, or null without one. */
  pointer: Direction | null
  pointerMoved: boolean
  /** The attention paid to the pointer, from 0 to 1. */
  attention: number
}

const AHEAD: Direction = { x: 0, y: 0 }
export const LIMIT: Direction = { x: 0.6, y: 0.34 }
/** Seconds without a move after which the avatar stops looking at the pointer. */
const RESTS = 4
const GLANCE = 1.5
/** Seconds for which the head still turns after a move of the pointer. */
const SETTLES = 0.8
const EYES_RATE = 14
const HEAD_RATE = 3.2
const TREMBLE = 0.03
/** The share of a gaze that the head takes; the eyes do the rest. */
const HEAD_SHARE = 0.45

export const STRAIGHT: Gaze = { eyes: AHEAD, head: AHEAD, rested: RESTS, saccade: { ...AHEAD, wait: 1 }, glance: null }

export function glanceAt(gaze: Gaze, direction: Direction): Gaze {
  return { ...gaze, glance: { ...within(direction), left: GLANCE } }
}

export function stepGaze(gaze: Gaze, dt: number, { pointer, pointerMoved, attention }: GazeInput, random: Random): Gaze {
  const rested = pointerMoved ? 0 : gaze.rested + dt
  const glance = gaze.glance && gaze.glance.left > dt ? { ...gaze.glance, left: gaze.glance.left - dt } : null
  const drawn = glance ?? (pointer && rested < RESTS ? scaled(within(pointer), attention) : AHEAD)
  const saccade = gaze.saccade.wait > dt ? { ...gaze.saccade, wait: gaze.saccade.wait - dt } : nextSaccade(random)
  return {
    eyes: {
      x: follow(gaze.eyes.x, drawn.x + saccade.x, EYES_RATE, dt),
      y: follow(gaze.eyes.y, drawn.y + saccade.y, EYES_RATE, dt),
    },
    head: {
      x: follow(gaze.head.x, drawn.x * HEAD_SHARE, HEAD_RATE, dt),
      y: follow(gaze.head.y, drawn.y * HEAD_SHARE, HEAD_RATE, dt),
    },
    rested,
    saccade,
    glance,
  }
}

/** Returns true while the gaze is directed at a target or still settling. */
export function isDirected({ rested, glance }: Gaze): boolean {
  return glance !== null || rested < SETTLES
}

function nextSaccade(random: Random): Gaze['saccade'] {
  return { x: randomBetween(random, -TREMBLE, TREMBLE), y: randomBetween(random, -TREMBLE, TREMBLE) * 0.6, wait: randomBetween(random, 0.7, 2.6) }
}

function within({ x, y }: Direction): Direction {
  return { x: clamp(x, -LIMIT.x, LIMIT.x), y: clamp(y, -LIMIT.y, LIMIT.y) }
}

function scaled({ x, y }: Direction, by: number): Direction {
  return { x: x * by, y: y * by }
}
