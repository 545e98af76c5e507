const HOUR = 3_600_000
const DAY = 24 * HOUR

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' })
const month = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric' })

/**
 * Returns the start of the time axis, so that the moves fill it: the first move, or the middle one if the
 * later half of them lies in the last quarter of the time and would be a dot at the edge. The axis spans at
 * least one hour.
 */
export function axisStart(moves: number[], now: number): number {
  const first = moves[0] ?? now
  const half = moves[Math.floor(moves.length / 2)] ?? first
  const crowded = now - half < (now - first) / 4
  return Math.min(crowded ? half : first, now - HOUR)
}

/**
 * Returns the labels of the time axis: for its start, and for its middle if the axis spans two hours or more.
 * Its end is the present.
 */
export function axisDates(from: number, to: number): { at: number; words: string }[] {
  const span = to - from
  const words = (at: number) => {
    if (span > 300 * DAY) return month.format(at)
    if (span > 4 * DAY) return day.format(at)
    return sameDay(from, to) ? clock.format(at) : `${day.format(at)}, ${clock.format(at)}`
  }
  const middle = from + span / 2
  return span < 2 * HOUR ? [{ at: from, words: words(from) }] : [from, middle].map((at) => ({ at, words: words(at) }))
}

function sameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString()
}
