/**
 * The places in which tags can only be markup added by the app; elsewhere they may belong to someone's text.
 */
const HER_PLACES: readonly string[] = ['prompts', 'summaries', 'events', 'state', 'acts', 'audit', 'permissions']
/** The number of characters before the searched word, chosen so that the word is visible in one line. */
const LEAD = 30

/**
 * Makes an excerpt readable: prompts have tags around their parts, and much else is stored as JSON, of which
 * the server sends the beginning, cut at any point. Empty if no words are left.
 */
export function excerpt(example: string, place: string, words: string[]): string {
  const json = isJson(example)
  const text = json ? jsonWords(example, words) : example
  const unmarked = json || HER_PLACES.includes(place) ? text.replace(/<\/?[a-z][\w-]*(?:\s[^<>]*)?(?:>|$)/gi, ' ').replace(/<\/?$/, '') : text
  return around(unmarked.replace(/\s+/g, ' ').trim(), words)
}

function isJson(text: string): boolean {
  return /^\s*(?:\{\s*(?:"|\})|\[\s*(?:["[{\]]|-?\d))/.test(text)
}

/** Matches a JSON string and a following colon. The last string may be cut off. */
const STRING = /"((?:[^"\\]|\\.)*)(?:"(\s*:)?|\\?$)/gs

/** Returns the values that are sentences or contain the words; ids, kinds and times are left out. */
function jsonWords(text: string, words: string[]): string {
  return [...text.matchAll(STRING)]
    .filter(([, , isName]) => isName === undefined)
    .map(([, raw = '']) => unescaped(raw))
    .map((value) => (isJson(value) ? jsonWords(value, words) : value))
    .filter((value) => /\S\s+\S/.test(value) || firstOf(value, words) >= 0)
    .join(' … ')
}

function unescaped(raw: string): string {
  try {
    // The text may be cut inside an escape sequence.
    return JSON.parse(`"${raw.replace(/\\u[\da-f]{0,3}$/i, '')}"`) as string
  } catch {
    return raw.replace(/\\[nrt]/g, ' ').replace(/\\(.)/g, '$1')
  }
}

/** Returns the position of the first match, or -1. */
function firstOf(text: string, words: string[]): number {
  const small = text.toLowerCase()
  const found = words.map((one) => (one.trim() === '' ? -1 : small.indexOf(one.trim().toLowerCase()))).filter((at) => at >= 0)
  return found.length === 0 ? -1 : Math.min(...found)
}

function around(text: string, words: string[]): string {
  const at = firstOf(text, words)
  if (at <= LEAD) return text
  const from = text.indexOf(' ', at - LEAD)
  return `… ${text.slice(from >= 0 && from < at ? from + 1 : at)}`
}
