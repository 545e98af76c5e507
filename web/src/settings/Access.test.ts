import { expect, test } from 'vitest'
import type { User } from '@/api/protocol.gen'
import { since } from '@/design/format'
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

test('what was used a moment ago was used just now', () => {
  const now = new Date('2026-11-15T12:00:00Z')
  expect(since('2026-11-15T11:59:40Z', now)).toBe('just now')
  expect(since('2026-11-15T09:00:00Z', now)).toBe('3 h ago')
  expect(since('2026-10-01T09:00:00Z', now)).not.toMatch(/ago/)
})
