import type { Fact } from '@/api/protocol.gen'
import { percent } from '@/design/format'
import { endOf, fading, sureness } from './wording'

const WIDTH = 44
const HEIGHT = 16
/** The number of days that the meter shows: facts that fade within a year fall, lasting ones stay level. */
const AHEAD = 365
const DAY = 86_400_000

/** Today's confidence in a fact and how it will fade, as a curve with a text alternative. */
export function ConfidenceMeter({ fact }: { fact: Fact }) {
  const { confidence, halfLifeDays } = fact
  const now = Math.min(1, Math.max(0.04, Number.isFinite(confidence) ? confidence : 0))
  const today = new Date()
  const end = endOf(fact)
  const line = curve(now, halfLifeDays, end === null ? null : (Date.parse(end) - today.getTime()) / DAY)
  const words = `${sureness(confidence)} (${percent(confidence)}). ${fading(halfLifeDays, end, today)}.`
  return (
    <span className="flex shrink-0 items-center gap-2.5">
      <span aria-hidden="true" className="text-12/4 text-faint">
        {percent(confidence)}
      </span>
      <svg role="img" aria-label={words} width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="shrink-0 overflow-visible text-faint">
        <title>{words}</title>
        <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} stroke="currentColor" strokeOpacity="0.35" />
        <path d={`${line} L${WIDTH} ${HEIGHT} L0 ${HEIGHT}Z`} fill="currentColor" fillOpacity="0.2" />
        <path d={line} fill="none" stroke="currentColor" strokeWidth="1.25" strokeLinecap="round" strokeLinejoin="round" />
        <circle cx="0.5" cy={HEIGHT - now * (HEIGHT - 2)} r="1.75" fill="var(--muted)" />
      </svg>
    </span>
  )
}

/** Returns the SVG path of the confidence, which drops to 0 once `daysLeft` have passed. */
export function curve(now: number, halfLifeDays: number | null, daysLeft: number | null = null): string {
  const points = Array.from({ length: 12 }, (_, step) => {
    const part = step / 11
    const ended = daysLeft !== null && part * AHEAD > daysLeft
    const left = ended ? 0 : halfLifeDays === null ? now : now * 0.5 ** ((part * AHEAD) / Math.max(1, halfLifeDays))
    return `${(part * WIDTH).toFixed(1)} ${(HEIGHT - left * (HEIGHT - 2)).toFixed(1)}`
  })
  return `M${points.join(' L')}`
}
