import { beforeEach, describe, expect, test, vi } from 'vitest'
import { freshStores } from '@/testkit/stores'
import { readMemoryDrafts, writeMemoryDraft } from './drafts'
import { useMemoryStore } from './useMemoryStore'

const memory = () => useMemoryStore.getState()

beforeEach(() => {
  localStorage.clear()
  freshStores()
})

describe('what was begun about her memory', () => {
  test('is there again after a reload, each in its place', () => {
    memory().keepDraft('fact a', { content: 'A dog, Max', private: true })
    memory().keepDraft('file plan.md', { content: '# Plan', upon: '2026-11-14T20:00:00Z' })
    memory().keepDraft('file constructor', { content: 'built' })
    window.dispatchEvent(new Event('pagehide'))
    expect(readMemoryDrafts()).toEqual({
      'fact a': { content: 'A dog, Max', private: true },
      'file plan.md': { content: '# Plan', upon: '2026-11-14T20:00:00Z' },
      'file constructor': { content: 'built' },
    })
  })

  test('is written down once typing rests, and is gone at once when it is dropped', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      memory().keepDraft('new fact', { content: 'A' })
      expect(readMemoryDrafts()).toEqual({})
      vi.advanceTimersByTime(400)
      expect(readMemoryDrafts()).toEqual({ 'new fact': { content: 'A' } })
      memory().keepDraft('new fact', { content: 'AB' })
      memory().dropDraft('new fact')
      expect(localStorage.length).toBe(0)
      vi.advanceTimersByTime(400)
      expect(localStorage.length).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  test('is kept whole or not at all', () => {
    writeMemoryDraft('file long.md', { content: 'x'.repeat(200_001) }, 1)
    expect(readMemoryDrafts()).toEqual({})
  })

  test.each(['not json', 'null', '{"new fact":5}', '{"new fact":{"at":1}}', '{"new fact":{"at":1,"draft":{"content":5}}}', '{"new fact":{"at":1,"draft":{"toString":"x"}}}'])(
    'is not read from a storage that holds %s',
    (stored) => {
      localStorage.setItem('perigee.memory-drafts', stored)
      expect(readMemoryDrafts()).toEqual({})
    },
  )
})
