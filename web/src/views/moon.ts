/** From one new moon to the next, in days. */
const MONTH = 29.530588853
/** A new moon: 6 January 2000, 18:14 UTC. */
const NEW_MOON = Date.UTC(2000, 0, 6, 18, 14)
const DAY = 86_400_000

/** Where the moon is between two new moons: 0 is new, a quarter later it is half lit, 0.5 is full. Right to within half a day. */
export function moonPhase(at: number): number {
  const turns = (at - NEW_MOON) / DAY / MONTH
  return turns - Math.floor(turns)
}

const NAMES = ['New moon', 'Waxing crescent', 'First quarter', 'Waxing gibbous', 'Full moon', 'Waning gibbous', 'Last quarter', 'Waning crescent'] as const

export function phaseName(phase: number): string {
  return NAMES[Math.round(phase * 8) % 8] ?? NAMES[0]
}

/** How much of its face is lit, from 0 to 1. */
export function litPart(phase: number): number {
  return (1 - Math.cos(2 * Math.PI * phase)) / 2
}

/** The lit part of a disc around nought, as a path: as it is seen from the northern half of the world. */
export function litPath(phase: number, radius: number): string {
  const bend = Math.cos(2 * Math.PI * phase)
  const waxes = phase < 0.5
  const edge = round(Math.abs(bend) * radius)
  // The limb on the lit side, and back along the line between day and night.
  const back = bend > 0 === waxes ? 0 : 1
  return `M0 ${-radius}A${radius} ${radius} 0 0 ${waxes ? 1 : 0} 0 ${radius}A${edge} ${radius} 0 0 ${back} 0 ${-radius}Z`
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
