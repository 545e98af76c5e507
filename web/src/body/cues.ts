import type { Push } from '@/api/protocol.gen'

/** What her body is told to do now. It passes by the store: nothing on the page is drawn anew for it. */
export type Cue =
  | Extract<Push, { action: 'play' | 'expression' | 'audio' }>
  /** Something opened on the page: she looks at its middle, in pixels of the window. */
  | { action: 'look'; x: number; y: number }

const listeners = new Set<(cue: Cue) => void>()

export function cue(cue: Cue): void {
  for (const listener of listeners) listener(cue)
}

/** Returns the way to stop listening. */
export function onCue(listener: (cue: Cue) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
