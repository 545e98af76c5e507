import type { FactGroup } from '@/api/memory'
import type { Fact, FactPatch } from '@/api/protocol.gen'

/** Returns which of the three lists a fact belongs to. */
export function groupOf({ status }: Pick<Fact, 'status'>): FactGroup {
  return status === 'current' || status === 'unconfirmed' ? status : 'past'
}

/** Returns the fields that would change the fact. An empty text is ignored, as it is never saved. */
export function changes(fact: Fact, { content = fact.content, subject = fact.subject, category = fact.category, private: isPrivate = fact.private, expiresAt = day(fact.expiresAt) }: FactPatch): FactPatch {
  const text = content.trim()
  const whom = subject.trim()
  return {
    ...(text !== fact.content && text !== '' ? { content: text } : {}),
    ...(whom !== fact.subject ? { subject: whom } : {}),
    ...(category !== fact.category ? { category } : {}),
    ...(isPrivate !== fact.private ? { private: isPrivate } : {}),
    ...(expiresAt !== day(fact.expiresAt) ? { expiresAt } : {}),
  }
}

/**
 * Converts a time to the value of a date field: the day in the reader's time zone. The server uses the start
 * of that day.
 */
export function day(at: string | null): string {
  if (at === null || /^\d+-\d\d-\d\d$/.test(at)) return at ?? ''
  const date = new Date(at)
  const two = (part: number) => String(part).padStart(2, '0')
  return Number.isNaN(date.getTime()) ? '' : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Applies a patch optimistically, before the server confirms it. */
export function patched(fact: Fact, { confirmed, expiresAt, ...patch }: FactPatch): Fact {
  return {
    ...fact,
    ...patch,
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === '' ? null : expiresAt }),
    ...(confirmed === undefined ? {} : { doubt: null, status: confirmed ? ('current' as const) : fact.doubt ? ('expired' as const) : ('faded' as const) }),
  }
}
