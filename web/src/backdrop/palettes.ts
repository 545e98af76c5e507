import type { Lch, Stop } from './colour'

export type SkyName = 'night' | 'dusk'

export interface SkyPalette {
  stops: readonly Stop[]
  /** The brightness of stars against this sky, at the top and at the horizon. */
  stars: readonly [top: number, low: number]
  band: number
  /** The colours of the ridges, from the farthest. */
  hills: readonly Lch[]
  /** `cover`: how much of the sky the clouds take up, from 0. */
  cloud: { lit: Lch; shaded: Lch; strength: number; reach: number; cover: number }
  halo: Lch
  /** The glow of the air above a sun below the horizon, or null. */
  glow: Lch | null
  lamp: boolean
}

/**
 * The palettes of each sky in the dark theme and in the light theme, which shows a day with the moon or a
 * dawn.
 */
const PALETTES: Record<SkyName, Record<'day' | 'night', SkyPalette>> = {
  night: {
    night: {
      stops: [[0, [0.145, 0.03, 272]], [0.45, [0.185, 0.04, 268]], [0.8, [0.245, 0.046, 258]], [1, [0.3, 0.042, 245]]],
      stars: [1, 0.25],
      band: 0.9,
      hills: [[0.2, 0.034, 258], [0.165, 0.03, 265], [0.125, 0.024, 270]],
      cloud: { lit: [0.42, 0.03, 255], shaded: [0.22, 0.035, 262], strength: 0.22, reach: 0.6, cover: 0.1 },
      halo: [0.75, 0.04, 255],
      glow: null,
      lamp: true,
    },
    day: {
      stops: [[0, [0.71, 0.094, 268]], [0.28, [0.785, 0.078, 273]], [0.52, [0.855, 0.05, 288]], [0.7, [0.905, 0.042, 345]], [0.84, [0.935, 0.05, 55]], [1, [0.955, 0.05, 82]]],
      stars: [0, 0],
      band: 0,
      hills: [[0.835, 0.04, 305], [0.765, 0.052, 288], [0.69, 0.062, 278]],
      cloud: { lit: [0.965, 0.04, 62], shaded: [0.9, 0.035, 295], strength: 0.8, reach: 0.95, cover: 0.16 },
      halo: [1, 0, 0],
      glow: [0.985, 0.045, 80],
      lamp: false,
    },
  },
  dusk: {
    night: {
      stops: [[0, [0.18, 0.042, 268]], [0.28, [0.25, 0.052, 262]], [0.5, [0.345, 0.052, 254]], [0.66, [0.44, 0.04, 240]], [0.77, [0.525, 0.02, 190]], [0.85, [0.605, 0.058, 82]], [0.92, [0.625, 0.1, 60]], [1, [0.54, 0.12, 42]]],
      stars: [0.85, -0.35],
      band: 0.12,
      hills: [[0.31, 0.034, 262], [0.215, 0.034, 266], [0.15, 0.026, 270]],
      cloud: { lit: [0.74, 0.11, 55], shaded: [0.36, 0.05, 262], strength: 0.7, reach: 0.66, cover: 0.06 },
      halo: [0.8, 0.035, 90],
      glow: [0.8, 0.12, 68],
      lamp: true,
    },
    day: {
      stops: [[0, [0.745, 0.062, 292]], [0.3, [0.815, 0.062, 320]], [0.55, [0.87, 0.065, 8]], [0.74, [0.895, 0.078, 45]], [0.9, [0.92, 0.085, 72]], [1, [0.93, 0.08, 82]]],
      stars: [0, 0],
      band: 0,
      hills: [[0.82, 0.06, 25], [0.745, 0.055, 345], [0.665, 0.055, 310]],
      cloud: { lit: [0.965, 0.06, 72], shaded: [0.87, 0.05, 340], strength: 0.75, reach: 0.8, cover: 0.14 },
      halo: [1, 0, 0],
      glow: [0.985, 0.07, 85],
      lamp: false,
    },
  },
}

export function paletteOf(name: SkyName, day: boolean): SkyPalette {
  return PALETTES[name][day ? 'day' : 'night']
}
