import { describe, expect, test } from 'vitest'
import { hunk } from '@/testkit/code'
import { languageOf, marked, splitLines } from './colours'
import { asShown, asWritten, holdsLine, newText, numbered, paired, rewritten } from './hunks'

const HUNK = hunk(1, 8, ' keep', '-let lag = 0.83;', '+let lag = 0.91;', '+let more = 1;', ' end')

describe('a hunk', () => {
  test('numbers its lines on both sides', () => {
    expect(numbered(HUNK).map(({ old, new: fresh }) => [old, fresh])).toEqual([[8, 8], [9, null], [null, 9], [null, 10], [10, 11]])
  })

  test('points at what is other in a line, and at nothing where all of it is', () => {
    const [, before, after, more] = numbered(HUNK)
    expect([before, after].map((line) => line?.mark && line.text.slice(...line.mark))).toEqual(['83', '91'])
    expect(more?.mark).toBeNull()
    expect(numbered(hunk(1, 1, '-alpha', '+omega beta gamma')).map(({ mark }) => mark)).toEqual([null, null])
  })

  test('cuts no letter in two', () => {
    const [before] = numbered(hunk(1, 1, '-let moon = 🌑; // phase', '+let moon = 🌕; // phase'))
    expect(before?.mark && before.text.slice(...before.mark)).toBe('🌑')
  })

  test.each([
    ['lines', HUNK, 'keep\nlet lag = 1;\nend', 'keep\nlet lag = 1;\nend\n', [' keep', '-let lag = 0.83;', '+let lag = 1;', ' end']],
    ['nothing', hunk(1, 1, '-a', '+b'), '', '', ['-a']],
    ['lines of Windows', hunk(1, 1, ' a\r', '-b\r', '+c\r'), 'a\nd', 'a\r\nd\r\n', [' a\r', '-b\r', '+d\r']],
  ])('is written anew as %s', (_, before, text, sent, shown) => {
    const written = asWritten(before, text)
    expect(written).toBe(sent)
    expect(asShown(written)).toBe(text)
    const signs = { added: '+', removed: '-', same: ' ' }
    expect(rewritten(before, written).lines.map((line) => signs[line.kind] + line.text)).toEqual(shown)
  })

  test('that ends without a newline keeps it so when it is written anew', () => {
    const bare = { ...HUNK, lines: HUNK.lines.map((line, index) => (index === 4 ? { ...line, noNewline: true } : line)) }
    expect(newText(bare)).toBe('keep\nlet lag = 0.91;\nlet more = 1;\nend')
    expect(asWritten(bare, 'keep\nfin')).toBe('keep\nfin')
    expect(rewritten(bare, 'keep\nfin').lines.at(-1)).toEqual({ kind: 'added', text: 'fin', noNewline: true })
  })

  test('stands side by side', () => {
    const shown = paired(numbered(HUNK)).map(({ left, right }) => [left?.text ?? null, right?.text ?? null])
    expect(shown).toEqual([['keep', 'keep'], ['let lag = 0.83;', 'let lag = 0.91;'], [null, 'let more = 1;'], ['end', 'end']])
  })

  test('writes out signs that are not seen, but for how the file ends its lines', () => {
    expect(numbered(hunk(1, 1, '+if (ok\u202E) {', ' x')).map(({ text }) => text)).toEqual(['if (ok⟨U+202E⟩) {', 'x'])
    expect(numbered(hunk(1, 1, '-a\r', '+b\r')).map(({ text }) => text)).toEqual(['a', 'b'])
    expect(numbered(hunk(1, 1, '-a', '+a\r')).map(({ text }) => text)).toEqual(['a', 'a⟨U+000D⟩'])
  })

  test.each([
    [8, true],
    [11, true],
    [12, false],
    [7, false],
  ])('of four lines from 8 on holds line %i: %s', (line, holds) => expect(holdsLine(HUNK, line)).toBe(holds))
})

describe('colours', () => {
  test('that go over the end of a line are opened again on the next', () => {
    expect(splitLines('<span class="a">one\ntwo</span> three\nfour')).toEqual(['<span class="a">one</span>', '<span class="a">two</span> three', 'four'])
  })

  test.each([
    ['abcdef', [2, 4], 'ab<mark class="changed">cd</mark>ef'],
    ['a&lt;b', [1, 2], 'a<mark class="changed">&lt;</mark>b'],
    ['<span>ab</span>cd', [1, 3], '<span>a<mark class="changed">b</mark></span><mark class="changed">c</mark>d'],
    ['abc', [2, 2], 'abc'],
    ['abc', [1, 3], 'a<mark class="changed">bc</mark>'],
  ] as const)('%j marked at %j is %j', (html, [from, to], after) => expect(marked(html, [from, to])).toBe(after))

  test.each([
    ['src/main.rs', 'rs'],
    ['Dockerfile', 'dockerfile'],
    ['a/CMakeLists.txt', 'cmake'],
    ['x.MTS', 'typescript'],
    ['LICENSE', ''],
    ['a.constructor', 'constructor'],
  ])('%s is %j', (path, language) => expect(languageOf(path)).toBe(language))
})
