// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { codeFiles } from '@/testkit/code'
import { inserted, mentioned, suggestedMentions, typedMention } from './mentions'

const files = codeFiles('src/main.rs', 'src/harbour/lisbon.rs', 'docs/guide.md')
const symbols = [{ name: 'level', kind: 'function', line: 1, endLine: 2, path: 'src/main.rs' }]
const known = { files, symbols, recent: ['docs/guide.md'] }

describe('a mention that is typed', () => {
  test.each([
    ['@', 1, { from: 0, query: '' }],
    ['look at @src/ma', 15, { from: 8, query: 'src/ma' }],
    ['(@lev', 5, { from: 1, query: 'lev' }],
    ['@a and @b', 2, { from: 0, query: 'a' }],
    ['ada@example.org', 15, null],
    ['@done ', 6, null],
    ['', 0, null],
  ])('%j at %i is %j', (text, cursor, found) => expect(typedMention(text, cursor)).toEqual(found))

  test.each([
    ['Explain @lis', 12, { kind: 'file', text: 'src/harbour/lisbon.rs', note: '' }, 'Explain @src/harbour/lisbon.rs ', 31],
    ['See @gu, please', 7, { kind: 'file', text: 'docs/guide.md', note: '' }, 'See @docs/guide.md , please', 19],
    ['Read @h', 7, { kind: 'page', text: 'https://', note: '' }, 'Read @https://', 14],
  ] as const)('%j becomes what was picked', (text, cursor, mention, after, place) => {
    const at = typedMention(text, cursor)
    expect(at && inserted(text, at, mention)).toEqual({ text: after, cursor: place })
  })
})

test.each([
  ['', ['docs/guide.md', 'diff', 'terminal', 'https://']],
  ['di', ['diff', 'docs/guide.md']],
  ['level', ['level']],
  ['harb', ['src/harbour/', 'src/harbour/lisbon.rs']],
  ['https://example.org', ['https://example.org']],
])('%j is offered %j', (query, texts) => expect(suggestedMentions(query, known).map(({ text }) => text).slice(0, texts.length)).toEqual(texts))

test.each([
  ['Mend @src/main.rs, then @diff.', ['file src/main.rs', 'diff diff']],
  ['@src/harbour/ and @https://a.example/x', ['folder src/harbour/', 'page https://a.example/x']],
  ['@level twice @level ok', ['symbol level']],
  // An unfinished word may still become anything.
  ['Explain @lev', []],
  ['mail ada@example.org', []],
])('%j brings %j', (text, found) => expect(mentioned(text, new Set(files.map(({ path }) => path))).map(({ kind, text: word }) => `${kind} ${word}`)).toEqual(found))
