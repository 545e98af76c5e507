/** Returns a number from 0 to below 1. It is passed in so that tests are deterministic. */
export type Random = () => number

/** A generator that yields the same numbers for the same seed. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function randomBetween(random: Random, least: number, most: number): number {
  return least + (most - least) * random()
}
