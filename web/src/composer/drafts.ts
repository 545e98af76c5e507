import { draftStorage } from '@/shell/draftStorage'

/**
 * The key of the draft for a conversation that does not exist yet; other drafts have the conversation's id as
 * their key.
 */
export const NEW = 'new'
/** The same for a new conversation about code. */
export const NEW_CODE = 'code'

interface StoredDraft {
  text: string
  /** Messages that were still queued when the page was closed. */
  queued: string[]
  /** The time of the last change; the oldest drafts are dropped first. */
  at: number
}

const LONGEST = 200_000

function isDraft(value: unknown): value is StoredDraft {
  const draft = value as Partial<StoredDraft> | null
  return typeof draft?.text === 'string' && Array.isArray(draft.queued) && typeof draft.at === 'number'
}

const stored = draftStorage('drafts', isDraft)

/** Returns the unsent text by key, queued messages above the draft. */
export function readDrafts(): Record<string, string> {
  const texts = Object.entries(stored.read()).map(([draftKey, draft]) => [draftKey, [...draft.queued, draft.text].filter(Boolean).join('\n\n')])
  return Object.fromEntries(texts) as Record<string, string>
}

/** Stores a draft, or removes an empty one. */
export function writeDraft(draftKey: string, text: string, queued: string[], now: number): void {
  const empty = text.trim() === '' && queued.length === 0
  stored.put(draftKey, empty ? null : { text: text.slice(0, LONGEST), queued, at: now })
}
