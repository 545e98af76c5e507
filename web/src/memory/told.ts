import type { FactChange, FactChangeKind, FactId, MemoryDay, TimelineEntry } from '@/api/protocol.gen'

/** A fact that gave its place to another, in the words that it had then. */
export interface Ousted {
  id: FactId
  said: string
}

/** What happened, in the words of its moment. */
export interface Told {
  entry: TimelineEntry
  /** What the fact said afterwards. */
  said: string
  /** What it said until then, where the words changed. */
  before: string | null
  /** Whose place it took; null where it took none. */
  inPlaceOf: Ousted[] | null
}

export interface ToldDay {
  day: string
  told: Told[]
}

/** With these the server keeps no words of before, since they change none. */
const WORDLESS: readonly FactChangeKind[] = ['learned', 'replaced']

/** An entry brings its fact as it is today. What it said at the time follows from its later changes: the days come newest first. */
export function tellDays(days: MemoryDay[]): ToldDay[] {
  const saying = new Map<FactId, string>()
  const tell = (entry: TimelineEntry): Told => {
    const { fact, kind } = entry
    const said = saying.get(fact.id) ?? fact.content
    // The server leaves out what is the same as today.
    const until = WORDLESS.includes(kind) ? said : (entry.before ?? fact.content)
    saying.set(fact.id, until)
    return { entry, said, before: until === said ? null : until, inPlaceOf: null }
  }
  return days.map(({ day, entries }) => ({ day, told: asOne(entries.map(tell)) }))
}

/** To learn something in place of another is one thing that happens, and three entries: of the one that comes twice, of the other once. */
function asOne(all: Told[]): Told[] {
  const hidden = new Set<Told>()
  const places = new Map<Told, Ousted[]>()
  for (const replaced of all.filter(({ entry }) => entry.kind === 'replaced')) {
    const { fact, at } = replaced.entry
    const same = all.filter(({ entry }) => entry.at === at)
    const own = same.filter(({ entry }) => entry.fact.id === fact.id)
    const shown = own.find(({ entry }) => entry.kind !== 'replaced') ?? own[0] ?? replaced
    const ousted = same.filter(({ entry }) => entry.kind === 'superseded' && entry.fact.supersededBy === fact.id)
    if (shown !== replaced) hidden.add(replaced)
    for (const one of ousted) hidden.add(one)
    places.set(shown, ousted.map(({ entry, said }) => ({ id: entry.fact.id, said })))
  }
  return all.filter((one) => !hidden.has(one)).map((one) => ({ ...one, inPlaceOf: places.get(one) ?? null }))
}

export interface ToldChange extends FactChange {
  tookPlace: boolean
}

/** The history of one fact, oldest first: words of before only where they changed, and what is learned in place of another as one line. */
export function tellChanges(changes: FactChange[], content: string): ToldChange[] {
  const told: ToldChange[] = []
  let said = content
  for (const change of changes.toReversed()) {
    const { before } = change
    told.unshift({ ...change, before: before === said ? null : before, tookPlace: change.kind === 'replaced' })
    said = before ?? said
    const [first, second] = told
    if (first?.kind === 'learned' && second?.kind === 'replaced' && first.at === second.at) told.splice(0, 2, { ...second, kind: 'learned' })
  }
  return told
}
