/** Where it may only be her marks that stand around the words: elsewhere they are what somebody wrote. */
const HER_PLACES: readonly string[] = ['prompts', 'summaries', 'events', 'state', 'acts', 'audit', 'permissions']
/** Letters before the word that is looked for, so that it is seen in a line. */
const LEAD = 30

/**
 * What stood in a place, to be read by a person: prompts have marks around their parts, and much else is kept as JSON,
 * of which the server gives the beginning, cut anywhere. Empty where no words are left.
 */
export function excerpt(example: string, place: string, words: string[]): string {
  const json = isJson(example)
  const said = json ? jsonWords(example, words) : example
  const unmarked = json || HER_PLACES.includes(place) ? said.replace(/<\/?[a-z][\w-]*(?:\s[^<>]*)?(?:>|$)/gi, ' ').replace(/<\/?$/, '') : said
  return around(unmarked.replace(/\s+/g, ' ').trim(), words)
}

function isJson(text: string): boolean {
  return /^\s*(?:\{\s*(?:"|\})|\[\s*(?:["[{\]]|-?\d))/.test(text)
}

/** A string with what follows it. The last one may be cut. */
const STRING = /"((?:[^"\\]|\\.)*)(?:"(\s*:)?|\\?$)/gs

/** The values that are sentences or have the words; ids, kinds and times are nobody's words. */
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
    // The end may be cut within the writing of a letter.
    return JSON.parse(`"${raw.replace(/\\u[\da-f]{0,3}$/i, '')}"`) as string
  } catch {
    return raw.replace(/\\[nrt]/g, ' ').replace(/\\(.)/g, '$1')
  }
}

/** Where the first of the words stands; -1 where none does. */
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
