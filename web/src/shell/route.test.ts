import { describe, expect, test } from 'vitest'
import { codeIn, takeCode } from '@/login/code'
import { fragmentOf, parseRoute, parseView, type Route, type View } from './route'

describe('the address', () => {
  test.each<[string, Route]>([
    ['#/', { page: 'new' }],
    ['#/c/0000000000abc', { page: 'chat', id: '0000000000abc' }],
    ['#/c/0000000000abc/0000000000abd', { page: 'chat', id: '0000000000abc', message: '0000000000abd' }],
    ['#/settings', { page: 'settings' }],
    ['#/tools', { page: 'tools' }],
    ['#/tools/web_search', { page: 'tools', tool: 'web_search' }],
    ['#/servers', { page: 'servers' }],
    ['#/servers/my%20notes', { page: 'servers', name: 'my notes' }],
    ['#/audit', { page: 'audit' }],
    ['#/skills', { page: 'skills' }],
    ['#/skills/r%C3%A9sum%C3%A9%20checker', { page: 'skills', name: 'résumé checker' }],
    ['#/memory', { page: 'memory' }],
    ['#/memory/timeline', { page: 'memory', tab: 'timeline' }],
    ['#/memory/facts/0000000000abc', { page: 'memory', tab: 'facts', item: '0000000000abc' }],
    ['#/memory/files/a%2Fb%20c.md', { page: 'memory', tab: 'files', item: 'a/b c.md' }],
    ['#/personality', { page: 'personality' }],
    ['#/code', { page: 'code' }],
    ['#/code/terminal', { page: 'code', view: 'terminal' }],
    ['#/code/file/src%2Fa%20b.rs', { page: 'code', view: 'file', item: 'src/a b.rs' }],
    ['#/code/file/src%2Fmain.rs/42', { page: 'code', view: 'file', item: 'src/main.rs', line: 42 }],
    ['#/code/review/0000000000abc', { page: 'code', view: 'review', item: '0000000000abc' }],
    ['#/settings/llm.base_url', { page: 'settings', section: 'llm.base_url' }],
  ])('%s survives both ways', (fragment, route) => {
    expect(parseRoute(fragment)).toEqual(route)
    expect(fragmentOf(route)).toBe(fragment)
  })

  test.each(['#/settings/%', '#/settings/%E0%A4%A', '#/settings/'])('%j opens the settings', (fragment) =>
    expect(parseRoute(fragment)).toEqual({ page: 'settings' }),
  )

  test.each(['#/memory/', '#/memory/constructor', '#/memory/facts', '#/memory/facts/%'])('%j opens what she knows', (fragment) =>
    expect(parseRoute(fragment)).toEqual({ page: 'memory' }),
  )

  test.each(['#/code/', '#/code/constructor', '#/code/file', '#/code/file/%', '#/code/review/'])('%j opens the workspace', (fragment) =>
    expect(parseRoute(fragment)).toEqual({ page: 'code' }),
  )

  test.each([['#/code/file/a.rs/0'], ['#/code/file/a.rs/-1'], ['#/code/file/a.rs/1e9'], ['#/code/file/a.rs/x']])('%j opens the file at its beginning', (fragment) =>
    expect(parseRoute(fragment)).toEqual({ page: 'code', view: 'file', item: 'a.rs' }),
  )

  test.each(['', '#', '#/c/', '#/c/../../etc', '#/c/short', '#nonsense', '#/c/0000000000ABC"><script>'])('%j opens a new chat', (fragment) =>
    expect(parseRoute(fragment)).toEqual({ page: 'new' }),
  )
})

describe('the view in the address', () => {
  test.each<[string, View, Route]>([
    ['#/luna', 'luna', { page: 'new' }],
    ['#/user', 'user', { page: 'new' }],
    ['#/luna/c/0000000000abc', 'luna', { page: 'chat', id: '0000000000abc' }],
    ['#/user/c/0000000000abc/0000000000abd', 'user', { page: 'chat', id: '0000000000abc', message: '0000000000abd' }],
    ['#/c/0000000000abc', 'dev', { page: 'chat', id: '0000000000abc' }],
    ['#/', 'dev', { page: 'new' }],
  ])('%s survives both ways', (fragment, view, route) => {
    expect(parseView(fragment)).toBe(view)
    expect(parseRoute(fragment)).toEqual(route)
    expect(fragmentOf(route, view)).toBe(fragment)
  })

  test.each<[string, View, Route]>([
    ['#/luna/settings', 'dev', { page: 'settings' }],
    ['#/user/memory/timeline', 'dev', { page: 'memory', tab: 'timeline' }],
    ['#/luna/luna', 'luna', { page: 'new' }],
    ['#/luna/c/short', 'luna', { page: 'new' }],
    ['#/LUNA', 'dev', { page: 'new' }],
    ['#/constructor', 'dev', { page: 'new' }],
  ])('%s is led where it can be', (fragment, view, route) => {
    expect(parseView(fragment)).toBe(view)
    expect(parseRoute(fragment)).toEqual(route)
  })

  test('leaves the other pages as they are', () => {
    expect(fragmentOf({ page: 'settings' }, 'luna')).toBe('#/settings')
    expect(fragmentOf({ page: 'code' }, 'user')).toBe('#/code')
  })
})

describe('a one-time code', () => {
  test('is found in the fragment', () => {
    expect(codeIn('#code=abc123')).toBe('abc123')
    expect(codeIn('#/c/0000000000abc')).toBeNull()
    expect(codeIn('#code=')).toBeNull()
  })

  test('is taken out of the address and of the history', () => {
    const entries = window.history.length
    window.history.replaceState(null, '', '/#code=abc123')
    expect(takeCode()).toBe('abc123')
    expect(window.location.hash).toBe('')
    expect(window.history.length).toBe(entries)
    expect(takeCode()).toBeNull()
  })
})
