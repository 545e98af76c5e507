// @vitest-environment node
import { expect, test } from 'vitest'
import { aroundMark } from './snippet'

function marked(snippet: string, word: string) {
  const start = snippet.indexOf(word)
  const cut = aroundMark({ snippet, marks: [[start, start + word.length]] })
  const [from, to] = cut.marks[0] ?? [0, 0]
  return [cut.snippet, cut.snippet.slice(from, to)]
}

test.each([
  ['The moon is near.', 'moon', 'The moon is near.'],
  ['…return 2 * pi * sqrt(axis**3 / mu) and then the moon comes out', 'moon', '…/ mu) and then the moon comes out'],
  ['月の裏側はいつも見えないのに、どうして地図があるのでしょう。答えは探査機です。', '探査機', '…に、どうして地図があるのでしょう。答えは探査機です。'],
  [`${'🌊'.repeat(30)}xmoon`, 'moon', `…${'🌊'.repeat(9)}xmoon`],
])('%s shows the found word near its beginning', (snippet, word, shown) => {
  expect(marked(snippet, word)).toEqual([shown, word])
})

test('marks that do not fit change nothing', () => {
  const odd = { snippet: 'short', marks: [[90, 99]] as [number, number][] }
  expect(aroundMark(odd)).toEqual(odd)
})
