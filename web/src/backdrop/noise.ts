/** A random generator that yields the same numbers for the same seed. */
export function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export type Noise = (x: number, y: number) => number

const TABLE = 256

/** Creates gradient noise: smooth variation around 0 without a preferred direction. */
export function gradientNoise(seed: number): Noise {
  const next = chance(seed)
  const order = Array.from({ length: TABLE }, (_, index) => index)
  for (let index = TABLE - 1; index > 0; index -= 1) {
    const other = Math.floor(next() * (index + 1))
    ;[order[index], order[other]] = [order[other] as number, order[index] as number]
  }
  const permuted = Uint8Array.from(order)
  const xs = Float32Array.from(order, (value) => Math.cos((value / TABLE) * Math.PI * 2))
  const ys = Float32Array.from(order, (value) => Math.sin((value / TABLE) * Math.PI * 2))
  const at = (ix: number, iy: number, dx: number, dy: number) => {
    const entry = permuted[((permuted[ix & 255] as number) + iy) & 255] as number
    return (xs[entry] as number) * dx + (ys[entry] as number) * dy
  }
  return (x, y) => {
    const ix = Math.floor(x)
    const iy = Math.floor(y)
    const dx = x - ix
    const dy = y - iy
    const u = dx * dx * dx * (dx * (dx * 6 - 15) + 10)
    const v = dy * dy * dy * (dy * (dy * 6 - 15) + 10)
    const upper = at(ix, iy, dx, dy) * (1 - u) + at(ix + 1, iy, dx - 1, dy) * u
    const lower = at(ix, iy + 1, dx, dy - 1) * (1 - u) + at(ix + 1, iy + 1, dx - 1, dy - 1) * u
    return (upper * (1 - v) + lower * v) * 1.5
  }
}

/**
 * Sums noise at ever finer scales, each half as strong, for clouds, dust and maria. Ranges from about -1 to
 * 1.
 */
export function layered(noise: Noise, x: number, y: number, octaves: number): number {
  let sum = 0
  let weight = 0.5
  for (let octave = 0; octave < octaves; octave += 1) {
    sum += noise(x, y) * weight
    // Each octave is rotated a little, so that the grids do not coincide.
    const turned = x * 1.6 - y * 1.2 + 17.3
    y = x * 1.2 + y * 1.6 - 9.7
    x = turned
    weight /= 2
  }
  return sum
}

/** Interpolates smoothly from 0 to 1 between two edges. */
export function smoothstep(from: number, to: number, value: number): number {
  const part = Math.min(1, Math.max(0, (value - from) / (to - from)))
  return part * part * (3 - 2 * part)
}
