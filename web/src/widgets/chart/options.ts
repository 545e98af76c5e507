import uPlot from 'uplot'
import { type Chart, figure, labelAt, seriesName } from '../read/chart'

export interface ChartPalette {
  series: string[]
  text: string
  line: string
  ground: string
}

const FONT = '12px Geist, system-ui, sans-serif'
/** The share of a label's width used by its group of bars. */
const GROUP = 0.7
const WIDEST_BAR = 44

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

function tick(value: number): string {
  return Math.abs(value) >= 10_000 ? compact.format(value) : figure(value)
}

/** Returns one column of numbers for the axis, and one for each series. */
export function columns(chart: Chart): uPlot.AlignedData {
  const x = 'numbers' in chart.x ? chart.x.numbers : chart.x.labels.map((_, index) => index)
  return [x, ...chart.series.map(({ values }) => values)]
}

export function options(chart: Chart, palette: ChartPalette, size: { width: number; height: number }): uPlot.Options {
  return {
    ...size,
    padding: [10, 14, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { show: chart.chart === 'line' || chart.chart === 'area', size: 9, width: 2, stroke: (_, index) => palette.series[index - 1] ?? palette.text, fill: palette.ground },
    },
    focus: { alpha: 1 },
    scales: {
      x: { time: false, range: xRange(chart) },
      y: { range: { min: { pad: 0.1, soft: 0, mode: onZero(chart) }, max: { pad: 0.1, soft: 0, mode: onZero(chart) } } },
    },
    axes: [xAxis(chart, palette), yAxis(palette)],
    series: [{}, ...chart.series.map((_, index) => series(chart, index, palette))],
  }
}

/**
 * Returns the range mode of the y axis. Filled charts begin at zero, since their sizes would otherwise
 * mislead.
 */
function onZero({ chart }: Chart): 1 | 3 {
  return chart === 'bar' || chart === 'area' ? 1 : 3
}

function xRange(chart: Chart): uPlot.Scale.Range {
  if ('labels' in chart.x) {
    const half = chart.chart === 'bar' ? 0.5 : 0.15
    return [-half, chart.x.labels.length - 1 + half]
  }
  return (_, min, max) => {
    const pad = chart.chart === 'scatter' ? (max - min) * 0.03 || 1 : max === min ? 1 : 0
    return [min - pad, max + pad]
  }
}

function xAxis(chart: Chart, palette: ChartPalette): uPlot.Axis {
  const axis: uPlot.Axis = { stroke: palette.text, font: FONT, size: 28, gap: 8, grid: { show: false }, ticks: { show: false } }
  if ('numbers' in chart.x) return { ...axis, space: 70, values: (_, splits) => splits.map((value) => labelAt({ x: { numbers: [value] } }, 0)) }
  const { labels } = chart.x
  const longest = Math.max(...labels.slice(0, 500).map((label) => Math.min(label.length, 14)))
  return {
    ...axis,
    space: Math.max(36, longest * 7 + 12),
    incrs: [1, 2, 3, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 2000, 5000],
    values: (_, splits) => splits.map((at) => shortened(labels[at] ?? '')),
  }
}

function shortened(label: string): string {
  return label.length > 14 ? `${label.slice(0, 13)}…` : label
}

function yAxis(palette: ChartPalette): uPlot.Axis {
  return {
    stroke: palette.text,
    font: FONT,
    gap: 8,
    space: 44,
    size: (plot, values) => {
      plot.ctx.font = FONT
      const widths = (values ?? []).map((value) => plot.ctx.measureText(value).width)
      return Math.ceil(Math.max(16, ...widths)) + 14
    },
    grid: { stroke: palette.line, width: 1 },
    ticks: { show: false },
    values: (_, splits) => splits.map(tick),
  }
}

function series(chart: Chart, index: number, palette: ChartPalette): uPlot.Series {
  const colour = palette.series[index] ?? palette.text
  const label = seriesName(chart, index)
  switch (chart.chart) {
    case 'bar':
      return { label, stroke: colour, fill: colour, width: 0, points: { show: false }, ...paths(bars(chart, index)) }
    case 'scatter':
      return { label, stroke: colour, paths: () => null, points: { show: true, size: 7, width: 0, fill: colour, stroke: colour } }
    case 'area':
      return { label, stroke: colour, width: 2, fill: (plot) => faded(plot, colour), points: { show: false }, ...paths(uPlot.paths.spline?.()) }
    default:
      return { label, stroke: colour, width: 2, points: lonePoints(chart), ...paths(uPlot.paths.linear?.()) }
  }
}

function paths(builder: uPlot.Series.PathBuilder | undefined): { paths?: uPlot.Series.PathBuilder } {
  return builder ? { paths: builder } : {}
}

/** Marks the points of short series, to distinguish them from the line between them. */
function lonePoints({ series: [first] }: Chart): uPlot.Series.Points {
  return { show: (first?.values.length ?? 0) <= 24, size: 6, width: 0 }
}

function bars(chart: Chart, index: number): uPlot.Series.PathBuilder | undefined {
  const count = chart.series.length
  const places = chart.series[0]?.values.length ?? 1
  const width = (plot: uPlot) => Math.min(GROUP / count, WIDEST_BAR / Math.max(1, plot.bbox.width / devicePixelRatio / places))
  return uPlot.paths.bars?.({
    radius: [Math.min(0.18, 0.9 / count), 0],
    gap: count > 1 ? 2 : 0,
    disp: {
      x0: { unit: 1, values: (plot) => Array.from({ length: places }, (_, at) => at + (index - count / 2) * width(plot)) },
      size: { unit: 1, values: (plot) => [width(plot)] },
    },
  })
}

/** Returns a gradient from a translucent colour at the top to almost nothing at the bottom. */
function faded(plot: uPlot, colour: string): CanvasGradient | string {
  const { top, height } = plot.bbox
  const gradient = plot.ctx.createLinearGradient(0, top, 0, top + height)
  gradient.addColorStop(0, veiled(colour, 0.34))
  gradient.addColorStop(1, veiled(colour, 0.02))
  return gradient
}

/** Adds an opacity to `oklch(L C H)` or `rgb(R, G, B)`. */
function veiled(colour: string, opacity: number): string {
  return colour.startsWith('rgb(') ? colour.replace('rgb(', 'rgba(').replace(')', `, ${opacity})`) : colour.replace(/\)$/, ` / ${opacity})`)
}
