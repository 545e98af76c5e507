import { recall, remember } from './storage'

/** Past this many, the oldest go. */
const MOST = 60

interface Kept {
  at: number
}

/** What was written and not sent or saved, by its place, in the browser's storage. */
export interface Shelf<T extends Kept> {
  read: () => Record<string, T>
  /** Puts it there; null takes away what stands there. Another tab's places are left as they are. */
  put: (place: string, kept: T | null) => void
  clear: () => void
}

export function shelf<T extends Kept>(key: string, isKept: (value: unknown) => value is T): Shelf<T> {
  const read = (): Record<string, T> => {
    try {
      const stored = JSON.parse(recall(key) ?? '{}') as Record<string, unknown>
      return Object.fromEntries(Object.entries(stored).filter((entry): entry is [string, T] => isKept(entry[1])))
    } catch {
      return {}
    }
  }
  return {
    read,
    put: (place, kept) => {
      const { [place]: _before, ...others } = read()
      const all = Object.entries(kept === null ? others : { ...others, [place]: kept })
      const newest = all.sort(([, a], [, b]) => b.at - a.at).slice(0, MOST)
      remember(key, newest.length === 0 ? null : JSON.stringify(Object.fromEntries(newest)))
    },
    clear: () => remember(key, null),
  }
}

/** Typing is written down after a short rest. */
const REST_MS = 300

/** `soon` writes a place down once typing rests there, `now` at once. A page that goes writes down what still waits. */
export function writer(write: (place: string) => void): { soon: (place: string) => void; now: (place: string) => void } {
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const now = (place: string) => {
    clearTimeout(timers.get(place))
    timers.delete(place)
    write(place)
  }
  const soon = (place: string) => {
    clearTimeout(timers.get(place))
    timers.set(place, setTimeout(() => now(place), REST_MS))
  }
  window.addEventListener('pagehide', () => [...timers.keys()].forEach(now))
  return { soon, now }
}
