/** Formats the labels of an entry for a text field. */
export function labelsText(labels: Record<string, unknown>): string {
  return Object.keys(labels).length === 0 ? '' : JSON.stringify(labels, null, 2)
}

const LONGEST = 80

/** Formats a label without JSON syntax: `garden`, `sun, shade`, `from: 2024, to: 2026`. */
export function labelWords(value: unknown): string {
  const format = (part: unknown): string => {
    if (Array.isArray(part)) return part.map(format).join(', ')
    if (typeof part === 'object' && part !== null) return Object.entries(part).map(([name, inner]) => `${name}: ${format(inner)}`).join(', ')
    return String(part ?? 'none')
  }
  const words = format(value)
  return words.length > LONGEST ? `${words.slice(0, LONGEST).trimEnd()}…` : words
}

/** Parses labels. Returns null if the text is not a JSON object. */
export function readLabels(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {}
  try {
    const read = JSON.parse(text) as unknown
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : null
  } catch {
    return null
  }
}
