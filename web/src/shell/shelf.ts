import { recall, remember } from './storage'

/** The maximum number of entries; beyond it the oldest are dropped. */
const MOST = 60

interface Kept {
  at: number
}

/** A store for text that was typed but not sent or saved, by its place, in the browser's storage. */
export interface Shelf<T extends Kept> {
  read: () => Record<string, T>
  /** Stores an entry; null removes it. Entries that another tab has written are kept. */
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

/** The pause in typing after which the text is stored. */
const REST_MS = 300

/**
 * Returns two functions: `soon` writes a place after a pause in typing, `now` at once. When the page is
 * closed, pending writes are done.
 */
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
