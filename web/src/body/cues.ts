import type { Push } from '@/api/protocol.gen'

/**
 * An immediate instruction to the avatar. Cues bypass the store, so that they cause no rendering of the page.
 */
export type Cue =
  | Extract<Push, { action: 'play' | 'expression' | 'audio' }>
  /** Something opened on the page: the avatar looks at its centre, in pixels of the window. */
  | { action: 'look'; x: number; y: number }

const listeners = new Set<(cue: Cue) => void>()

export function cue(cue: Cue): void {
  for (const listener of listeners) listener(cue)
}

/** Adds a listener and returns a function that removes it. */
export function onCue(listener: (cue: Cue) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
