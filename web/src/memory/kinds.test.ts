// @vitest-environment node
import { expect, test } from 'vitest'
import { fact } from '@/testkit/memory'
import { ALL_FACTS, type FactSlice } from './factSlice'
import { kindCounts } from './kinds'

const found = [fact('a', 'Green tea', { category: 'preference' }), fact('b', 'A tea shop'), fact('c', 'Black tea', { category: 'preference' })]
const facts: FactSlice['facts'] = {
  filter: ALL_FACTS, list: found, next: null, categories: [{ category: 'personal', facts: 40 }, { category: 'preference', facts: 20 }], unconfirmed: 0, total: 3, state: 'ready', trouble: null,
}
const counted = (more: Partial<FactSlice['facts']>) => {
  const { all, of } = kindCounts({ ...facts, ...more })
  return [all, of('personal'), of('preference'), of('goal')]
}
const tea = { ...ALL_FACTS, q: 'tea' }

test.each<[string, Partial<FactSlice['facts']>, (number | null)[]]>([
  ['without a search as the server counts', {}, [60, 40, 20, 0]],
  ['while it is read, too', { state: 'loading' }, [60, 40, 20, 0]],
  ['of a search what was found', { filter: tea }, [3, 1, 2, 0]],
  ['of what held once, too', { filter: { ...ALL_FACTS, status: 'past' } }, [3, 1, 2, 0]],
  ['of a long one the whole only', { filter: tea, next: '100', total: 250 }, [250, null, null, null]],
  ['of one kind that kind only', { filter: { ...tea, category: 'preference' }, total: 2 }, [null, null, 2, null]],
  ['nothing while it is looked for', { filter: tea, state: 'loading', list: [] }, [null, null, null, null]],
  ['blanks are no search', { filter: { ...ALL_FACTS, q: ' ' } }, [60, 40, 20, 0]],
])('kinds are counted: %s', (_, more, counts) => expect(counted(more)).toEqual(counts))
