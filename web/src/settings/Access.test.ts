import { expect, test } from 'vitest'
import type { User } from '@/api/protocol.gen'
import { whose } from './Access'

test('what belongs to somebody else carries their name', () => {
  const people: User[] = [
    { id: '1', name: 'Me', owner: true },
    { id: '2', name: 'Ada', owner: false },
  ]
  expect(whose({ user: '1' }, people)).toEqual([])
  expect(whose({ user: '2' }, people)).toEqual(['Ada'])
  expect(whose({ user: '3' }, people)).toEqual([])
})
