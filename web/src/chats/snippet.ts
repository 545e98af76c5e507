import type { SearchHit } from '@/api/protocol.gen'

/**
 * The number of characters before the first match, small enough that a narrow list shows the match itself.
 */
const LEAD = 20

type Snippet = Pick<SearchHit, 'snippet' | 'marks'>

/** Returns the snippet from shortly before its first match, starting at a word if possible. */
export function aroundMark({ snippet, marks }: Snippet): Snippet {
  const first = marks[0]?.[0] ?? 0
  if (first <= LEAD || first > snippet.length) return { snippet, marks }
  const space = snippet.indexOf(' ', first - LEAD)
  let from = space >= 0 && space < first ? space + 1 : first - LEAD
  // Do not split a surrogate pair.
  if (/[\udc00-\udfff]/.test(snippet.charAt(from))) from += 1
  const by = from - 1
  return { snippet: `…${snippet.slice(from)}`, marks: marks.map(([start, end]) => [start - by, end - by]) }
}
