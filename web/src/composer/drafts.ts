import { recall, remember } from '@/shell/storage'

/** The place of a draft: a conversation's id, or this for the one that does not exist yet. */
export const NEW = 'new'

interface StoredDraft {
  text: string
  /** Messages that waited for their turn when the page went. */
  queued: string[]
  /** For letting the oldest go. */
  at: number
}

const MOST = 60
const LONGEST = 200_000

type Shelf = Record<string, StoredDraft>

function isDraft(value: unknown): value is StoredDraft {
  const draft = value as Partial<StoredDraft> | null
  return typeof draft?.text === 'string' && Array.isArray(draft.queued) && typeof draft.at === 'number'
}

function readShelf(): Shelf {
  try {
    const stored = JSON.parse(recall('drafts') ?? '{}') as Record<string, unknown>
    const good = Object.entries(stored).filter((entry): entry is [string, StoredDraft] => isDraft(entry[1]))
    return Object.fromEntries(good)
  } catch {
    return {}
  }
}

/** What stands unsent in each place, queued messages above what was being typed. */
export function readDrafts(): Record<string, string> {
  const texts = Object.entries(readShelf()).map(([place, draft]) => [place, [...draft.queued, draft.text].filter(Boolean).join('\n\n')])
  return Object.fromEntries(texts) as Record<string, string>
}

/** Keeps a draft, or forgets an empty one. Another tab's drafts are left as they are. */
export function writeDraft(place: string, text: string, queued: string[], now: number): void {
  const shelf = readShelf()
  if (text.trim() === '' && queued.length === 0) delete shelf[place]
  else shelf[place] = { text: text.slice(0, LONGEST), queued, at: now }
  const kept = Object.entries(shelf)
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, MOST)
  remember('drafts', kept.length === 0 ? null : JSON.stringify(Object.fromEntries(kept)))
}
