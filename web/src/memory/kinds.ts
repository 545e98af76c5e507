import type { CategoryCount, FactCategory } from '@/api/protocol.gen'
import type { FactSlice } from './factSlice'

/** The number of facts of each kind within the current filter; null where it is unknown. */
export interface KindCounts {
  all: number | null
  of: (category: FactCategory) => number | null
}

/**
 * Computes the counts. The server counts current facts regardless of the search, so search results are
 * counted only as far as they are loaded.
 */
export function kindCounts({ filter, categories, list, next, total, state }: FactSlice['facts']): KindCounts {
  if (filter.q.trim() === '' && filter.status === 'current') return { all: sum(categories), of: (category) => categories.find((one) => one.category === category)?.facts ?? 0 }
  if (state !== 'ready') return { all: null, of: () => null }
  if (filter.category !== '') return { all: null, of: (category) => (category === filter.category ? total : null) }
  return { all: total, of: (category) => (next === null ? list.filter((fact) => fact.category === category).length : null) }
}

function sum(categories: CategoryCount[]): number {
  return categories.reduce((all, { facts }) => all + facts, 0)
}
