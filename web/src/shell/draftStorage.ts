import { storedValue, storeValue } from './storage'

/** The maximum number of entries; beyond it the oldest are dropped. */
const MOST = 60

interface Timed {
  at: number
}

/** A store for text that was typed but not sent or saved, by key, in the browser's storage. */
export interface DraftStorage<T extends Timed> {
  read: () => Record<string, T>
  /** Stores an entry; null removes it. Entries that another tab has written are kept. */
  put: (key: string, kept: T | null) => void
  clear: () => void
}

export function draftStorage<T extends Timed>(storageKey: string, isKept: (value: unknown) => value is T): DraftStorage<T> {
  const read = (): Record<string, T> => {
    try {
      const stored = JSON.parse(storedValue(storageKey) ?? '{}') as Record<string, unknown>
      return Object.fromEntries(Object.entries(stored).filter((entry): entry is [string, T] => isKept(entry[1])))
    } catch {
      return {}
    }
  }
  return {
    read,
    put: (key, kept) => {
      const { [key]: _before, ...others } = read()
      const all = Object.entries(kept === null ? others : { ...others, [key]: kept })
      const newest = all.sort(([, a], [, b]) => b.at - a.at).slice(0, MOST)
      storeValue(storageKey, newest.length === 0 ? null : JSON.stringify(Object.fromEntries(newest)))
    },
    clear: () => storeValue(storageKey, null),
  }
}

/** The pause in typing after which the text is stored. */
const DEBOUNCE_MS = 300

/**
 * Returns two functions: `soon` writes an entry after a pause in typing, `now` at once. When the page is
 * closed, pending writes are done.
 */
export function delayedWriter(write: (key: string) => void): { soon: (key: string) => void; now: (key: string) => void } {
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const now = (key: string) => {
    clearTimeout(timers.get(key))
    timers.delete(key)
    write(key)
  }
  const soon = (key: string) => {
    clearTimeout(timers.get(key))
    timers.set(key, setTimeout(() => now(key), DEBOUNCE_MS))
  }
  window.addEventListener('pagehide', () => [...timers.keys()].forEach(now))
  return { soon, now }
}
