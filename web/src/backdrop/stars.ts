import { chance, gradientNoise, layered } from './noise'

/** The size of the star field in CSS pixels. It is larger than most windows, which show its upper middle. */
export const FIELD_SIZE = { width: 2560, height: 1600 }

export interface Star {
  x: number
  y: number
  /** The brightness; 1 is a clearly visible star. Most are far below that, a few above. */
  bright: number
  /** The temperature, from 0, red and cool, to 1, blue and hot. */
  heat: number
}

const SEED = 1969
/** The total number of stars. A window of 1440 by 900 shows a third of them. */
const STARS = 4600
/** The exponent by which brighter stars are rarer, close to that of the real sky. */
const RARITY = 1.1
const FAINTEST = 0.1
const BRIGHTEST = 5

/**
 * Returns the density of the Milky Way at a point, from 0 to 1. The band lies obliquely across the field,
 * with uneven dust.
 */
export function milky(x: number, y: number): number {
  const along = (x - FIELD_SIZE.width * 0.5) * 0.82 - (y - FIELD_SIZE.height * 0.3) * 0.57
  const across = (x - FIELD_SIZE.width * 0.5) * 0.57 + (y - FIELD_SIZE.height * 0.3) * 0.82
  const wander = layered(drift, along / 900, 0.5, 2) * 120
  const width = 190 + 60 * drift(along / 700, 9)
  const core = Math.exp(-(((across - wander) / width) ** 2))
  const cloud = 0.62 + 0.75 * layered(drift, x / 210, y / 210, 5)
  // A dark lane of dust runs along the middle of the band, with gaps.
  const lane = Math.exp(-(((across - wander - 18) / 46) ** 2)) * Math.max(0, 0.55 + 0.9 * layered(drift, along / 260, across / 120, 4))
  return Math.min(1, Math.max(0, core * cloud * (1 - Math.min(0.85, lane))))
}

const drift = gradientNoise(SEED + 1)

/** Generates the star field, identical for the same seed. */
export function starField(seed = SEED): Star[] {
  const next = chance(seed)
  const stars: Star[] = []
  while (stars.length < STARS) {
    const x = next() * FIELD_SIZE.width
    const y = next() * FIELD_SIZE.height
    const dense = milky(x, y)
    // Stars are denser in the band, which consists of very faint ones; bright stars may stand anywhere.
    if (next() > 0.34 + dense * 1.4) continue
    const bright = Math.min(BRIGHTEST, FAINTEST * (1 - next() * 0.9995) ** (-1 / RARITY))
    stars.push({ x, y, bright, heat: heat(next(), next()) })
  }
  return stars
}

/**
 * Returns a temperature. Most stars are nearly white, because the sum of two random numbers makes extremes
 * rare.
 */
function heat(one: number, other: number): number {
  return 0.28 + (one + other) * 0.32 + (one > 0.93 ? -0.35 : 0)
}

/** Chooses the stars that twinkle: the brightest, more than 130 pixels apart. */
export function twinkling(stars: readonly Star[], most: number, visible: (star: Star) => boolean): Star[] {
  const chosen: Star[] = []
  for (const star of [...stars].sort((a, b) => b.bright - a.bright)) {
    if (chosen.length === most) break
    if (visible(star) && chosen.every((other) => Math.hypot(other.x - star.x, other.y - star.y) > 130)) chosen.push(star)
  }
  return chosen
}
