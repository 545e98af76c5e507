import { CalendarDays, Compass, Heart, HeartPulse, type LucideIcon, Repeat, Target, UserRound, Users } from 'lucide-react'
import type { Fact, FactCategory, FactChangeKind, FactDifference, FactSource, FactStatus, ForgetReport, MemoryKind, Origin } from '@/api/protocol.gen'
import { calendarDay, plural } from '@/design/format'
import { own } from '@/design/own'
import { plain } from '@/tools/wording'

export const CATEGORIES: Record<FactCategory, { title: string; icon: LucideIcon }> = {
  personal: { title: 'Personal', icon: UserRound },
  preference: { title: 'Taste', icon: Heart },
  relationship: { title: 'People', icon: Users },
  event: { title: 'Event', icon: CalendarDays },
  goal: { title: 'Goal', icon: Target },
  health: { title: 'Health', icon: HeartPulse },
  context: { title: 'Temporary', icon: Compass },
  behaviour: { title: 'Habit', icon: Repeat },
}

export function about(subject: string): string {
  return subject === '' ? 'about you' : `about ${plain(subject)}`
}

/** The reason why a fact no longer holds; empty if it does. */
export const ENDED: Record<FactStatus, string> = {
  current: '',
  unconfirmed: '',
  superseded: 'Replaced by something newer',
  expired: 'Expired',
  faded: 'It was uncertain, and faded',
  merged: 'It says the same as another',
}

const CHANGES: Record<FactChangeKind, string> = {
  learned: 'Learned',
  repeated: 'Said again',
  edited: 'You changed it',
  confirmed: 'You said yes',
  superseded: 'Replaced',
  replaced: 'Replaced another',
  merged: 'Merged',
  expired: 'Expired',
  doubted: 'You said something that may have changed it',
  faded: 'Faded',
  promoted: 'Kept for good',
  undone: 'Undone',
}

/** Describes a change of a fact in a few words, and mentions if it replaced another. */
export function happened(kind: FactChangeKind, tookPlace: boolean): string {
  const words = own(CHANGES, kind) ?? plain(kind)
  return tookPlace && kind !== 'replaced' ? `${words}, replacing another` : words
}

/** Describes a change of a fact's other fields. */
export function different(difference: FactDifference, now: Date): string {
  switch (difference.what) {
    case 'subject':
      return `About ${difference.to === '' ? 'you' : plain(difference.to)} instead of ${difference.from === '' ? 'you' : plain(difference.from)}`
    case 'category':
      return `${CATEGORIES[difference.to].title} instead of ${CATEGORIES[difference.from].title}`
    case 'private':
      return difference.to ? 'Private now' : 'No longer private'
    case 'expiry':
      return difference.to === null ? 'No end date now' : `Valid ${until(difference.to, now)}`
  }
}

export const KINDS: Record<MemoryKind, string> = { fact: 'fact', message: 'message', summary: 'summary', file: 'file', entry: 'entry' }

/** Describes the confidence shown by the meter. */
export function sureness(confidence: number): string {
  if (confidence >= 0.85) return 'Sure'
  if (confidence >= 0.6) return 'Quite sure'
  return confidence >= 0.35 ? 'Not sure' : 'Nearly faded'
}

/** Formats a number of days in everyday units: `9 days`, `3 months`, `2 years`. */
export function span(days: number): string {
  if (days < 45) return plural(Math.round(days), 'day')
  if (days < 547) return plural(Math.round(days / 30.4), 'month')
  return plural(Math.round(days / 365), 'year')
}

/** Returns the earlier of the two end dates that a fact may have. */
export function endOf({ expiresAt, validTo }: Pick<Fact, 'expiresAt' | 'validTo'>): string | null {
  const ends = [expiresAt, validTo].filter((at): at is string => at !== null && !Number.isNaN(Date.parse(at)))
  return ends.sort((one, other) => Date.parse(one) - Date.parse(other))[0] ?? null
}

/** Formats an end date such as `until 20 November`. */
export function until(end: string, now: Date): string {
  return `until ${calendarDay(end, now)}`
}

/** Describes how the confidence fades: on a given day, slowly, or not at all. */
export function fading(halfLifeDays: number | null, end: string | null, now: Date): string {
  const slowly = halfLifeDays === null ? null : `Half of that fades in ${span(halfLifeDays)} unless it comes up again`
  if (end === null) return slowly ?? 'Does not fade'
  return `${slowly === null ? 'Valid' : `${slowly}; valid`} ${until(end, now)}`
}

export function originWords({ kind, name }: Origin): string {
  const from = { web: 'a page', search: 'a search', file: 'a file', mcp: 'another program', tools: 'the tools of a server', picture: 'a picture', workspace: 'the work folder' }[kind] ?? 'elsewhere'
  return `${from}: ${plain(name)}`
}

export function sourceWords(source: FactSource): string {
  switch (source.kind) {
    case 'conversation':
      return source.title === '' ? 'In a conversation' : `In “${plain(source.title)}”`
    case 'person':
      return 'You wrote it down'
    case 'import':
      return `It came with “${plain(source.name)}”`
    case 'program':
      return `The program “${plain(source.name)}” wrote it down`
  }
}

/** Returns the route to the message that is the source, or null if it is unknown. */
export function sourceRoute(source: Pick<Fact, 'source'>['source']): { page: 'chat'; id: string; message: string } | null {
  return source.kind === 'conversation' ? { page: 'chat', id: source.conversationId, message: source.messageId } : null
}

const PARTS: Record<string, string> = { words: 'words', meaning: 'meaning', person: 'person', day: 'day', importance: 'weight', recency: 'recent', fact: 'answer', telling: 'substance', time: 'names a time' }

export function partName(name: string): string {
  return own(PARTS, name) ?? plain(name)
}

const PLACES: Record<string, (count: number) => string> = {
  facts: (count) => plural(count, 'fact'),
  messages: (count) => `${plural(count, 'message')}, where a mark replaces the words`,
  summaries: (count) => `${plural(count, 'summary', 'summaries')}, rewritten without it`,
  prompts: (count) => plural(count, 'stored prompt'),
  events: (count) => `${plural(count, 'stored event')} of earlier answers`,
  audit: (count) => `${plural(count, 'line')} of what she did; the line stays, the words go`,
  files: (count) => plural(count, 'memory file'),
  state: (count) => `${plural(count, 'saved state')} of the model`,
  titles: (count) => plural(count, 'title or label', 'titles and labels'),
  attachments: (count) => plural(count, 'attached file'),
  acts: (count) => plural(count, 'thing that she did', 'things that she did'),
  entries: (count) => plural(count, 'entry', 'entries'),
  permissions: (count) => plural(count, 'permission'),
  other: (count) => plural(count, 'other file'),
}

export function placeWords(place: string, count: number): string {
  return own(PLACES, place)?.(count) ?? `${plain(place)}: ${count}`
}

/** Returns the sort order of a place: familiar ones such as facts and messages first. */
export function placeOrder(place: string): number {
  const found = Object.keys(PLACES).indexOf(place)
  return found < 0 ? Object.keys(PLACES).length : found
}

/** Returns true if there is nothing to remove. */
export function isNowhere({ removed }: Pick<ForgetReport, 'removed'>): boolean {
  return removed.every(({ count }) => count === 0)
}

const FORMATS: Record<string, string> = { perigee: 'an export of Perigee', markdown: 'Markdown', chatgpt: 'an export of ChatGPT', sillytavern: 'a chat of SillyTavern' }

export function formatName(format: string): string {
  return own(FORMATS, format) ?? plain(format)
}

/** Joins parts as in `a, b and c`. */
export function listed(parts: string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
