export function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

/** Goes towards its goal at a steady pace, and no further. */
export function toward(value: number, goal: number, step: number): number {
  return value < goal ? Math.min(goal, value + step) : Math.max(goal, value - step)
}

/** Comes closer to its goal by a share in each second, however long the frames are. */
export function follow(value: number, goal: number, rate: number, dt: number): number {
  return goal + (value - goal) * Math.exp(-rate * dt)
}

/** Begins and ends softly. */
export function smooth(part: number): number {
  const t = clamp(part, 0, 1)
  return t * t * (3 - 2 * t)
}
