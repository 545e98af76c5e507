import { clamp } from './behaviour/ease'

/** Seconds that the fade from one animation to the next takes. */
export const FADE = 0.3

/**
 * Shifts the weight to the chosen animation at a steady pace and takes it from the others in proportion. A
 * fade that is interrupted continues from its current weights, and the sum is always 1.
 */
export function blended(weights: number[], chosen: number, dt: number): number[] {
  const own = weights[chosen] ?? 0
  const grown = clamp(own + dt / FADE, 0, 1)
  const rest = weights.reduce((sum, weight, index) => (index === chosen ? sum : sum + weight), 0)
  if (rest <= 1e-9) return weights.map((_, index) => (index === chosen ? 1 : 0))
  return weights.map((weight, index) => (index === chosen ? grown : (weight * (1 - grown)) / rest))
}
