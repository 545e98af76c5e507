import { randomBetween, type Random } from './random'

const LASTS = 0.55

/** Small nods that accompany speech. */
export interface Nods {
  /** Seconds to the next nod; negative while one is under way. */
  wait: number
  size: number
}

export const NO_NODS: Nods = { wait: 0.8, size: 0.6 }

export function stepNods({ wait, size }: Nods, dt: number, talking: boolean, random: Random): Nods {
  // A nod that has begun is finished, but none begins while the avatar is silent.
  if (!talking && wait >= 0) return { wait: Math.max(wait, 0.4), size }
  const left = wait - dt
  return left > -LASTS ? { wait: left, size } : { wait: randomBetween(random, 0.9, 3.2), size: randomBetween(random, 0.35, 1) }
}

export function nod({ wait, size }: Nods): number {
  return wait >= 0 ? 0 : size * Math.sin((-wait / LASTS) * Math.PI) ** 2
}
