import { useId, useRef } from 'react'
import type { TraitMove } from '@/api/protocol.gen'
import { useWidth } from '@/design/useSize'
import { axisDates, axisStart } from './axis'

const HEIGHT = 56
/** The margin for the dots at the edges, in pixels. */
const EDGE = 4

interface Props {
  moves: TraitMove[]
  /** The value before the first move, if known. */
  before: number | undefined
  value: number
  /** The value to which it drifts back. */
  rest: number
  label: string
  now: number
}

interface Point {
  at: number
  value: number
}

/** Returns the values over time: every move, and the present. */
export function points(moves: TraitMove[], value: number, now: number): Point[] {
  const known = moves
    .map((move) => ({ at: new Date(move.at).getTime(), value: move.value }))
    .filter((point) => Number.isFinite(point.at) && Number.isFinite(point.value))
    .sort((one, other) => one.at - other.at)
  return [...known, { at: Math.max(now, known.at(-1)?.at ?? now), value }]
}

/**
 * Returns the path of a step line. A value stays the same until something moves it, so a slope would show
 * values that it never had.
 */
export function steps(all: Point[], x: (at: number) => number, y: (value: number) => number): string {
  const [first, ...rest] = all
  if (!first) return ''
  const at = (value: number) => value.toFixed(1)
  return `M${at(x(first.at))} ${at(y(first.value))}${rest.map((point) => `H${at(x(point.at))}V${at(y(point.value))}`).join('')}`
}

/**
 * The course of a trait over time. It is drawn as SVG and not with the charts of the widgets: eight small
 * lines do not need a canvas each.
 */
export function TraitLine({ moves, before, value, rest, label, now }: Props) {
  const container = useRef<HTMLDivElement>(null)
  const width = useWidth(container)
  const veil = useId()
  const known = points(moves, value, now)
  const to = known.at(-1)?.at ?? now
  const from = axisStart(known.slice(0, -1).map(({ at }) => at), to)
  const earlier = known.findLast(({ at }) => at < from)?.value ?? before
  const later = known.filter(({ at }) => at >= from)
  const all = earlier === undefined ? later : [{ at: from, value: earlier }, ...later]
  const x = (at: number) => EDGE + ((at - from) / Math.max(1, to - from)) * Math.max(0, width - 2 * EDGE)
  const y = (part: number) => EDGE + (1 - Math.min(1, Math.max(0, part))) * (HEIGHT - 2 * EDGE)
  // A trait that never moved has no start point.
  const line = all.length === 1 ? `M${EDGE} ${y(value)}H${width - EDGE}` : steps(all, x, y)
  const begin = all.length === 1 ? EDGE : x(all[0]?.at ?? from)
  return (
    <div className="min-w-0">
      <div ref={container} style={{ height: HEIGHT }}>
        {width > 0 && (
          <svg role="img" aria-label={label} width={width} height={HEIGHT} className="block overflow-visible">
            <defs>
              <linearGradient id={veil} x1="0" y1="0" x2="0" y2="1">
                <stop offset="0" stopColor="var(--accent)" stopOpacity="0.22" />
                <stop offset="1" stopColor="var(--accent)" stopOpacity="0" />
              </linearGradient>
            </defs>
            <path d={`M0 ${y(rest)}H${width}`} stroke="var(--faint)" strokeOpacity="0.55" strokeDasharray="2 4" />
            <path d={`${line} L${width - EDGE} ${HEIGHT} L${begin} ${HEIGHT}Z`} fill={`url(#${veil})`} />
            <path d={line} fill="none" stroke="var(--accent-text)" strokeWidth="1.5" strokeLinejoin="round" strokeLinecap="round" />
            <circle cx={width - EDGE} cy={y(value)} r="3" fill="var(--accent-text)" />
          </svg>
        )}
      </div>
      {all.length > 1 && (
        <p className="grid grid-cols-[1fr_auto_1fr] gap-2 pt-1 text-12 whitespace-nowrap text-faint">
          {axisDates(from, to).map(({ at, words }) => (
            <time key={at} dateTime={new Date(at).toISOString()}>
              {words}
            </time>
          ))}
          <span className="col-start-3 text-end">now</span>
        </p>
      )}
    </div>
  )
}
