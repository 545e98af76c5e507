import type { FactStanding } from '@/api/memory'
import type { Fact, FactPatch } from '@/api/protocol.gen'

/** In which of the three lists a fact stands. */
export function stands({ status }: Pick<Fact, 'status'>): FactStanding {
  return status === 'current' || status === 'unconfirmed' ? status : 'past'
}

/** The fact as it will be, before the server has said so. */
export function patched(fact: Fact, { confirmed, expiresAt, ...patch }: FactPatch): Fact {
  return {
    ...fact,
    ...patch,
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === '' ? null : expiresAt }),
    ...(confirmed === undefined ? {} : { status: confirmed ? ('current' as const) : ('faded' as const) }),
  }
}
