// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { diffLines, folded } from './diff'

const shown = (before: string, after: string) => diffLines(before, after).map(({ kind, text }) => `${{ same: ' ', gone: '-', new: '+' }[kind]}${text}`)

describe('what changed in a text', () => {
  test.each([
    ['nothing', 'a\nb\n', 'a\nb\n', [' a', ' b']],
    ['a line in the middle', 'a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
    ['a line more', 'a\nc', 'a\nb\nc', [' a', '+b', ' c']],
    ['a line less', 'a\nb\nc', 'a\nc', [' a', '-b', ' c']],
    ['everything', 'a', 'b', ['-a', '+b']],
    ['the beginning of a file', '', 'a\nb', ['+a', '+b']],
    ['its end', 'a', '', ['-a']],
    ['lines that moved', 'a\nb\nc\nd', 'b\nc\nd\na', ['-a', ' b', ' c', ' d', '+a']],
    ['lines that come twice', 'a\na\nb', 'a\nb\nb', [' a', '-a', '+b', ' b']],
  ])('%s', (_, before, after, lines) => expect(shown(before, after)).toEqual(lines))

  test('of a text of any size is found in time, and nothing of either is lost', () => {
    const before = Array.from({ length: 20_000 }, (_, at) => `line ${at}`).join('\n')
    const after = Array.from({ length: 20_000 }, (_, at) => `zeile ${at}`).join('\n')
    const diff = diffLines(before, after)
    expect(diff.filter(({ kind }) => kind === 'gone')).toHaveLength(20_000)
    expect(diff.filter(({ kind }) => kind === 'new')).toHaveLength(20_000)
  })

  test('leaves out what did not change, but for what is near', () => {
    const before = Array.from({ length: 20 }, (_, at) => String(at)).join('\n')
    const lines = folded(diffLines(before, before.replace('\n10\n', '\nten\n')))
    expect(lines.map((line) => line?.text ?? '…')).toEqual(['…', '8', '9', '10', 'ten', '11', '12', '…'])
    expect(folded(diffLines(before, before))).toEqual([null])
  })
})
