/** What is drawn, and how often at most. */
export interface Quality {
  name: QualityName
  /** Points of the picture for each pixel of the page, at most. */
  pixelRatio: number
  outlines: boolean
  shadows: boolean
  /** Pictures a second. With none, there is a new one only where something else than time has changed. */
  fps: number
}

export type QualityName = 'still' | 'least' | 'low' | 'middle' | 'high'

/** Whole, but less often. */
const least = (fps: number): Quality => ({ name: 'least', pixelRatio: 1, outlines: true, shadows: true, fps })

/**
 * From the least to the most. Where a processor draws, pictures are left out, and nothing in them: how she looks is seen all the
 * time, and coarser edges would help it little.
 */
export const RUNGS: Quality[] = [
  { ...least(0), name: 'still' },
  ...[1, 2, 4, 8, 15, 30].map(least),
  { name: 'low', pixelRatio: 1, outlines: false, shadows: false, fps: 30 },
  { name: 'middle', pixelRatio: 1.25, outlines: true, shadows: true, fps: 60 },
  { name: 'high', pixelRatio: 2, outlines: true, shadows: true, fps: 60 },
]

/** The best of a name. */
export const rungOf = (name: QualityName): number => RUNGS.findLastIndex((rung) => rung.name === name)

const LOW = rungOf('low')
/** Where the processor draws, this is about right for most; more is tried soon. */
export const SOFTWARE_START = RUNGS.findIndex(({ fps }) => fps === 8)

/** How well this machine keeps up. */
export interface Judgement {
  rung: number
  /** How much longer a frame takes than it should, on average. */
  lag: number
  /** What the last pictures took, in milliseconds, until they were there. */
  costs: number[]
  /** How long it has been so, in milliseconds, and in frames. */
  since: number
  frames: number
  /** So long must it be good before more is tried; it doubles with each time that more was too much. */
  patience: number
  climbed: boolean
}

export const firstJudgement = (rung: number): Judgement => ({ rung, lag: 1, costs: [], since: 0, frames: 0, patience: 6000, climbed: false })

/** One frame: how long after the one before it came, when it should have come, and what it took, where that was measured. */
export interface Frame {
  took: number
  due: number
  cost: number | null
}

/** So many are needed before anything is said, and so many are looked at. */
const FEW = 3
const MANY = 5
const SETTLE_MS = 700
const SETTLE_FRAMES = 40
const SLOW = 1.7
const FAST = 1.15
/** One frame that hangs counts no more than one that is slow. */
const WORST = 4
const MOST_PATIENCE = 300_000
/** What goes wrong within so many times the patience was too much to begin with. */
const LASTING = 10
/** The share of the time that she may take. A processor that draws does so with more than one core. */
const SHARE = { fast: 0.75, slow: 0.4, software: 0.25 }
/** Between these nothing changes. */
const ROOM = 0.75
const TOO_MUCH = 1.15
/** Where one picture takes longer than this, nothing moves that could not be seen to move. */
const TOO_LONG = 400
const QUICK_AGAIN = 250

/** Down at once where frames take too much or come late for long; up only after they came in time for much longer, and where there is room. */
export function judged(before: Judgement, { took, due, cost }: Frame, software: boolean): Judgement {
  const costs = cost === null ? before.costs : [...before.costs, cost].slice(-MANY)
  // A tab that slept is no slow machine; one that drew for so long is.
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

/** Where it should go down to, or where it is. */
function fallen({ rung, lag, costs, since, frames }: Judgement, software: boolean): number {
  if (rung === 0 || since < SETTLE_MS) return rung
  const cost = typical(costs)
  if (rung === 1) return cost !== null && cost > TOO_LONG ? 0 : 1
  if (cost !== null && share(cost, rung) > limit(rung, software) * TOO_MUCH) {
    // Fewer points help as far as it is the points that take the time.
    const helps = (lower: number) => share(cost * part(rung, lower) ** 2, lower) <= limit(lower, software)
    return Math.max(1, RUNGS.findLastIndex((_, lower) => lower < rung && helps(lower)))
  }
  return frames >= SETTLE_FRAMES && lag > SLOW ? rung - 1 : rung
}

function climbs({ rung, lag, costs, since, patience }: Judgement, software: boolean): boolean {
  const cost = typical(costs)
  // With more of her, more is there around her, which costs a processor more than she does.
  const top = software ? LOW - 1 : RUNGS.length - 1
  if (rung >= top || since < patience || cost === null) return false
  if (rung === 0) return cost < QUICK_AGAIN
  return lag < (rung < LOW ? (SLOW + FAST) / 2 : FAST) && share(cost * part(rung, rung + 1), rung + 1) < limit(rung, software) * ROOM
}

function limit(rung: number, software: boolean): number {
  if (software) return SHARE.software
  return rung < LOW ? SHARE.slow : SHARE.fast
}

/** One that hung says nothing. */
function typical(costs: number[]): number | null {
  return costs.length < FEW ? null : ([...costs].sort((a, b) => a - b)[Math.floor(costs.length / 2)] ?? null)
}

/** The share of the time that pictures take. She is seldom drawn more than thirty times a second. */
function share(cost: number, rung: number): number {
  return (cost * Math.min(30, RUNGS[rung]?.fps ?? 0)) / 1000
}

/** How many times as wide a picture is. */
function part(from: number, to: number): number {
  return (RUNGS[to]?.pixelRatio ?? 1) / (RUNGS[from]?.pixelRatio ?? 1)
}
