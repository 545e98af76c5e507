import { fields, list, number, pick, type Problem, unquoted, textOf } from '../lenient'

/** A cell: its text, and the number by which it is sorted. */
export interface Cell {
  text: string
  number: number | null
  /** True if the value was sent as a number, and the text is only its formatted form. */
  exact: boolean
}

export interface Table {
  kind: 'table'
  columns: { name: string; numeric: boolean }[]
  rows: Cell[][]
  /** The number of rows and columns left out. */
  moreRows: number
  moreColumns: number
}

const MOST_ROWS = 10_000
const MOST_COLUMNS = 40

export function readTable(data: unknown): Table | Problem {
  const inner = unquoted(data)
  const from = fields(inner)
  let given = list(inner, 'rows', 'data', 'items')
  // A column without a name is kept, so that the values stay in their places.
  let names = list(pick(from, 'columns', 'headers')).map((name) => textOf(name))
  let rows: unknown[][]
  if (names.some(Boolean)) {
    rows = given.slice(0, MOST_ROWS).map((row) => (Array.isArray(row) ? row : byName(row, names)))
  } else if (given.some(Array.isArray)) {
    // If no columns are named, the first row is the header.
    const head = given.findIndex(Array.isArray)
    names = (given[head] as unknown[]).map((cell) => textOf(cell))
    given = given.toSpliced(head, 1)
    rows = given.slice(0, MOST_ROWS).map((row) => (Array.isArray(row) ? row : byName(row, names)))
  } else {
    names = namesOf(given)
    rows = given.slice(0, MOST_ROWS).map((row) => byName(row, names))
  }
  const moreColumns = Math.max(0, names.length - MOST_COLUMNS)
  names = names.slice(0, MOST_COLUMNS)
  if (names.length === 0) return { problem: 'It has no columns.' }
  const cells = rows.map((row) => names.map((_, index) => cell(row[index])))
  const columns = names.map((name, index) => ({ name, numeric: isNumeric(cells, index) }))
  return { kind: 'table', columns, rows: cells, moreRows: Math.max(0, given.length - MOST_ROWS), moreColumns }
}

function byName(row: unknown, names: string[]): unknown[] {
  const from = fields(row)
  return from ? names.map((name) => pick(from, name)) : [row]
}

/** Returns the field names of the first hundred rows, in order of first appearance. */
function namesOf(rows: unknown[]): string[] {
  const names = new Set<string>()
  for (const row of rows.slice(0, 100)) {
    for (const name of Object.keys(fields(row) ?? {})) names.add(name)
  }
  return [...names]
}

function cell(value: unknown): Cell {
  const read = number(value)
  const exact = typeof value === 'number' && read !== null
  return { text: exact ? shown(read) : textOf(value, 2000), number: read, exact }
}

/** Formats a number as `1,234.5`, and very large or very small ones in exponential form. */
function shown(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e15 || (size !== 0 && size < 1e-6)) return value.toExponential(3)
  // Not grouped, since it may be a year.
  if (Number.isInteger(value) && size < 10_000) return String(value)
  return value.toLocaleString('en', { maximumFractionDigits: 6 })
}

function isNumeric(rows: Cell[][], column: number): boolean {
  let any = false
  for (const row of rows) {
    const value = row[column]
    if (!value || value.text === '') continue
    if (value.number === null) return false
    any = true
  }
  return any
}

export function sorted(rows: Cell[][], column: number, down: boolean): Cell[][] {
  const sign = down ? -1 : 1
  const order = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
  return [...rows].sort((one, other) => {
    const a = one[column]
    const b = other[column]
    // Empty cells are last in either direction.
    if (!a?.text || !b?.text) return Number(!a?.text) - Number(!b?.text)
    if (a.number !== null && b.number !== null) return sign * (a.number - b.number)
    return sign * order.compare(a.text, b.text)
  })
}

/**
 * Returns CSV for a spreadsheet: values sent as numbers unformatted, others as their text. Text that would be
 * taken for a formula is marked as text.
 */
export function csv({ columns, rows }: { columns: { name: string }[]; rows: Cell[][] }): string {
  const quoted = (text: string, isNumber: boolean) => {
    const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  const head = columns.map(({ name }) => quoted(name, false)).join(',')
  const body = rows.map((row) => row.map(({ text, number, exact }) => (exact ? String(number ?? '') : quoted(text, number !== null))).join(','))
  return [head, ...body].join('\n')
}
