/** A text in which the typed letters stand in their order. */
export interface Match {
  /** Higher is better. */
  score: number
  /** Which letters of the text were meant. */
  at: number[]
}

const BOUNDARY = /[\s/._:-]/
const NEAR = 5
const BEGINS = 8
const IN_NAME = 3

/**
 * How well a path answers what was typed: `stidx` finds `store/index.ts`. Letters count more side by side, at the
 * beginning of a part, and in the name of the file. Null where a letter is missing.
 */
export function fuzzy(path: string, query: string): Match | null {
  const wanted = query.toLowerCase().replace(/\s+/g, '')
  if (wanted === '') return { score: 0, at: [] }
  const text = path.toLowerCase()
  // The name of a folder stands before the stroke that ends it.
  const name = text.lastIndexOf('/', text.length - 2) + 1
  // What is typed as it stands is what is meant, in the name before anywhere else.
  for (const from of [text.indexOf(wanted, name), text.indexOf(wanted)]) {
    if (from < 0) continue
    const at = Array.from({ length: wanted.length }, (_, index) => from + index)
    const whole = from === name && (text.length === from + wanted.length || text[from + wanted.length] === '.')
    return { score: scored(path, at, name) + 20 + (whole ? 20 : 0) - path.length / 100, at }
  }
  const at = backwards(text, wanted)
  return at && { score: scored(path, at, name) - path.length / 100, at }
}

/** From the end, so that a letter that stands in the folder and in the name is taken in the name. */
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

/** The best of these, best first; all of them, in their order, where nothing is typed. */
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
