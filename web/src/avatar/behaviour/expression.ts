import type { Expression } from '@/api/protocol.gen'
import { clamp, toward } from './ease'

/** An expression with a shape of its own. */
export type FacialExpression = Exclude<Expression, 'neutral'>

const EXPRESSIONS: FacialExpression[] = ['happy', 'angry', 'sad', 'relaxed', 'surprised']
const IN = 0.2
const HOLD = 4
const OUT = 0.5
/** The share by which each expression shuts or widens the eyes and so suppresses blinking. */
const HOLDS_EYES: Record<FacialExpression, number> = { happy: 1, angry: 0, sad: 0.3, relaxed: 0.6, surprised: 1 }

/** The state of the facial expression. */
export interface ExpressionState {
  current: FacialExpression | null
  intensity: number
  /** Seconds since the current expression began. */
  age: number
  weights: Record<FacialExpression, number>
}

export const NEUTRAL: ExpressionState = { current: null, intensity: 0, age: 0, weights: { happy: 0, angry: 0, sad: 0, relaxed: 0, surprised: 0 } }

export function withExpression(feeling: ExpressionState, expression: Expression, intensity: number): ExpressionState {
  const current = expression === 'neutral' ? null : expression
  return { ...feeling, current, intensity: clamp(intensity, 0, 1), age: 0 }
}

/** Advances by one frame: the latest expression fades in, and all others fade out at the same pace. */
export function stepExpression(feeling: ExpressionState, dt: number): ExpressionState {
  const age = feeling.age + dt
  const current = feeling.current !== null && age > IN + HOLD ? null : feeling.current
  const weights = { ...feeling.weights }
  const off = current === null ? OUT : IN
  for (const felt of EXPRESSIONS) {
    weights[felt] = felt === current ? toward(weights[felt], feeling.intensity, dt / IN) : toward(weights[felt], 0, dt / off)
  }
  return { ...feeling, current, age, weights }
}

/** Advances by one frame without fading, for reduced motion. */
export function stepExpressionAtOnce(feeling: ExpressionState, dt: number): ExpressionState {
  const { current, age, intensity, weights } = stepExpression(feeling, dt)
  const shown = { ...weights }
  for (const felt of EXPRESSIONS) shown[felt] = felt === current ? intensity : 0
  return { current, age, intensity, weights: shown }
}

/** Returns true while a weight is still changing. */
export function isChanging({ current, weights, intensity }: ExpressionState): boolean {
  return EXPRESSIONS.some((felt) => weights[felt] !== (felt === current ? intensity : 0))
}

/** Returns the share of blinking that the expression allows, from 0 to 1. */
export function blinkShare({ weights }: ExpressionState): number {
  return clamp(1 - EXPRESSIONS.reduce((sum, felt) => sum + weights[felt] * HOLDS_EYES[felt], 0), 0, 1)
}
