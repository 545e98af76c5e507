import { shelf } from '@/shell/shelf'

/** The place of a draft: a conversation's id, or this for the one that does not exist yet. */
export const NEW = 'new'
/** The same for a conversation about code. */
export const NEW_CODE = 'code'

interface StoredDraft {
  text: string
  /** Messages that waited for their turn when the page went. */
  queued: string[]
  /** For letting the oldest go. */
  at: number
}

const LONGEST = 200_000

function isDraft(value: unknown): value is StoredDraft {
  const draft = value as Partial<StoredDraft> | null
  return typeof draft?.text === 'string' && Array.isArray(draft.queued) && typeof draft.at === 'number'
}

const stored = shelf('drafts', isDraft)

/** What stands unsent in each place, queued messages above what was being typed. */
export function readDrafts(): Record<string, string> {
  const texts = Object.entries(stored.read()).map(([place, draft]) => [place, [...draft.queued, draft.text].filter(Boolean).join('\n\n')])
  return Object.fromEntries(texts) as Record<string, string>
}

/** Keeps a draft, or forgets an empty one. */
export function writeDraft(place: string, text: string, queued: string[], now: number): void {
  const empty = text.trim() === '' && queued.length === 0
  stored.put(place, empty ? null : { text: text.slice(0, LONGEST), queued, at: now })
}
