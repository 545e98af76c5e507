export function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

/** Moves a value towards its goal by at most one step, without overshooting. */
export function toward(value: number, goal: number, step: number): number {
  return value < goal ? Math.min(goal, value + step) : Math.max(goal, value - step)
}

/** Moves a value towards its goal exponentially, independent of the frame length. */
export function follow(value: number, goal: number, rate: number, dt: number): number {
  return goal + (value - goal) * Math.exp(-rate * dt)
}

/** Eases a progress from 0 to 1 in and out. */
export function smooth(part: number): number {
  const t = clamp(part, 0, 1)
  return t * t * (3 - 2 * t)
}
