/** What is drawn, from the least to the most. */
export interface Quality {
  /** Points of the picture for each pixel of the page, at most. */
  pixelRatio: number
  outlines: boolean
  shadows: boolean
}

export type QualityName = 'low' | 'middle' | 'high'

export const QUALITIES: Record<QualityName, Quality> = {
  low: { pixelRatio: 1, outlines: false, shadows: false },
  middle: { pixelRatio: 1.25, outlines: true, shadows: true },
  high: { pixelRatio: 2, outlines: true, shadows: true },
}

const ORDER: QualityName[] = ['low', 'middle', 'high']

/** How well this machine keeps up. */
export interface Judgement {
  name: QualityName
  /** How much longer a frame takes than it should, on average. */
  lag: number
  frames: number
  /** Good frames that are needed before more is tried; it doubles with each time that more was too much. */
  patience: number
}

export const FIRST_JUDGEMENT: Judgement = { name: 'high', lag: 1, frames: 0, patience: 600 }

const SETTLE = 40
const SLOW = 1.7
const FAST = 1.15
/** One frame that hangs counts no more than one that is slow. */
const WORST = 4
const MOST_PATIENCE = 20_000

/** Down where frames come late for long; up only after they came in time for much longer. */
export function judged(before: Judgement, tookMs: number, dueMs: number): Judgement {
  // A tab that slept is no slow machine.
  if (tookMs > 1000) return { ...before, frames: 0 }
  const lag = before.lag + (Math.min(WORST, tookMs / dueMs) - before.lag) * 0.05
  const frames = before.frames + 1
  const at = ORDER.indexOf(before.name)
  if (frames >= SETTLE && lag > SLOW && at > 0) {
    const tooMuch = before.frames < before.patience
    return { name: ORDER[at - 1] as QualityName, lag: 1, frames: 0, patience: tooMuch ? Math.min(MOST_PATIENCE, before.patience * 2) : before.patience }
  }
  if (frames >= before.patience && lag < FAST && at < ORDER.length - 1) return { ...before, name: ORDER[at + 1] as QualityName, lag: 1, frames: 0 }
  return { ...before, lag, frames }
}
