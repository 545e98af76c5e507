// @vitest-environment node
import { expect, test } from 'vitest'
import { rank } from './rank'

test('the closest text comes first, and what does not match does not come', () => {
  const best = (query: string, ...texts: string[]) =>
    texts
      .map((text) => ({ text, score: rank(text, query) }))
      .filter((entry) => entry.score !== null)
      .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
      .map(({ text }) => text)
  expect(best('mo', 'Remove', 'Choose a model', 'Move to a folder', 'Settings')).toEqual(['Move to a folder', 'Choose a model', 'Remove'])
  expect(best('theme dark', 'Dark theme', 'Change the theme')).toEqual(['Dark theme'])
  expect(best('nwc', 'New chat', 'Settings')).toEqual(['New chat'])
  expect(best('moon', 'Model: Context length', 'Full moon')).toEqual(['Full moon'])
  expect(best('', 'a', 'bb')).toEqual(['a', 'bb'])
})
