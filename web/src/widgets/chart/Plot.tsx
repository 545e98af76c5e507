import 'uplot/dist/uPlot.min.css'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { useWidth } from '@/design/useSize'
import { type Chart, figure, labelAt, seriesName } from '../read/chart'
import { colours, useTheme } from '../theme'
import { useFonts } from '../useFonts'
import { columns, options } from './options'

interface Props {
  chart: Chart
  title: string
  /** The visible series, by index. */
  visible: boolean[]
}

interface Reading {
  index: number
  /** The position in pixels from the left edge of the stage. */
  left: number
}

/**
 * A chart of lines, bars, areas or points. Values can be read with the pointer or, one by one, with the arrow
 * keys.
 */
export function Plot({ chart, title, visible }: Props) {
  const stage = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const width = useWidth(stage)
  const theme = useTheme()
  const fonts = useFonts()
  const [reading, setReading] = useState<Reading | null>(null)

  useEffect(() => {
    const element = stage.current
    if (!element || width === 0) return
    const drawn = new uPlot(
      {
        ...options(chart, palette(), { width, height: element.clientHeight }),
        hooks: { setCursor: [(self) => setReading(readingOf(self))] },
      },
      columns(chart),
      element,
    )
    plot.current = drawn
    return () => {
      plot.current = null
      drawn.destroy()
      setReading(null)
    }
  }, [chart, theme, width, fonts])

  useEffect(() => {
    visible.forEach((show, index) => plot.current?.setSeries(index + 1, { show }))
  }, [visible, chart, theme, width, fonts])

  const step = (event: KeyboardEvent) => {
    const drawn = plot.current
    const last = (chart.series[0]?.values.length ?? 0) - 1
    const at = reading?.index ?? null
    const next = { ArrowRight: at === null ? 0 : Math.min(last, at + 1), ArrowLeft: at === null ? last : Math.max(0, at - 1), Home: 0, End: last }[event.key]
    if (!drawn) return
    if (event.key === 'Escape' && reading) drawn.setCursor({ left: -10, top: -10 })
    else if (next !== undefined) {
      drawn.setCursor({ left: drawn.valToPos(drawn.data[0][next] as number, 'x'), top: 1 })
      // Of several points at the same x the cursor finds only one; the keys reach each of them.
      setReading(readingAt(drawn, next))
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div
      role="group"
      aria-roledescription="chart"
      aria-label={`${title}. The arrow keys read its values.`}
      tabIndex={0}
      onKeyDown={step}
      className="chart-plot relative rounded-control"
    >
      <div ref={stage} className="chart-stage" />
      {reading && <Values chart={chart} visible={visible} reading={reading} width={width} />}
    </div>
  )
}

function palette() {
  const found = colours('series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6', 'series-7', 'series-8', 'faint', 'hairline', 'surface')
  const { faint, hairline, surface, ...series } = found
  return { series: Object.values(series), text: faint, line: hairline, ground: surface }
}

function readingOf(plot: uPlot): Reading | null {
  const { idx, left } = plot.cursor
  return idx === null || idx === undefined || left === undefined || left < 0 ? null : readingAt(plot, idx)
}

function readingAt(plot: uPlot, index: number): Reading {
  return { index, left: plot.valToPos(plot.data[0][index] as number, 'x') + plot.bbox.left / devicePixelRatio }
}

interface ValuesProps {
  chart: Chart
  visible: boolean[]
  reading: Reading
  width: number
}

/** The values at the pointer, shown on the side with more room. */
function Values({ chart, visible, reading, width }: ValuesProps) {
  const right = reading.left > width / 2
  return (
    <div
      role="status"
      className="pointer-events-none absolute top-1 z-1 max-w-56 rounded-control bg-raised px-2.5 py-1.5 text-12 shadow-float"
      style={right ? { insetInlineEnd: width - reading.left + 10 } : { insetInlineStart: reading.left + 10 }}
    >
      <p className="truncate text-faint">{labelAt(chart, reading.index)}</p>
      {chart.series.map(
        ({ values }, index) =>
          visible[index] && (
            <p key={index} className="flex items-center gap-2 tabular-nums">
              <span aria-hidden="true" className="size-2 shrink-0 rounded-full" style={{ background: `var(--series-${index + 1})` }} />
              {chart.series.length > 1 && <span className="min-w-0 truncate text-muted">{seriesName(chart, index)}</span>}
              <span className="ms-auto ps-1 whitespace-nowrap">{figure(values[reading.index] ?? null, chart.unit)}</span>
            </p>
          ),
      )}
    </div>
  )
}
