const whole = new Intl.NumberFormat('en')

export function count(value: number): string {
  return whole.format(Math.round(value))
}

/** Capitalises the first letter, as at the start of a sentence or a title. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Formats a count with its noun: `1 message`, `2 messages`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** Formats a share such as `85 %`. */
export function percent(part: number): string {
  return `${Math.round(Math.min(1, Math.max(0, Number.isFinite(part) ? part : 0)) * 100)} %`
}

/** Formats a size in decimal units, as download pages and disks do. */
export function bytes(value: number): string {
  if (value < 1000) return `${value} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let size = value
  let unit = ''
  for (const next of units) {
    if (size < 1000) break
    size /= 1000
    unit = next
  }
  return `${size < 10 ? size.toFixed(1).replace(/\.0$/, '') : Math.round(size)} ${unit}`
}

/** Formats a duration: `40 ms`, `0.4 s`, `12 s`, `3 min`. */
export function duration(ms: number): string {
  if (ms < 95) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 90) return `${Math.round(seconds)} s`
  const minutes = seconds / 60
  if (minutes < 90) return `${Math.round(minutes)} min`
  return `${Math.round(minutes / 60)} h`
}

/** Formats the remaining time loosely: an estimate must not look exact. */
export function roughTimeLeft(seconds: number): string {
  if (seconds < 10) return 'a few seconds left'
  if (seconds < 60) return `${Math.round(seconds / 5) * 5} s left`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min left`
  return `${Math.round(minutes / 6) / 10} h left`
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const weekday = new Intl.DateTimeFormat('en', { weekday: 'long' })
const dayMonth = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long' })
const full = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', year: 'numeric' })
const monthYear = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' })

export function timeOfDay(at: string): string {
  return clock.format(new Date(at))
}

export function fullTime(at: string): string {
  const date = new Date(at)
  return `${full.format(date)}, ${clock.format(date)}`
}

/** Returns midnight in local time, so that days are counted as the user's calendar has them. */
export function dayOf(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

const DAY = 86_400_000

function daysAgo(at: string, now: Date): number {
  return Math.round((dayOf(now) - dayOf(new Date(at))) / DAY)
}

/** Formats a day: `Today`, `Yesterday`, `Tuesday`, `3 March`, `3 March 2025`. */
export function dayName(at: string, now: Date): string {
  const date = new Date(at)
  const ago = daysAgo(at, now)
  if (ago <= 0) return 'Today'
  if (ago === 1) return 'Yesterday'
  if (ago < 7) return weekday.format(date)
  return calendarDay(at, now)
}

/** Formats a date: `3 March`, `3 March 2025`. A date without a time is the same day in every time zone. */
export function calendarDay(at: string, now: Date): string {
  const date = new Date(/^\d{4}-\d\d-\d\d$/.test(at) ? `${at}T00:00` : at)
  return date.getFullYear() === now.getFullYear() ? dayMonth.format(date) : full.format(date)
}

/** Returns the heading under which a conversation is listed. */
export function period(at: string, now: Date): string {
  const ago = daysAgo(at, now)
  if (ago <= 0) return 'Today'
  if (ago === 1) return 'Yesterday'
  if (ago < 7) return 'This week'
  if (ago < 30) return 'Last 30 days'
  return monthYear.format(new Date(at))
}

/** Formats an age: `now`, `5 min`, `3 h`, `2 d`, or the date. */
/** Formats an age as a phrase: `just now`, `3 h ago`, or the date if that is long ago. */
export function since(at: string, now: Date): string {
  const ago = shortAgo(at, now)
  if (ago === 'now') return 'just now'
  return /^\d+ (?:min|h|d)$/.test(ago) ? `${ago} ago` : ago
}

export function shortAgo(at: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - new Date(at).getTime()) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`
  const days = Math.floor(minutes / 1440)
  return days < 7 ? `${days} d` : dayName(at, now)
}
