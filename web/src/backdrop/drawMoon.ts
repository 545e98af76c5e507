import { type Lch, rgb } from './colour'
import type { MoonPhase } from './moon'
import { gradientNoise, layered, smoothstep } from './noise'

/** The approximate positions of the lunar maria: centre, width, height and darkness. North is up. */
const SEAS = [
  [-0.3, 0.52, 0.33, 0.26, 0.9], // Imbrium
  [0.28, 0.45, 0.2, 0.18, 0.9], // Serenitatis
  [0.46, 0.14, 0.25, 0.19, 1], // Tranquillitatis
  [0.8, 0.29, 0.1, 0.11, 0.95], // Crisium
  [0.68, -0.08, 0.13, 0.18, 0.8], // Fecunditatis
  [0.5, -0.26, 0.13, 0.12, 0.7], // Nectaris
  [-0.66, 0.22, 0.22, 0.42, 0.8], // Procellarum
  [-0.24, -0.36, 0.22, 0.2, 0.75], // Nubium
  [-0.55, -0.4, 0.13, 0.13, 0.8], // Humorum
  [-0.1, 0.08, 0.2, 0.1, 0.5], // Insularum and Vaporum
  [0, 0.83, 0.5, 0.06, 0.45], // Frigoris
] as const

/** Young craters with bright rays: centre and size. */
const RAYS = [
  [-0.12, -0.68, 0.13],
  [-0.33, 0.16, 0.08],
  [-0.62, 0.14, 0.05],
] as const

const rough = gradientNoise(384_400)

/** Returns the brightness of the ground at a point on the disc, from 0 to 1. */
export function albedo(x: number, y: number): number {
  const wx = x + layered(rough, x * 3.1, y * 3.1, 4) * 0.16
  const wy = y + layered(rough, x * 3.1 + 40, y * 3.1, 4) * 0.16
  let dark = 0
  for (const [cx, cy, width, height, depth] of SEAS) {
    const reach = Math.hypot((wx - cx) / width, (wy - cy) / height)
    dark = 1 - (1 - dark) * (1 - depth * (1 - smoothstep(0.35, 1.4, reach)))
  }
  let rays = 0
  for (const [cx, cy, size] of RAYS) rays += Math.exp(-((Math.hypot(x - cx, y - cy) / size) ** 2)) * 0.16
  const grain = layered(rough, x * 8 + 7, y * 8, 5) * 0.13
  return Math.min(1, Math.max(0, 0.93 - dark * 0.34 + grain + rays))
}

/** Returns the brightness of sunlight at a point, without the albedo. It is 0 on the dark side. */
export function sunlight(x: number, y: number, phase: number): number {
  const z = Math.sqrt(Math.max(0, 1 - x * x - y * y))
  const angle = phase * Math.PI * 2
  const height = x * Math.sin(angle) - z * Math.cos(angle)
  // Lunar dust reflects light back to its source: a full moon is as bright at its edge as in its middle.
  const flat = height <= 0 ? 0 : (2 * height) / (height + z + 0.001)
  return Math.min(1, flat) ** 0.8 * smoothstep(-0.01, 0.12, height)
}

interface MoonColours {
  /** The colour of the brightest lit ground. */
  bright: Lch
  /** The brightness of earthshine on the dark side; 0 by day, when the sky is brighter. */
  earthshine: number
  /** The opacity of the lit part: by day the sky shows through it. */
  solid: number
  /** The contrast of the maria. */
  relief: number
}

export const NIGHT_MOON: MoonColours = { bright: [0.965, 0.022, 92], earthshine: 0.1, solid: 1, relief: 1 }
export const DAY_MOON: MoonColours = { bright: [1, 0.004, 250], earthshine: 0, solid: 0.88, relief: 1.35 }

/**
 * Draws the disc with a radius in device pixels, rotated by `tilt`. Apart from earthshine, the unlit part is
 * transparent, because the sky in front of it is the same as around it.
 */
export function moonDisc(radius: number, { phase, lit }: MoonPhase, tilt: number, look: MoonColours): ImageData {
  const size = Math.ceil(radius * 2) + 4
  const image = new ImageData(size, size)
  const [red, green, blue] = rgb(look.bright)
  const [cos, sin] = [Math.cos(tilt), Math.sin(tilt)]
  // Seen from a thin moon the earth is nearly full, but a new moon is too close to the sun to be seen.
  const earth = look.earthshine * (1 - lit) ** 1.5 * (0.35 + 0.65 * smoothstep(0, 0.03, lit))
  for (let py = 0; py < size; py += 1) {
    for (let px = 0; px < size; px += 1) {
      const dx = (px + 0.5 - size / 2) / radius
      const dy = (size / 2 - py - 0.5) / radius
      const distance = Math.hypot(dx, dy)
      const cover = Math.min(1, Math.max(0, (1 - distance) * radius + 0.5))
      if (cover === 0) continue
      const shrink = distance > 0.999 ? 0.999 / distance : 1
      const x = (dx * cos - dy * sin) * shrink
      const y = (dx * sin + dy * cos) * shrink
      const ground = 1 - (1 - albedo(x, y)) * look.relief
      const shine = Math.min(1, (sunlight(x, y, phase) + earth) * ground) * look.solid
      image.data.set([red, green, blue, 255 * cover * shine], (py * size + px) * 4)
    }
  }
  return image
}
