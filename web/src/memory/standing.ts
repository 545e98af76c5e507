import type { FactStanding } from '@/api/memory'
import type { Fact, FactPatch } from '@/api/protocol.gen'

/** In which of the three lists a fact stands. */
export function stands({ status }: Pick<Fact, 'status'>): FactStanding {
  return status === 'current' || status === 'unconfirmed' ? status : 'past'
}

/** What of this would change the fact. Empty words would not: they are not kept. */
export function changes(fact: Fact, { content = fact.content, subject = fact.subject, category = fact.category, private: isPrivate = fact.private, expiresAt = day(fact.expiresAt) }: FactPatch): FactPatch {
  const said = content.trim()
  const whom = subject.trim()
  return {
    ...(said !== fact.content && said !== '' ? { content: said } : {}),
    ...(whom !== fact.subject ? { subject: whom } : {}),
    ...(category !== fact.category ? { category } : {}),
    ...(isPrivate !== fact.private ? { private: isPrivate } : {}),
    ...(expiresAt !== day(fact.expiresAt) ? { expiresAt } : {}),
  }
}

/** Of a moment, as a field for dates has it: the day where the reader is, at whose beginning the server puts it. */
export function day(at: string | null): string {
  if (at === null || /^\d+-\d\d-\d\d$/.test(at)) return at ?? ''
  const date = new Date(at)
  const two = (part: number) => String(part).padStart(2, '0')
  return Number.isNaN(date.getTime()) ? '' : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The fact as it will be, before the server has said so. */
export function patched(fact: Fact, { confirmed, expiresAt, ...patch }: FactPatch): Fact {
  return {
    ...fact,
    ...patch,
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === '' ? null : expiresAt }),
    ...(confirmed === undefined ? {} : { doubt: null, status: confirmed ? ('current' as const) : fact.doubt ? ('expired' as const) : ('faded' as const) }),
  }
}
