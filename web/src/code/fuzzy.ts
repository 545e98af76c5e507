/** A match: a text that contains the typed letters in order. */
export interface Match {
  /** The rank of the match: higher is better. */
  score: number
  /** The indices of the matched letters. */
  at: number[]
}

const BOUNDARY = /[\s/._:-]/
const NEAR = 5
const BEGINS = 8
const IN_NAME = 3

/**
 * Scores how well a path matches a query: `stidx` finds `store/index.ts`. Letters score higher side by side,
 * at the beginning of a part, and in the file name. Returns null if a letter is missing.
 */
export function fuzzy(path: string, query: string): Match | null {
  const wanted = query.toLowerCase().replace(/\s+/g, '')
  if (wanted === '') return { score: 0, at: [] }
  const text = path.toLowerCase()
  // The name of a folder ends before its trailing slash.
  const name = text.lastIndexOf('/', text.length - 2) + 1
  // A contiguous match is preferred, in the name before anywhere else.
  for (const from of [text.indexOf(wanted, name), text.indexOf(wanted)]) {
    if (from < 0) continue
    const at = Array.from({ length: wanted.length }, (_, index) => from + index)
    const whole = from === name && (text.length === from + wanted.length || text[from + wanted.length] === '.')
    return { score: scored(path, at, name) + 20 + (whole ? 20 : 0) - path.length / 100, at }
  }
  const at = backwards(text, wanted)
  return at && { score: scored(path, at, name) - path.length / 100, at }
}

/** Matches from the end, so that a letter found both in the folder and in the name is matched in the name. */
function backwards(text: string, wanted: string): number[] | null {
  const at: number[] = []
  let from = text.length - 1
  for (let index = wanted.length - 1; index >= 0; index -= 1) {
    const found = text.lastIndexOf(wanted.charAt(index), from)
    if (found < 0 || from < 0) return null
    at.unshift(found)
    from = found - 1
  }
  return at
}

function scored(path: string, at: number[], name: number): number {
  let score = 0
  at.forEach((place, index) => {
    const before = path.charAt(place - 1)
    const sign = path.charAt(place)
    if (place === 0 || BOUNDARY.test(before) || (sign !== sign.toLowerCase() && before === before.toLowerCase())) score += BEGINS
    if (index > 0 && at[index - 1] === place - 1) score += NEAR
    if (place >= name) score += IN_NAME
    score += 1
  })
  return score
}

/** Returns the best matches, best first; without a query, the first `most` in their order. */
export function best<T>(items: readonly T[], text: (item: T) => string, query: string, most: number): { item: T; at: number[] }[] {
  if (query.trim() === '') return items.slice(0, most).map((item) => ({ item, at: [] }))
  const found: { item: T; match: Match }[] = []
  for (const item of items) {
    const match = fuzzy(text(item), query)
    if (match) found.push({ item, match })
  }
  found.sort((one, other) => other.match.score - one.match.score)
  return found.slice(0, most).map(({ item, match }) => ({ item, at: match.at }))
}
