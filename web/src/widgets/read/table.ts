import { fields, list, number, pick, type Problem, unquoted, words } from '../lenient'

/** A cell: what is shown, and what it is sorted by. */
export interface Cell {
  text: string
  number: number | null
  /** It came as a number: the text is only how it is shown. */
  exact: boolean
}

export interface Table {
  kind: 'table'
  columns: { name: string; numeric: boolean }[]
  rows: Cell[][]
  /** Rows and columns that were left out. */
  moreRows: number
  moreColumns: number
}

const MOST_ROWS = 10_000
const MOST_COLUMNS = 40

export function readTable(data: unknown): Table | Problem {
  const inner = unquoted(data)
  const from = fields(inner)
  let given = list(inner, 'rows', 'data', 'items')
  // A column without a name is still a column: the values stand in their places.
  let names = list(pick(from, 'columns', 'headers')).map((name) => words(name))
  let rows: unknown[][]
  if (names.some(Boolean)) {
    rows = given.slice(0, MOST_ROWS).map((row) => (Array.isArray(row) ? row : byName(row, names)))
  } else if (given.some(Array.isArray)) {
    // Without names for the columns, the first row gives them.
    const head = given.findIndex(Array.isArray)
    names = (given[head] as unknown[]).map((cell) => words(cell))
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

/** In the order in which they first appear; the first hundred rows know them all. */
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
  return { text: exact ? shown(read) : words(value, 2000), number: read, exact }
}

/** Figures as people read them: `1,234.5`; very large and very small ones in short form. */
function shown(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e15 || (size !== 0 && size < 1e-6)) return value.toExponential(3)
  // A year is no quantity.
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
    // What is empty stands last, whichever way is up.
    if (!a?.text || !b?.text) return Number(!a?.text) - Number(!b?.text)
    if (a.number !== null && b.number !== null) return sign * (a.number - b.number)
    return sign * order.compare(a.text, b.text)
  })
}

/** For a spreadsheet: numbers that came as such, else the words that came. What it would take for a formula is told to be text. */
export function csv({ columns, rows }: { columns: { name: string }[]; rows: Cell[][] }): string {
  const quoted = (text: string, isNumber: boolean) => {
    const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  const head = columns.map(({ name }) => quoted(name, false)).join(',')
  const body = rows.map((row) => row.map(({ text, number, exact }) => (exact ? String(number ?? '') : quoted(text, number !== null))).join(','))
  return [head, ...body].join('\n')
}
