import { beforeEach, describe, expect, test, vi } from 'vitest'
import { useStore } from '@/store'
import { readMemoryDrafts, writeMemoryDraft } from './drafts'

const initial = useStore.getState()
const state = () => useStore.getState()

beforeEach(() => {
  localStorage.clear()
  useStore.setState(initial, true)
})

describe('what was begun about her memory', () => {
  test('is there again after a reload, each in its place', () => {
    state().keepDraft('fact a', { content: 'A dog, Max', private: true })
    state().keepDraft('file plan.md', { content: '# Plan', upon: '2026-11-14T20:00:00Z' })
    state().keepDraft('file constructor', { content: 'built' })
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
      state().keepDraft('new fact', { content: 'A' })
      expect(readMemoryDrafts()).toEqual({})
      vi.advanceTimersByTime(400)
      expect(readMemoryDrafts()).toEqual({ 'new fact': { content: 'A' } })
      state().keepDraft('new fact', { content: 'AB' })
      state().dropDraft('new fact')
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
