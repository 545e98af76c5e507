import type { FactChange, FactChangeKind, FactId, MemoryDay, TimelineEntry } from '@/api/protocol.gen'

/** A fact that was replaced by another, with its text at the time. */
export interface ReplacedFact {
  id: FactId
  text: string
}

/** A timeline entry with the texts at its time. */
export interface TimelineItem {
  entry: TimelineEntry
  /** The text after the change. */
  text: string
  /** The text before the change, or null if it did not change. */
  before: string | null
  /** The facts that this one replaced, or null. */
  inPlaceOf: ReplacedFact[] | null
}

export interface TimelineDay {
  day: string
  items: TimelineItem[]
}

/** The kinds without an earlier text on the server, since they do not change it. */
const WORDLESS: readonly FactChangeKind[] = ['learned', 'replaced']

/**
 * Reconstructs the texts at the time of each entry. Entries carry the fact as it is today, and days come
 * newest first, so earlier texts follow from later changes.
 */
export function timelineDays(days: MemoryDay[]): TimelineDay[] {
  const texts = new Map<FactId, string>()
  const tell = (entry: TimelineEntry): TimelineItem => {
    const { fact, kind } = entry
    const text = texts.get(fact.id) ?? fact.content
    // The server omits a text that equals today's.
    const until = WORDLESS.includes(kind) ? text : (entry.before ?? fact.content)
    texts.set(fact.id, until)
    return { entry, text, before: until === text ? null : until, inPlaceOf: null }
  }
  return days.map(({ day, entries }) => ({ day, items: mergedReplacements(entries.map(tell)) }))
}

/**
 * Combines the entries of a replacement. Learning a fact in place of another produces three entries: two for
 * the new fact and one for the old.
 */
function mergedReplacements(all: TimelineItem[]): TimelineItem[] {
  const hidden = new Set<TimelineItem>()
  const replacedBy = new Map<TimelineItem, ReplacedFact[]>()
  for (const replacing of all.filter(({ entry }) => entry.kind === 'replaced')) {
    const { fact, at } = replacing.entry
    const same = all.filter(({ entry }) => entry.at === at)
    const own = same.filter(({ entry }) => entry.fact.id === fact.id)
    const shown = own.find(({ entry }) => entry.kind !== 'replaced') ?? own[0] ?? replacing
    const replaced = same.filter(({ entry }) => entry.kind === 'superseded' && entry.fact.supersededBy === fact.id)
    if (shown !== replacing) hidden.add(replacing)
    for (const one of replaced) hidden.add(one)
    replacedBy.set(shown, replaced.map(({ entry, text }) => ({ id: entry.fact.id, text })))
  }
  return all.filter((one) => !hidden.has(one)).map((one) => ({ ...one, inPlaceOf: replacedBy.get(one) ?? null }))
}

export interface HistoryChange extends FactChange {
  tookPlace: boolean
}

/**
 * Prepares the history of a fact, oldest first: earlier texts appear only where they changed, and a
 * replacement becomes one line.
 */
export function historyChanges(changes: FactChange[], content: string): HistoryChange[] {
  const items: HistoryChange[] = []
  let text = content
  for (const change of changes.toReversed()) {
    const { before } = change
    items.unshift({ ...change, before: before === text ? null : before, tookPlace: change.kind === 'replaced' })
    text = before ?? text
    const [first, second] = items
    if (first?.kind === 'learned' && second?.kind === 'replaced' && first.at === second.at) items.splice(0, 2, { ...second, kind: 'learned' })
  }
  return items
}
