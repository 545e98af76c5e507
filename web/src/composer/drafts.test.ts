import { beforeEach, describe, expect, test, vi } from 'vitest'
import { readDrafts, writeDraft } from './drafts'

beforeEach(() => localStorage.clear())

describe('drafts', () => {
  test('are kept for each conversation', () => {
    writeDraft('new', 'half a thou', [], 1)
    writeDraft('00000000000ab', 'another', [], 2)
    expect(readDrafts()).toEqual({ new: 'half a thou', '00000000000ab': 'another' })
  })

  test('are forgotten when they are sent', () => {
    writeDraft('new', 'half', [], 1)
    writeDraft('new', '', [], 2)
    expect(readDrafts()).toEqual({})
    expect(localStorage.length).toBe(0)
  })

  test('hold what was waiting to be sent, above what was being typed', () => {
    writeDraft('new', 'third', ['first', 'second'], 1)
    expect(readDrafts()).toEqual({ new: 'first\n\nsecond\n\nthird' })
  })

  test('are let go oldest first', () => {
    for (let count = 0; count < 70; count += 1) writeDraft(`chat ${count}`, 'text', [], count)
    const kept = Object.keys(readDrafts())
    expect(kept).toHaveLength(60)
    expect(kept).not.toContain('chat 9')
    expect(kept).toContain('chat 10')
  })

  test.each(['not json', '[]', '{"new":5}', '{"new":{"text":1}}', 'null'])('survive a storage that holds %s', (stored) => {
    localStorage.setItem('perigee.drafts', stored)
    expect(readDrafts()).toEqual({})
    writeDraft('new', 'text', [], 1)
    expect(readDrafts()).toEqual({ new: 'text' })
  })

  test('do no harm where there is no storage', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    expect(() => writeDraft('new', 'text', [], 1)).not.toThrow()
  })
})
