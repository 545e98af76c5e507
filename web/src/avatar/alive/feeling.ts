import type { Expression } from '@/api/protocol.gen'
import { clamp, toward } from './ease'

/** An expression with a shape of its own. */
export type Felt = Exclude<Expression, 'neutral'>

const FELT: Felt[] = ['happy', 'angry', 'sad', 'relaxed', 'surprised']
const IN = 0.2
const HOLD = 4
const OUT = 0.5
/** The share by which each expression shuts or widens the eyes and so suppresses blinking. */
const HOLDS_EYES: Record<Felt, number> = { happy: 1, angry: 0, sad: 0.3, relaxed: 0.6, surprised: 1 }

/** The state of the facial expression. */
export interface Feeling {
  current: Felt | null
  intensity: number
  /** Seconds since the current expression began. */
  age: number
  weights: Record<Felt, number>
}

export const CALM: Feeling = { current: null, intensity: 0, age: 0, weights: { happy: 0, angry: 0, sad: 0, relaxed: 0, surprised: 0 } }

export function feel(feeling: Feeling, expression: Expression, intensity: number): Feeling {
  const current = expression === 'neutral' ? null : expression
  return { ...feeling, current, intensity: clamp(intensity, 0, 1), age: 0 }
}

/** Advances by one frame: the latest expression fades in, and all others fade out at the same pace. */
export function feelOn(feeling: Feeling, dt: number): Feeling {
  const age = feeling.age + dt
  const current = feeling.current !== null && age > IN + HOLD ? null : feeling.current
  const weights = { ...feeling.weights }
  const off = current === null ? OUT : IN
  for (const felt of FELT) {
    weights[felt] = felt === current ? toward(weights[felt], feeling.intensity, dt / IN) : toward(weights[felt], 0, dt / off)
  }
  return { ...feeling, current, age, weights }
}

/** Advances by one frame without fading, for reduced motion. */
export function feelAtOnce(feeling: Feeling, dt: number): Feeling {
  const { current, age, intensity, weights } = feelOn(feeling, dt)
  const shown = { ...weights }
  for (const felt of FELT) shown[felt] = felt === current ? intensity : 0
  return { current, age, intensity, weights: shown }
}

/** Returns true while a weight is still changing. */
export function stirs({ current, weights, intensity }: Feeling): boolean {
  return FELT.some((felt) => weights[felt] !== (felt === current ? intensity : 0))
}

/** Returns the share of blinking that the expression allows, from 0 to 1. */
export function blinking({ weights }: Feeling): number {
  return clamp(1 - FELT.reduce((sum, felt) => sum + weights[felt] * HOLDS_EYES[felt], 0), 0, 1)
}
