/**
 * Parsing of data written by a model: every field may be missing, of another type, huge, or hostile. Nothing
 * here throws.
 */

/** The reason why something cannot be shown. */
export interface Problem {
  problem: string
}

export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'problem')
}

/**
 * The first items of a list, the number of items beyond them, and the number among them that could not be
 * read.
 */
export interface PartialList<T> {
  shown: T[]
  more: number
  unread: number
}

export type Fields = Record<string, unknown>

/** Returns the value if it is an object and no list, otherwise null. */
export function fields(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
}

/** Returns the first of these fields that exists and is not null. Inherited ones do not count. */
export function pick(from: Fields | null, ...names: string[]): unknown {
  if (!from) return undefined
  for (const name of names) {
    if (Object.hasOwn(from, name) && from[name] !== null && from[name] !== undefined) return from[name]
  }
  return undefined
}

/** The maximum length of a name or a line, and of a text. */
export const LINE = 400
export const TEXT = 20_000

/** Converts a value to text; empty if it has none. */
export function textOf(value: unknown, longest = LINE): string {
  switch (typeof value) {
    case 'string':
      return cut(value.trim(), longest)
    case 'number':
      return Number.isFinite(value) ? String(value) : ''
    case 'bigint':
      return String(value)
    case 'boolean':
      return value ? 'yes' : 'no'
    default:
      break
  }
  if (Array.isArray(value)) {
    return cut(value.slice(0, 20).map((item) => (Array.isArray(item) ? '' : textOf(item, longest))).filter(Boolean).join(', '), longest)
  }
  const inner = pick(fields(value), 'text', 'title', 'name', 'label', 'value')
  return inner === undefined || typeof inner === 'object' ? '' : textOf(inner, longest)
}

/** Cuts a text, never through a surrogate pair. */
function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  return `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Returns a finite number, even if it was written as text: `"1,200.5"`, `"12 %"`, `"$3"`. */
export function number(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || value.length > 40) return null
  const plain = value.trim().replace(/^([-+−]?)\s*[$€£¥]\s*/, '$1').replace(/\s*[%$€£¥°]?[CF]?$/, '').replace('−', '-')
  const joined = /^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(joined)) return null
  const read = Number(joined)
  return Number.isFinite(read) ? read : null
}

/** Returns true for an explicit no. A missing value is none. */
export function no(value: unknown): boolean {
  return value === false || value === 0 || (typeof value === 'string' && /^(?:false|no|off|0)$/i.test(value.trim()))
}

export function yes(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(?:true|yes|done|x|1)$/i.test(value.trim()))
}

/** Parses JSON that was sent as a string, since models often quote their arguments. */
export function unquoted(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > 1_000_000 || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}

/**
 * Returns a list: the value itself, the field of an object under one of these names, or the lines of a text.
 */
export function list(value: unknown, ...names: string[]): unknown[] {
  const data = unquoted(value)
  if (Array.isArray(data)) return data
  if (typeof data === 'string') return data.split('\n').map((line) => line.trim()).filter(Boolean)
  const inner = unquoted(pick(fields(data), ...names))
  return Array.isArray(inner) ? inner : []
}

/** Returns the readable items among the first `most`. Those beyond are counted but not read. */
export function partialList<T>(values: unknown[], most: number, read: (value: unknown) => T | null): PartialList<T> {
  const shown: T[] = []
  let unread = 0
  for (const value of values.slice(0, most)) {
    const item = read(value)
    if (item !== null) shown.push(item)
    else if (!isBlank(value)) unread += 1
  }
  return { shown, more: Math.max(0, values.length - most), unread }
}

/** Returns true for an empty value. */
function isBlank(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '')
}

/** Returns the texts of a list, without empty ones. */
export function lines(value: unknown, most = 100): PartialList<string> {
  return partialList(list(value), most, (item) => textOf(item, TEXT) || null)
}

/** Returns a normalised address if it is safe to offer as a link. */
export function link(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 4000) return null
  try {
    const url = new URL(value.trim())
    return (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '' ? url.href : null
  } catch {
    return null
  }
}

/** Returns the host name of an address without `www.`, such as `example.org`. */
export function siteOf(address: string | null): string {
  return address ? new URL(address).hostname.replace(/^www\./, '') : ''
}
