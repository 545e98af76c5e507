// @vitest-environment node
import { describe, expect, test } from 'vitest'
import type { ChatSummary } from '@/api/protocol.gen'
import { belongs, groupedByPeriod, merged } from './order'
import { itemAt } from './useWindowed'

function chat(id: string, updatedAt: string, more: Partial<ChatSummary> = {}): ChatSummary {
  return { id, title: id, createdAt: updatedAt, updatedAt, pinned: false, folder: null, tags: [], messageCount: 2, preview: '', incognito: false, ...more }
}

const NOW = new Date('2026-11-14T12:00:00')

describe('the list', () => {
  test('puts pinned ones first, then the newest, each once', () => {
    const list = [chat('b', '2026-11-13T10:00:00Z'), chat('a', '2026-11-12T10:00:00Z')]
    const changed = merged(list, [chat('a', '2026-11-14T10:00:00Z'), chat('p', '2026-01-01T10:00:00Z', { pinned: true })])
    expect(changed.map(({ id }) => id)).toEqual(['p', 'a', 'b'])
  })

  test('stands under headings', () => {
    const list = [
      chat('p', '2026-01-01T10:00:00', { pinned: true }),
      chat('a', '2026-11-14T10:00:00'),
      chat('b', '2026-11-13T23:00:00'),
      chat('c', '2026-11-10T10:00:00'),
      chat('d', '2026-10-20T10:00:00'),
      chat('e', '2026-03-20T10:00:00'),
    ]
    const headings = groupedByPeriod(list, NOW).flatMap((item) => (item.kind === 'heading' ? [item.text] : []))
    expect(headings).toEqual(['Pinned', 'Today', 'Yesterday', 'This week', 'Last 30 days', 'March 2026'])
  })

  test('shows what belongs to the open folder or tag', () => {
    const row = chat('a', '2026-11-14T10:00:00', { folder: 'Thesis', tags: ['rust'] })
    expect(belongs(row, {})).toBe(true)
    expect(belongs(row, { folder: 'Thesis' })).toBe(true)
    expect(belongs(row, { folder: 'Home' })).toBe(false)
    expect(belongs(row, { tag: 'rust' })).toBe(true)
    expect(belongs(row, { tag: 'go' })).toBe(false)
  })

  test('finds the row at a height among ten thousand', () => {
    const offsets = Array.from({ length: 10_001 }, (_, index) => index * 34)
    expect(itemAt(offsets, 0)).toBe(0)
    expect(itemAt(offsets, 33)).toBe(0)
    expect(itemAt(offsets, 34)).toBe(1)
    expect(itemAt(offsets, 34 * 9_999 + 5)).toBe(9_999)
    expect(itemAt(offsets, 1e9)).toBe(9_999)
    expect(itemAt([0], 5)).toBe(0)
  })
})
