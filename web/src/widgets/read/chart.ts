import { fields, list, number, pick, type Problem, partialList, unquoted, textOf } from '../lenient'

export type ChartKind = 'line' | 'bar' | 'area' | 'scatter' | 'pie'

export interface Series {
  name: string
  values: (number | null)[]
}

export interface Chart {
  kind: 'chart'
  chart: ChartKind
  /** Labels below the axis, or numbers along it. */
  x: { labels: string[] } | { numbers: number[] }
  series: Series[]
  unit: string
  xLabel: string
  yLabel: string
  morePoints: number
  moreSeries: number
  unreadSeries: number
}

const MOST_POINTS = 10_000
const MOST_SERIES = 8
/** The largest value drawn; beyond it, floating-point sums and pixel positions become meaningless. */
const LARGEST = 1e15

export function readChart(data: unknown): Chart | Problem {
  const from = fields(unquoted(data))
  if (!from) return { problem: 'It has no series of numbers.' }
  const all = seriesIn(from)
  const longest = Math.max(0, ...all.map(({ values }) => values.length))
  const points = Math.min(longest, MOST_POINTS)
  const read = partialList(all, MOST_SERIES, (value) => readSeries(value as RawSeries, points))
  if (read.shown.length === 0) return { problem: 'It has no series of numbers.' }
  const given = list(pick(from, 'x', 'labels', 'categories')).slice(0, points)
  const chart = kindOf(pick(from, 'kind', 'type', 'chart'))
  return inOrder({
    kind: 'chart',
    chart,
    x: axis(given, points, chart),
    series: read.shown,
    unit: textOf(pick(from, 'unit'), 24),
    xLabel: textOf(pick(from, 'xLabel', 'xlabel', 'x_label'), 80),
    yLabel: textOf(pick(from, 'yLabel', 'ylabel', 'y_label'), 80),
    morePoints: longest - points,
    moreSeries: read.more,
    unreadSeries: read.unread,
  })
}

function kindOf(value: unknown): ChartKind {
  const name = textOf(value, 20).toLowerCase()
  if (name === 'column' || name === 'columns' || name === 'bars') return 'bar'
  if (name === 'donut' || name === 'doughnut') return 'pie'
  return name === 'bar' || name === 'area' || name === 'scatter' || name === 'pie' ? name : 'line'
}

interface RawSeries {
  name: unknown
  values: unknown[]
}

/**
 * Returns the series in any of the accepted forms: objects with values, bare lists, or a single list of
 * numbers.
 */
function seriesIn(from: Record<string, unknown>): RawSeries[] {
  const given = list(pick(from, 'series', 'datasets'))
  const single = given.length === 0 || given.every((item) => number(item) !== null)
  if (single) {
    const values = given.length > 0 ? given : list(pick(from, 'values', 'y', 'data'))
    return values.length > 0 ? [{ name: pick(from, 'name'), values }] : []
  }
  return given.map((item) =>
    Array.isArray(item) ? { name: '', values: item } : { name: pick(fields(item), 'name', 'label'), values: list(pick(fields(item), 'values', 'data', 'y')) },
  )
}

function readSeries({ name, values }: RawSeries, points: number): Series | null {
  const read = Array.from({ length: points }, (_, index) => {
    const value = number(values[index])
    return value !== null && Math.abs(value) <= LARGEST ? value : null
  })
  return read.some((value) => value !== null) ? { name: textOf(name, 80), values: read } : null
}

function axis(given: unknown[], points: number, chart: ChartKind): Chart['x'] {
  const numbers = given.map((value) => (typeof value === 'number' ? number(value) : null))
  const isScale = (chart === 'line' || chart === 'area' || chart === 'scatter') && given.length >= points && points > 1
  if (isScale && numbers.every((value) => value !== null && Math.abs(value) <= LARGEST)) return { numbers: numbers as number[] }
  return { labels: Array.from({ length: points }, (_, index) => textOf(given[index], 60) || String(index + 1)) }
}

/** Sorts the points along a numeric axis, in whatever order they were sent. */
function inOrder(chart: Chart): Chart {
  if (!('numbers' in chart.x)) return chart
  const { numbers } = chart.x
  const order = numbers.map((_, index) => index).sort((one, other) => (numbers[one] as number) - (numbers[other] as number))
  const sort = <T>(values: T[]): T[] => order.map((index) => values[index] as T)
  return { ...chart, x: { numbers: sort(numbers) }, series: chart.series.map(({ name, values }) => ({ name, values: sort(values) })) }
}

export interface PieSlice {
  name: string
  value: number
  /** The share of the whole, from 0 to 1. */
  part: number
}

const MOST_SLICES = 8

/**
 * Returns the slices of a pie, the largest first; the small remaining ones are joined. Values that are not
 * above zero have no slice.
 */
export function pieSlices(chart: Chart): PieSlice[] {
  const first = chart.series[0]
  const named: { name: string; value: number }[] =
    chart.series.length > 1
      ? chart.series.map(({ name, values }) => ({ name, value: values.reduce<number>((sum, value) => sum + (value ?? 0), 0) }))
      : (first?.values ?? []).map((value, index) => ({ name: labelAt(chart, index), value: value ?? 0 }))
  const above = named.filter(({ value }) => value > 0).sort((one, other) => other.value - one.value)
  const total = above.reduce((sum, { value }) => sum + value, 0)
  const rest = above.slice(MOST_SLICES - 1)
  const shown = rest.length > 1 ? [...above.slice(0, MOST_SLICES - 1), { name: `${rest.length} others`, value: rest.reduce((sum, { value }) => sum + value, 0) }] : above
  return shown.map(({ name, value }) => ({ name, value, part: value / total }))
}

export function labelAt({ x }: Pick<Chart, 'x'>, index: number): string {
  if ('labels' in x) return x.labels[index] ?? ''
  const value = x.numbers[index] ?? null
  // On an axis, a four-digit number is most often a year.
  return value !== null && Number.isInteger(value) && Math.abs(value) < 10_000 ? String(value) : figure(value)
}

export function seriesName(chart: Chart, index: number): string {
  return chart.series[index]?.name || (chart.series.length === 1 ? chart.yLabel || 'Value' : `Series ${index + 1}`)
}

/** Formats a value of a chart. */
export function figure(value: number | null, unit = ''): string {
  if (value === null) return '–'
  const size = Math.abs(value)
  const text = size !== 0 && size < 1e-4 ? value.toExponential(2) : value.toLocaleString('en', { maximumFractionDigits: size < 10 ? 3 : 2 })
  return unit === '' ? text : /^[%°]/.test(unit) ? `${text}${unit === '%' ? ' ' : ''}${unit}` : `${text} ${unit}`
}
