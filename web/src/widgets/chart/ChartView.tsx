import '../kinds/table.css'
import { ChartNoAxesCombined, Table2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Button } from '@/design/Button'
import { count, plural } from '@/design/format'
import { classNames } from '@/design/classNames'
import { OmittedCount } from '../parts'
import { type Chart, figure, labelAt, seriesName } from '../read/chart'
import { Pie } from './Pie'
import { Plot } from './Plot'

/** False without canvas support, in which case only the table is offered. */
const CAN_DRAW = typeof Path2D !== 'undefined'

export default function ChartView({ chart, title }: { chart: Chart; title: string }) {
  const [asTable, setAsTable] = useState(!CAN_DRAW)
  const [visible, setVisible] = useState(() => chart.series.map(() => true))
  const pie = chart.chart === 'pie'
  const points = chart.series[0]?.values.length ?? 0
  const caption = [chart.yLabel, chart.unit].filter(Boolean)
  const several = chart.series.length > 1 && !pie
  const toggle = (at: number) => {
    const next = visible.map((shown, index) => (index === at ? !shown : shown))
    // Hiding the last series shows all of them again.
    setVisible(next.some(Boolean) ? next : next.map(() => true))
  }
  return (
    <>
      {!pie && (several || caption.length > 0) && !asTable && (
        <div className="mb-1 flex flex-wrap items-center gap-x-4 gap-y-1">
          {several && <Legend chart={chart} visible={visible} onToggle={toggle} />}
          {caption.length > 0 && <p className="ms-auto text-12 text-faint first:ms-0">{caption.join(', ')}</p>}
        </div>
      )}
      {asTable ? <Numbers chart={chart} title={title} /> : pie ? <Pie chart={chart} title={title} /> : <Plot chart={chart} title={title} visible={visible} />}
      <div className="mt-1 -mb-2 grid min-h-8 grid-cols-[1fr_auto_1fr] items-center gap-3">
        <div className="text-12 text-faint">
          {chart.morePoints > 0 && <p>The first {plural(points, 'point')} of {count(points + chart.morePoints)}.</p>}
          {chart.moreSeries > 0 && <p>And {count(chart.moreSeries)} more series.</p>}
          {chart.unreadSeries > 0 && <p>{count(chart.unreadSeries)} of the series could not be read.</p>}
        </div>
        <p className="text-center text-12 text-faint">{!asTable && !pie && chart.xLabel}</p>
        {CAN_DRAW && (
          <Button
            variant="quiet"
            className="-me-2 justify-self-end"
            aria-pressed={asTable}
            icon={asTable ? <ChartNoAxesCombined size={14} /> : <Table2 size={14} />}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? 'As a chart' : 'As a table'}
          </Button>
        )}
      </div>
    </>
  )
}

interface LegendProps {
  chart: Chart
  visible: boolean[]
  onToggle: (index: number) => void
}

function Legend({ chart, visible, onToggle }: LegendProps) {
  return (
    <ul aria-label="Series" className="-ms-2 flex flex-wrap">
      {chart.series.map((_, index) => (
        <li key={index} className="min-w-0">
          <button
            type="button"
            aria-pressed={visible[index]}
            onClick={() => onToggle(index)}
            className={classNames(
              'flex h-7 max-w-48 items-center gap-2 rounded-control px-2 text-13 transition-colors hover:bg-hover pointer-coarse:h-10',
              visible[index] ? 'text-muted' : 'text-faint line-through decoration-1',
            )}
          >
            <span aria-hidden="true" className="size-2.5 shrink-0 rounded-full" style={{ background: visible[index] ? `var(--series-${index + 1})` : 'var(--hairline)' }} />
            <span dir="auto" className="truncate">
              {seriesName(chart, index)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

const MOST_ROWS = 500

/** The chart as a table, for users who cannot see it or prefer numbers. */
function Numbers({ chart, title }: { chart: Chart; title: string }) {
  const rows = useMemo(() => (chart.series[0]?.values ?? []).slice(0, MOST_ROWS), [chart])
  const left = (chart.series[0]?.values.length ?? 0) - rows.length
  return (
    <>
      <div tabIndex={0} role="group" aria-label={title} className="table-stage -mx-4 sm:-mx-5">
        <table className="data-table">
          <thead>
            <tr>
              <th scope="col" className="text-muted">
                <span className="sort-button">{chart.xLabel || 'Value'}</span>
              </th>
              {chart.series.map((_, index) => (
                <th key={index} scope="col" className="is-number text-muted">
                  <span className="sort-button">{seriesName(chart, index)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((_, at) => (
              <tr key={at}>
                <td dir="auto">{labelAt(chart, at)}</td>
                {chart.series.map(({ values }, index) => (
                  <td key={index} className="is-number">
                    {figure(values[at] ?? null, chart.unit)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <OmittedCount count={left} what="rows" />
    </>
  )
}
