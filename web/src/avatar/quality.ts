/** The picture quality and the maximum frame rate. */
export interface Quality {
  name: QualityName
  /** The maximum number of device pixels per CSS pixel. */
  pixelRatio: number
  outlines: boolean
  shadows: boolean
  /** Pictures per second. With 0, a picture is drawn only when something other than time has changed. */
  fps: number
}

export type QualityName = 'still' | 'least' | 'low' | 'middle' | 'high'

/** Full picture quality at a reduced frame rate. */
const least = (fps: number): Quality => ({ name: 'least', pixelRatio: 1, outlines: true, shadows: true, fps })

/**
 * All levels in ascending order. Software rendering reduces the frame rate and not the picture: the avatar's
 * looks are always visible, and coarser edges would gain little.
 */
export const LEVELS: Quality[] = [
  { ...least(0), name: 'still' },
  ...[1, 2, 4, 8, 15, 30].map(least),
  { name: 'low', pixelRatio: 1, outlines: false, shadows: false, fps: 30 },
  { name: 'middle', pixelRatio: 1.25, outlines: true, shadows: true, fps: 60 },
  { name: 'high', pixelRatio: 2, outlines: true, shadows: true, fps: 60 },
]

/** Returns the highest level with this name. */
export const levelOf = (name: QualityName): number => LEVELS.findLastIndex((rung) => rung.name === name)

const LOW = levelOf('low')
/**
 * The first level for software rendering. It is about right for most machines, and a higher one is tried
 * soon.
 */
export const SOFTWARE_START = LEVELS.findIndex(({ fps }) => fps === 8)

/** The state of the adaptation to this machine. */
export interface Judgement {
  rung: number
  /** The average ratio of a frame's duration to its intended duration. */
  lag: number
  /** The costs of the last pictures in milliseconds, until each was finished. */
  costs: number[]
  /** The time at this level in milliseconds, and the number of frames. */
  since: number
  frames: number
  /**
   * The time in milliseconds for which a level must hold up before a higher one is tried. It doubles each
   * time the higher one was too much.
   */
  patience: number
  climbed: boolean
}

export const firstJudgement = (rung: number): Judgement => ({ rung, lag: 1, costs: [], since: 0, frames: 0, patience: 6000, climbed: false })

/**
 * One frame: its distance from the previous one, the intended distance, and its cost if that was measured.
 */
export interface Frame {
  took: number
  due: number
  cost: number | null
}

/** The number of costs required for a decision, and the number that are kept. */
const FEW = 3
const MANY = 5
const SETTLE_MS = 700
const SETTLE_FRAMES = 40
const SLOW = 1.7
const FAST = 1.15
/** The cap on the lag of one frame, so that a single hang counts no more than a slow frame. */
const WORST = 4
const MOST_PATIENCE = 300_000
/** A drop within this many times the patience means that the last step up was too much. */
const LASTING = 10
/**
 * The share of the time that the avatar may use. It is lower for software rendering, which occupies several
 * cores.
 */
const SHARE = { fast: 0.75, slow: 0.4, software: 0.25 }
/** The range around the limit in which nothing changes. */
const ROOM = 0.75
const TOO_MUCH = 1.15
/**
 * The cost of one picture, in milliseconds, above which animation is switched off: it would not be seen as
 * movement.
 */
const TOO_LONG = 400
const QUICK_AGAIN = 250

/**
 * Chooses the next level: down at once if frames cost too much or have been late for long, up only after they
 * have been on time for much longer and there is room.
 */
export function judged(before: Judgement, { took, due, cost }: Frame, software: boolean): Judgement {
  const costs = cost === null ? before.costs : [...before.costs, cost].slice(-MANY)
  // A tab that slept does not mean a slow machine, but time spent drawing does.
  const slept = took - (cost ?? 0) > Math.max(1000, due * 3)
  const lag = slept ? before.lag : before.lag + (Math.min(WORST, took / due) - before.lag) * 0.05
  const now: Judgement = { ...before, costs, lag, since: slept ? 0 : before.since + took, frames: slept ? 0 : before.frames + 1 }
  const lower = fallen(now, software)
  if (lower < now.rung) {
    const tooMuch = now.climbed && now.since < now.patience * LASTING
    return { ...firstJudgement(lower), patience: tooMuch ? Math.min(MOST_PATIENCE, now.patience * 2) : now.patience }
  }
  return climbs(now, software) ? { ...firstJudgement(now.rung + 1), patience: now.patience, climbed: true } : now
}

/** Returns the level to drop to, or the current one. */
function fallen({ rung, lag, costs, since, frames }: Judgement, software: boolean): number {
  if (rung === 0 || since < SETTLE_MS) return rung
  const cost = typical(costs)
  if (rung === 1) return cost !== null && cost > TOO_LONG ? 0 : 1
  if (cost !== null && share(cost, rung) > limit(rung, software) * TOO_MUCH) {
    // The estimate scales the cost with the number of pixels: a lower resolution helps only as far as pixels
    // are what costs time.
    const helps = (lower: number) => share(cost * part(rung, lower) ** 2, lower) <= limit(lower, software)
    return Math.max(1, LEVELS.findLastIndex((_, lower) => lower < rung && helps(lower)))
  }
  return frames >= SETTLE_FRAMES && lag > SLOW ? rung - 1 : rung
}

function climbs({ rung, lag, costs, since, patience }: Judgement, software: boolean): boolean {
  const cost = typical(costs)
  // From `low` up, the page around the avatar shows more effects, which cost a software renderer more than
  // the avatar itself.
  const top = software ? LOW - 1 : LEVELS.length - 1
  if (rung >= top || since < patience || cost === null) return false
  if (rung === 0) return cost < QUICK_AGAIN
  return lag < (rung < LOW ? (SLOW + FAST) / 2 : FAST) && share(cost * part(rung, rung + 1), rung + 1) < limit(rung, software) * ROOM
}

function limit(rung: number, software: boolean): number {
  if (software) return SHARE.software
  return rung < LOW ? SHARE.slow : SHARE.fast
}

/** Returns the median cost, which a single hang does not affect, or null with too few measurements. */
function typical(costs: number[]): number | null {
  return costs.length < FEW ? null : ([...costs].sort((a, b) => a - b)[Math.floor(costs.length / 2)] ?? null)
}

/** Returns the share of the time spent drawing. The avatar is seldom drawn more than 30 times a second. */
function share(cost: number, rung: number): number {
  return (cost * Math.min(30, LEVELS[rung]?.fps ?? 0)) / 1000
}

/** Returns the ratio of the picture widths of two levels. */
function part(from: number, to: number): number {
  return (LEVELS[to]?.pixelRatio ?? 1) / (LEVELS[from]?.pixelRatio ?? 1)
}
