const SEPARATOR = /[\s/._:-]/

/**
 * Scores how well a text matches a query: every word of the query must occur in it as a word, the beginning
 * of one, a part, or at least as an abbreviation. Null if it does not match; higher is better.
 */
export function rank(text: string, query: string): number | null {
  const haystack = text.toLowerCase()
  let score = 0
  for (const word of query.toLowerCase().split(/\s+/).filter(Boolean)) {
    const found = rankWord(haystack, word)
    if (found === null) return null
    score += found
  }
  // Among equal scores the shorter text is the closer match.
  return score - haystack.length / 1000
}

function rankWord(haystack: string, word: string): number | null {
  const at = haystack.indexOf(word)
  if (at === 0) return 4
  if (at > 0) return SEPARATOR.test(haystack.charAt(at - 1)) ? 3 : 2
  return word.length > 1 && abbreviates(word, haystack) ? 0.5 : null
}

/**
 * Matches abbreviations such as `nwc` for `new chat`: each letter follows in the same word or begins another,
 * and all lie close together.
 */
function abbreviates(word: string, haystack: string): boolean {
  let first = -1
  let at = -1
  for (const letter of word) {
    let inside = at >= 0
    let next = at + 1
    for (; next < haystack.length; next += 1) {
      const begins = next === 0 || SEPARATOR.test(haystack.charAt(next - 1))
      inside &&= !begins
      if (haystack.charAt(next) === letter && (inside || begins)) break
    }
    if (next >= haystack.length) return false
    if (first < 0) first = next
    at = next
  }
  return at - first < word.length * 3
}
