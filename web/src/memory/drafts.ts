import type { FactCategory, FactId } from '@/api/protocol.gen'
import { own } from '@/design/own'
import { draftStorage } from '@/shell/draftStorage'

/** An unsaved change to an item of memory, with the fields that were touched. */
export interface MemoryDraft {
  content?: string
  category?: FactCategory
  subject?: string
  private?: boolean
  expiresAt?: string
  /** The labels as typed, which may not be valid JSON yet. */
  labels?: string
  /** The version on which the change is based, if others may write a new one meanwhile. */
  upon?: string
}

export type MemoryDraftKey = 'new fact' | 'new entry' | `${'fact' | 'entry' | 'file'} ${string}`

export const factKey = (id: FactId): MemoryDraftKey => `fact ${id}`
export const entryKey = (id: string): MemoryDraftKey => `entry ${id}`
export const fileKey = (name: string): MemoryDraftKey => `file ${name}`

const TYPES = { content: 'string', category: 'string', subject: 'string', private: 'boolean', expiresAt: 'string', labels: 'string', upon: 'string' } satisfies Record<keyof MemoryDraft, string>

interface StoredDraft {
  draft: MemoryDraft
  at: number
}

function isStored(value: unknown): value is StoredDraft {
  const { draft, at } = (value ?? {}) as Partial<StoredDraft>
  return typeof at === 'number' && typeof draft === 'object' && draft !== null && Object.entries(draft).every(([name, field]) => typeof field === own<string>(TYPES, name))
}

/**
 * The maximum length of a stored draft. Longer ones last only until the page is closed, since half a text
 * must not be restored as the whole.
 */
const LONGEST = 200_000

const stored = draftStorage('memory-drafts', isStored)

export function readMemoryDrafts(): Record<string, MemoryDraft> {
  return Object.fromEntries(Object.entries(stored.read()).map(([key, { draft }]) => [key, draft]))
}

export function writeMemoryDraft(key: string, draft: MemoryDraft | undefined, now: number): void {
  const fits = draft !== undefined && (draft.content ?? '').length + (draft.labels ?? '').length <= LONGEST
  stored.put(key, fits ? { draft, at: now } : null)
}

export const clearMemoryDrafts = stored.clear
