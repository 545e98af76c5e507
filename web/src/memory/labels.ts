/** The labels of an entry as they are written in a field. */
export function labelsText(labels: Record<string, unknown>): string {
  return Object.keys(labels).length === 0 ? '' : JSON.stringify(labels, null, 2)
}

/** Null where it is no object. */
export function readLabels(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {}
  try {
    const read = JSON.parse(text) as unknown
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : null
  } catch {
    return null
  }
}
