import type { CodeFile, CodeSymbol } from '@/api/protocol.gen'
import { best, fuzzy } from './fuzzy'
import { ancestors, nameOf } from './tree'

/** A mention of something to attach to a request. */
export interface Mention {
  kind: 'file' | 'folder' | 'symbol' | 'diff' | 'terminal' | 'page'
  /** The text after the `@`. */
  text: string
  /** A short description shown beside it. */
  note: string
}

export interface TypedMention {
  /** The index of the `@`. */
  from: number
  query: string
}

/** Returns the mention being typed at the cursor. An e-mail address is no mention. */
export function typedMention(text: string, cursor: number): TypedMention | null {
  const before = text.slice(0, cursor)
  const found = /(?:^|[\s(])@([^\s@]{0,200})$/.exec(before)
  return found ? { from: cursor - (found[1] ?? '').length - 1, query: found[1] ?? '' } : null
}

/** Returns the text with the mention in place of the typed query, and the new cursor position. */
export function inserted(text: string, { from, query }: TypedMention, mention: Mention): { text: string; cursor: number } {
  const after = text.slice(from + 1 + query.length)
  // No space follows the beginning of a web address, so that it can be continued.
  const open = mention.kind === 'page'
  const written = `@${mention.text}${open || after.startsWith(' ') ? '' : ' '}`
  return { text: text.slice(0, from) + written + after, cursor: from + written.length + (!open && after.startsWith(' ') ? 1 : 0) }
}

const ALWAYS: Mention[] = [
  { kind: 'diff', text: 'diff', note: 'What has changed' },
  { kind: 'terminal', text: 'terminal', note: 'The output of the last command' },
  { kind: 'page', text: 'https://', note: 'A web page' },
]

const MOST = 8
const MOST_SYMBOLS = 3

export interface MentionSources {
  files: readonly CodeFile[]
  symbols: readonly (CodeSymbol & { path: string })[]
  /** Paths of open files, nearest first: suggested first while the query is empty. */
  recent: readonly string[]
}

/** Returns the suggestions for a query, best first. */
export function suggestedMentions(query: string, { files, symbols, recent }: MentionSources): Mention[] {
  const fixed = ALWAYS.filter(({ text }) => text.startsWith(query.toLowerCase()))
  if (query === '') {
    const near = recent.slice(0, MOST - ALWAYS.length).map((path): Mention => ({ kind: 'file', text: path, note: '' }))
    return [...near, ...fixed]
  }
  if (/^https?:\/\/./.test(query)) return [{ kind: 'page', text: query, note: 'A web page' }]
  const all: Mention[] = [...files.map(({ path }): Mention => ({ kind: 'file', text: path, note: '' })), ...folders(files)]
  const named = best(symbols, ({ name }) => name, query, MOST_SYMBOLS)
    .filter(({ item }) => (fuzzy(item.name, query)?.score ?? 0) > 12)
    .map(({ item }): Mention => ({ kind: 'symbol', text: item.name, note: `${item.kind} in ${nameOf(item.path)}` }))
  const paths = best(all, ({ text }) => text, query, MOST).map(({ item }) => item)
  return [...fixed, ...named, ...paths].slice(0, MOST)
}

const grown = new WeakMap<readonly CodeFile[], Mention[]>()

function folders(files: readonly CodeFile[]): Mention[] {
  const known = grown.get(files)
  if (known) return known
  const paths = new Set(files.flatMap(({ path }) => ancestors(path)))
  const made = [...paths].sort().map((path): Mention => ({ kind: 'folder', text: `${path}/`, note: '' }))
  grown.set(files, made)
  return made
}

/** Returns the mentions of a text, in order and without duplicates. */
export function mentioned(text: string, files: ReadonlySet<string>): Mention[] {
  const found = new Map<string, Mention>()
  for (const match of text.matchAll(/(?:^|[\s(])@([^\s@]+)/g)) {
    const word = (match[1] ?? '').replace(/[,;:!?)]+$/, '')
    const path = files.has(word) ? word : word.replace(/\.+$/, '')
    const kind = kindOf(path, files)
    // A word that is still being typed may become anything.
    if (kind === 'symbol' && match.index + match[0].length === text.length) continue
    if (path !== '' && kind) found.set(path, { kind, text: path, note: '' })
  }
  return [...found.values()]
}

function kindOf(word: string, files: ReadonlySet<string>): Mention['kind'] | null {
  if (word === 'diff' || word === 'terminal') return word
  if (/^https?:\/\/./.test(word)) return 'page'
  if (files.has(word)) return 'file'
  if (word.endsWith('/')) return 'folder'
  return /^[A-Za-z_][\w.:]*$/.test(word) ? 'symbol' : null
}
