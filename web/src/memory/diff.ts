/** A line of the old text, of the new text, or of both. */
export interface TextDiffLine {
  kind: 'same' | 'gone' | 'new'
  text: string
}

/**
 * The maximum number of line pairs to compare. Beyond it the table would be too large, and the middle is
 * shown as replaced.
 */
const MOST_PAIRS = 4_000_000

/** Computes the smallest line diff between two texts. */
export function diffLines(before: string, after: string): TextDiffLine[] {
  const one = lines(before)
  const other = lines(after)
  let start = 0
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1
  let end = 0
  while (end < one.length - start && end < other.length - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1
  const same = (text: string): TextDiffLine => ({ kind: 'same', text })
  return [
    ...one.slice(0, start).map(same),
    ...middle(one.slice(start, one.length - end), other.slice(start, other.length - end)),
    ...one.slice(one.length - end).map(same),
  ]
}

function lines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

/** Compares the differing middle by its longest common subsequence. */
function middle(one: string[], other: string[]): TextDiffLine[] {
  if (one.length * other.length > MOST_PAIRS) return [...one.map(gone), ...other.map(fresh)]
  const width = other.length + 1
  const longest = new Uint32Array((one.length + 1) * width)
  for (let a = one.length - 1; a >= 0; a -= 1) {
    for (let b = other.length - 1; b >= 0; b -= 1) {
      const here = a * width + b
      longest[here] = one[a] === other[b] ? (longest[here + width + 1] ?? 0) + 1 : Math.max(longest[here + width] ?? 0, longest[here + 1] ?? 0)
    }
  }
  const found: TextDiffLine[] = []
  let a = 0
  let b = 0
  while (a < one.length && b < other.length) {
    if (one[a] === other[b]) {
      found.push({ kind: 'same', text: one[a] ?? '' })
      a += 1
      b += 1
    } else if ((longest[(a + 1) * width + b] ?? 0) >= (longest[a * width + b + 1] ?? 0)) {
      found.push(gone(one[a] ?? ''))
      a += 1
    } else {
      found.push(fresh(other[b] ?? ''))
      b += 1
    }
  }
  return [...found, ...one.slice(a).map(gone), ...other.slice(b).map(fresh)]
}

const gone = (text: string): TextDiffLine => ({ kind: 'gone', text })
const fresh = (text: string): TextDiffLine => ({ kind: 'new', text })

/** The number of unchanged lines kept around each change. Other unchanged lines are replaced by null. */
const AROUND = 2

export function folded(diff: TextDiffLine[]): (TextDiffLine | null)[] {
  const near = new Set<number>()
  diff.forEach(({ kind }, at) => {
    if (kind === 'same') return
    for (let by = -AROUND; by <= AROUND; by += 1) near.add(at + by)
  })
  const shown: (TextDiffLine | null)[] = []
  diff.forEach((line, at) => {
    if (near.has(at)) shown.push(line)
    else if (shown.at(-1) !== null) shown.push(null)
  })
  return shown
}
