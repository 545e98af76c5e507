import { useState } from 'react'
import { classNames } from '@/design/classNames'
import { type Chart, figure, type PieSlice, pieSlices } from '../read/chart'

const RADIUS = 42
const RING = 15

/** A ring chart with a list beside it: the list is the legend and shows every value. */
export function Pie({ chart, title }: { chart: Chart; title: string }) {
  const [over, setOver] = useState<number | null>(null)
  const parts = pieSlices(chart)
  const total = parts.reduce((sum, { value }) => sum + value, 0)
  if (parts.length === 0) return <p className="text-muted">It has no value above zero.</p>
  const named = over === null ? null : parts[over]
  return (
    <div className="flex flex-col items-center gap-x-10 gap-y-6 @lg:flex-row">
      <svg viewBox="0 0 100 100" role="img" aria-label={`${title}: ${parts.map(spoken).join(', ')}`} className="w-52 max-w-full shrink-0">
        {parts.map((part, index) => (
          <path
            key={index}
            d={arc(parts, index)}
            fill="none"
            stroke={`var(--series-${index + 1})`}
            strokeWidth={RING}
            className={classNames('transition-opacity', over !== null && over !== index && 'opacity-35')}
            onPointerEnter={() => setOver(index)}
            onPointerLeave={() => setOver(null)}
          >
            <title>{`${part.name}: ${figure(part.value, chart.unit)}`}</title>
          </path>
        ))}
        <text x="50" y="50" textAnchor="middle" className="fill-text text-[9px] font-medium">
          {named ? percent(named) : figure(total, chart.unit)}
        </text>
        <text x="50" y="59" textAnchor="middle" className="fill-faint text-[5.5px]">
          {named ? clipped(named.name) : 'in total'}
        </text>
      </svg>
      <ul className="w-full min-w-0 flex-1">
        {parts.map((part, index) => (
          <li
            key={index}
            onPointerEnter={() => setOver(index)}
            onPointerLeave={() => setOver(null)}
            className={classNames('-mx-2 flex items-center gap-3 rounded-control px-2 py-1.5 transition-colors', over === index && 'bg-hover')}
          >
            <span aria-hidden="true" className="size-2.5 shrink-0 rounded-full" style={{ background: `var(--series-${index + 1})` }} />
            <span dir="auto" className="min-w-0 flex-1 truncate" title={part.name}>
              {part.name}
            </span>
            <span className="text-13 text-muted tabular-nums">{figure(part.value, chart.unit)}</span>
            <span className="w-12 text-end text-13 text-faint tabular-nums">{percent(part)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function percent({ part }: PieSlice): string {
  const value = part * 100
  return `${value > 0 && value < 1 ? value.toFixed(1) : Math.round(value)} %`
}

function spoken(slice: PieSlice): string {
  return `${slice.name} ${percent(slice)}`
}

function clipped(name: string): string {
  return name.length > 18 ? `${name.slice(0, 17)}…` : name
}

/** Returns the path of a slice, with a small gap to the next unless it is the whole ring. */
function arc(parts: PieSlice[], index: number): string {
  const before = parts.slice(0, index).reduce((sum, { part }) => sum + part, 0)
  const size = parts[index]?.part ?? 0
  if (parts.length === 1) return `M ${point(0)} A ${RADIUS} ${RADIUS} 0 0 1 ${point(0.5)} A ${RADIUS} ${RADIUS} 0 0 1 ${point(1)}`
  const air = Math.min(0.004, size / 4)
  const from = point(before + air)
  const to = point(before + size - air)
  return `M ${from} A ${RADIUS} ${RADIUS} 0 ${size - 2 * air > 0.5 ? 1 : 0} 1 ${to}`
}

function point(turn: number): string {
  const angle = turn * 2 * Math.PI - Math.PI / 2
  return `${(50 + RADIUS * Math.cos(angle)).toFixed(3)} ${(50 + RADIUS * Math.sin(angle)).toFixed(3)}`
}
