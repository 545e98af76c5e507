/**
 * How well a text answers what was typed: every typed word must be in it, as a word, the beginning of one,
 * a part, or at least its letters in order. Null where it is not; higher is better.
 */
export function rank(text: string, query: string): number | null {
  const haystack = text.toLowerCase()
  let score = 0
  for (const word of query.toLowerCase().split(/\s+/).filter(Boolean)) {
    const found = rankWord(haystack, word)
    if (found === null) return null
    score += found
  }
  // Among equals the shorter text is the closer one.
  return score - haystack.length / 1000
}

function rankWord(haystack: string, word: string): number | null {
  const at = haystack.indexOf(word)
  if (at === 0) return 4
  if (at > 0) return /[\s/._-]/.test(haystack.charAt(at - 1)) ? 3 : 2
  if (word.length < 2) return null
  let from = 0
  for (const letter of word) {
    const next = haystack.indexOf(letter, from)
    if (next < 0) return null
    from = next + 1
  }
  return from <= word.length * 3 ? 0.5 : null
}
