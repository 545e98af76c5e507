import { chance, gradientNoise, layered } from './noise'

/** The sky is larger than most windows: each shows the upper middle of it. In pixels of the page. */
export const FIELD = { width: 2560, height: 1600 }

export interface Star {
  x: number
  y: number
  /** 1 is a star that is plainly there; most are far below, a few above. */
  bright: number
  /** From 0, red and cool, to 1, blue and hot. */
  heat: number
}

const SEED = 1969
/** How many there are in all. A window of 1440 by 900 sees a third of them. */
const STARS = 4600
/** By how much stars grow fewer as they grow brighter: in our sky the exponent is about this. */
const RARITY = 1.1
const FAINTEST = 0.1
const BRIGHTEST = 5

/** How deep in the milky band a place lies, from 0 to 1. It leans across the field, and its dust is uneven. */
export function milky(x: number, y: number): number {
  const along = (x - FIELD.width * 0.5) * 0.82 - (y - FIELD.height * 0.3) * 0.57
  const across = (x - FIELD.width * 0.5) * 0.57 + (y - FIELD.height * 0.3) * 0.82
  const wander = layered(drift, along / 900, 0.5, 2) * 120
  const width = 190 + 60 * drift(along / 700, 9)
  const core = Math.exp(-(((across - wander) / width) ** 2))
  const cloud = 0.62 + 0.75 * layered(drift, x / 210, y / 210, 5)
  // A dark lane of dust runs along the middle, and now and then breaks off.
  const lane = Math.exp(-(((across - wander - 18) / 46) ** 2)) * Math.max(0, 0.55 + 0.9 * layered(drift, along / 260, across / 120, 4))
  return Math.min(1, Math.max(0, core * cloud * (1 - Math.min(0.85, lane))))
}

const drift = gradientNoise(SEED + 1)

/** The same sky every time. */
export function starField(seed = SEED): Star[] {
  const next = chance(seed)
  const stars: Star[] = []
  while (stars.length < STARS) {
    const x = next() * FIELD.width
    const y = next() * FIELD.height
    const dense = milky(x, y)
    // The band is made of stars that are too faint to be told apart; the bright ones stand before it anywhere.
    if (next() > 0.34 + dense * 1.4) continue
    const bright = Math.min(BRIGHTEST, FAINTEST * (1 - next() * 0.9995) ** (-1 / RARITY))
    stars.push({ x, y, bright, heat: heat(next(), next()) })
  }
  return stars
}

/** Most are near white; two draws make the ends rare. */
function heat(one: number, other: number): number {
  return 0.28 + (one + other) * 0.32 + (one > 0.93 ? -0.35 : 0)
}

/** The few that may twinkle: among the bright, spread over the field, none beside another. */
export function twinkling(stars: readonly Star[], most: number, visible: (star: Star) => boolean): Star[] {
  const chosen: Star[] = []
  for (const star of [...stars].sort((a, b) => b.bright - a.bright)) {
    if (chosen.length === most) break
    if (visible(star) && chosen.every((other) => Math.hypot(other.x - star.x, other.y - star.y) > 130)) chosen.push(star)
  }
  return chosen
}
