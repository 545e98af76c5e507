/** Reading what a model wrote: every field may be missing, of another type, huge, or hostile. Nothing here throws. */

/** Why something cannot be shown. */
export interface Problem {
  problem: string
}

export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'problem')
}

/** The first of a list, how many there are beyond them, and how many among them made no sense. */
export interface Some<T> {
  shown: T[]
  more: number
  unread: number
}

export type Fields = Record<string, unknown>

/** An object that is no list, or null. */
export function fields(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
}

/** The first of these fields that is there and not null. Inherited ones do not count. */
export function pick(from: Fields | null, ...names: string[]): unknown {
  if (!from) return undefined
  for (const name of names) {
    if (Object.hasOwn(from, name) && from[name] !== null && from[name] !== undefined) return from[name]
  }
  return undefined
}

/** What a name or a line may be at most, and what a text may. */
export const LINE = 400
export const TEXT = 20_000

/** As words; empty where there is nothing to say. */
export function words(value: unknown, longest = LINE): string {
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
    return cut(value.slice(0, 20).map((item) => (Array.isArray(item) ? '' : words(item, longest))).filter(Boolean).join(', '), longest)
  }
  const inner = pick(fields(value), 'text', 'title', 'name', 'label', 'value')
  return inner === undefined || typeof inner === 'object' ? '' : words(inner, longest)
}

/** Never through the middle of a character that takes two places. */
function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  return `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`
}

/** A finite number, also where it was written as text: `"1,200.5"`, `"12 %"`, `"$3"`. */
export function number(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || value.length > 40) return null
  const plain = value.trim().replace(/^([-+−]?)\s*[$€£¥]\s*/, '$1').replace(/\s*[%$€£¥°]?[CF]?$/, '').replace('−', '-')
  const joined = /^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(joined)) return null
  const read = Number(joined)
  return Number.isFinite(read) ? read : null
}

/** Said in so many words, since what is missing is no no. */
export function no(value: unknown): boolean {
  return value === false || value === 0 || (typeof value === 'string' && /^(?:false|no|off|0)$/i.test(value.trim()))
}

export function yes(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(?:true|yes|done|x|1)$/i.test(value.trim()))
}

/** JSON that came as text is read once more: models like to quote what they were asked for. */
export function unquoted(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > 1_000_000 || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}

/** A list, or the list within an object under one of these names, or the lines of a text. */
export function list(value: unknown, ...names: string[]): unknown[] {
  const data = unquoted(value)
  if (Array.isArray(data)) return data
  if (typeof data === 'string') return data.split('\n').map((line) => line.trim()).filter(Boolean)
  const inner = unquoted(pick(fields(data), ...names))
  return Array.isArray(inner) ? inner : []
}

/** The readable ones among the first `most`. Those beyond are counted, not read. */
export function some<T>(values: unknown[], most: number, read: (value: unknown) => T | null): Some<T> {
  const shown: T[] = []
  let unread = 0
  for (const value of values.slice(0, most)) {
    const item = read(value)
    if (item !== null) shown.push(item)
    else if (!isBlank(value)) unread += 1
  }
  return { shown, more: Math.max(0, values.length - most), unread }
}

/** Nothing was meant by it. */
function isBlank(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '')
}

/** The words of a list, without the empty ones. */
export function lines(value: unknown, most = 100): Some<string> {
  return some(list(value), most, (item) => words(item, TEXT) || null)
}

/** An address that may be offered as a link, in its normal form. */
export function link(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 4000) return null
  try {
    const url = new URL(value.trim())
    return (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '' ? url.href : null
  } catch {
    return null
  }
}

/** `example.org` of an address. */
export function siteOf(address: string | null): string {
  return address ? new URL(address).hostname.replace(/^www\./, '') : ''
}
