const HOUR = 3_600_000
const DAY = 24 * HOUR

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' })
const month = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric' })

/** Where the axis begins: with the first that is shown, so that what is shown fills it. Within less than an hour nothing is a course. */
export function axisStart(first: number, now: number): number {
  return Math.min(first, now - HOUR)
}

/** Where a line over time begins, and its middle where that lies on another day or hour. Its end is now. */
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
