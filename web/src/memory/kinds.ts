import type { CategoryCount, FactCategory } from '@/api/protocol.gen'
import type { FactSlice } from './factSlice'

/** How many facts of each kind there are among those that are asked for; null where nobody has counted. */
export interface KindCounts {
  all: number | null
  of: (category: FactCategory) => number | null
}

/** The server counts what holds, whatever is searched for. Among what was found, only what has come can be counted. */
export function kindCounts({ filter, categories, list, next, total, state }: FactSlice['facts']): KindCounts {
  if (filter.q.trim() === '' && filter.status === 'current') return { all: sum(categories), of: (category) => categories.find((one) => one.category === category)?.facts ?? 0 }
  if (state !== 'ready') return { all: null, of: () => null }
  if (filter.category !== '') return { all: null, of: (category) => (category === filter.category ? total : null) }
  return { all: total, of: (category) => (next === null ? list.filter((fact) => fact.category === category).length : null) }
}

function sum(categories: CategoryCount[]): number {
  return categories.reduce((all, { facts }) => all + facts, 0)
}
