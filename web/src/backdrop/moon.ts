/** The state of the moon at an instant. */
export interface MoonPhase {
  /** The position between two new moons: 0 new, 0.25 first quarter, 0.5 full, 0.75 last quarter. */
  phase: number
  /** The lit share of the disc, from 0 to 1. */
  lit: number
  /** Days since the new moon. */
  age: number
  waxing: boolean
}

const DAY_MS = 86_400_000
/** The J2000 epoch of astronomy, 1 January 2000 at noon. */
const EPOCH_MS = Date.UTC(2000, 0, 1, 12)
/** The moon's average daily gain on the sun, in degrees. */
const GAIN = 12.190749

const sin = (degrees: number) => Math.sin((degrees * Math.PI) / 180)
const cos = (degrees: number) => Math.cos((degrees * Math.PI) / 180)
const turn = (degrees: number) => ((degrees % 360) + 360) % 360

/**
 * Returns how far the moon is ahead of the sun along the ecliptic and how far it is off the ecliptic, in
 * degrees. Mean motions with the largest perturbations are accurate to a few minutes of time for centuries
 * around 2000.
 */
function apart(ms: number): { ahead: number; off: number } {
  const t = (ms - EPOCH_MS) / DAY_MS / 36_525
  const d = 297.8501921 + 445_267.1114034 * t - 0.0018819 * t * t
  const sun = 357.5291092 + 35_999.0502909 * t - 0.0001536 * t * t
  const moon = 134.9633964 + 477_198.8675055 * t + 0.0087414 * t * t
  const node = 93.272095 + 483_202.0175233 * t - 0.0036539 * t * t
  const moonShift =
    6.289 * sin(moon) + 1.274 * sin(2 * d - moon) + 0.658 * sin(2 * d) + 0.214 * sin(2 * moon) - 0.186 * sin(sun) - 0.114 * sin(2 * node) +
    0.059 * sin(2 * d - 2 * moon) + 0.057 * sin(2 * d - sun - moon) + 0.053 * sin(2 * d + moon) + 0.046 * sin(2 * d - sun) + 0.041 * sin(moon - sun) -
    0.035 * sin(d) - 0.03 * sin(moon + sun)
  const sunShift = 1.915 * sin(sun) + 0.02 * sin(2 * sun)
  const off = 5.128 * sin(node) + 0.281 * sin(moon + node) + 0.278 * sin(moon - node) + 0.173 * sin(2 * d - node)
  return { ahead: turn(d + moonShift - sunShift), off }
}

/**
 * Returns the time of the last new moon before this instant. The iteration converges, because the gain hardly
 * changes.
 */
function newMoonBefore(ms: number): number {
  let at = ms - (apart(ms).ahead / GAIN) * DAY_MS
  for (let step = 0; step < 4; step += 1) {
    const { ahead } = apart(at)
    at -= ((ahead > 180 ? ahead - 360 : ahead) / GAIN) * DAY_MS
  }
  return at
}

export function moonAt(date: Date): MoonPhase {
  const ms = date.getTime()
  const { ahead, off } = apart(ms)
  return {
    phase: ahead / 360,
    lit: (1 - cos(off) * cos(ahead)) / 2,
    age: Math.max(0, (ms - newMoonBefore(ms)) / DAY_MS),
    waxing: ahead < 180,
  }
}

const NAMES = ['New moon', 'Waxing crescent', 'First quarter', 'Waxing gibbous', 'Full moon', 'Waning gibbous', 'Last quarter', 'Waning crescent']
/**
 * Half a day as a share of a lunar month: the four main phases are named for this long before and after their
 * instant.
 */
const TURN = 0.5 / 29.53

export function moonName({ phase }: MoonPhase): string {
  const quarter = Math.round(phase * 4)
  if (Math.abs(phase * 4 - quarter) / 4 < TURN) return NAMES[(quarter % 4) * 2] as string
  return NAMES[Math.floor(phase * 4) * 2 + 1] as string
}
