import type { SearchHit } from '@/api/protocol.gen'

/** So much of a snippet stands before the first found word, so that a narrow list shows the word itself. */
const LEAD = 20

type Snippet = Pick<SearchHit, 'snippet' | 'marks'>

/** The snippet from shortly before its first mark, at the beginning of a word where there is one. */
export function aroundMark({ snippet, marks }: Snippet): Snippet {
  const first = marks[0]?.[0] ?? 0
  if (first <= LEAD || first > snippet.length) return { snippet, marks }
  const space = snippet.indexOf(' ', first - LEAD)
  let from = space >= 0 && space < first ? space + 1 : first - LEAD
  // Not between the two halves of one character.
  if (/[\udc00-\udfff]/.test(snippet.charAt(from))) from += 1
  const by = from - 1
  return { snippet: `…${snippet.slice(from)}`, marks: marks.map(([start, end]) => [start - by, end - by]) }
}
