import { describe, expect, test } from 'vitest'
import { useStore } from '@/store'
import { ACTIONS } from './registry'
import { interpret, parseSlash, suggestions } from './slash'

const state = useStore.getState()
const inChat = { ...state, route: { page: 'chat' as const, id: '00000000000ab' } }

describe('a slash command', () => {
  test.each([
    ['/', { name: '', argument: '', typingName: true }],
    ['/new', { name: 'new', argument: '', typingName: true }],
    ['/Theme dark', { name: 'theme', argument: 'dark', typingName: false }],
    ['/search  two words ', { name: 'search', argument: 'two words', typingName: false }],
    ['hello /new', null],
    ['/etc/hosts is a file', null],
    ['/new\nline', null],
    [' /new', null],
    ['5/6', null],
  ])('%j is read as %j', (text, parsed) => expect(parseSlash(text)).toEqual(parsed))

  test('is found by the beginning of its name, then by its words', () => {
    const names = (text: string) => suggestions(text, inChat).map((action) => action.slash?.name)
    expect(names('/re')).toEqual(expect.arrayContaining(['regenerate', 'rename']))
    expect(names('/re')[0]).toMatch(/^re/)
    expect(names('/folder')).toEqual(['move'])
    expect(names('/theme da')).toEqual(['theme'])
    expect(names('/nothing like it')).toEqual([])
  })

  test('is run, sent, or refused with a reason', () => {
    expect(interpret('/rename A title', inChat)).toMatchObject({ kind: 'run', argument: 'A title' })
    expect(interpret('/rename A title', state)).toMatchObject({ kind: 'unavailable' })
    expect(interpret('/renaem A title', inChat)).toEqual({ kind: 'unknown', name: 'renaem' })
    expect(interpret('/usr/bin/env', inChat)).toEqual({ kind: 'text' })
    expect(interpret('just words', inChat)).toEqual({ kind: 'text' })
  })

  test('has a name of its own', () => {
    const names = ACTIONS.flatMap((action) => (action.slash ? [action.slash.name] : []))
    expect(new Set(names).size).toBe(names.length)
    const keys = ACTIONS.flatMap((action) => (action.keys ? [action.keys] : []))
    expect(new Set(keys).size).toBe(keys.length)
  })

  test.each(['new', 'search', 'model', 'regenerate', 'stop', 'export', 'rename', 'pin', 'delete', 'settings', 'help', 'theme'])(
    'exists for /%s',
    (name) => expect(ACTIONS.some((action) => action.slash?.name === name)).toBe(true),
  )
})
