import { fading, sureness } from './words'

const WIDTH = 44
const HEIGHT = 16
/** The meter shows this many days ahead: what fades within a year falls, what lasts stays. */
const AHEAD = 365

/** How sure she is today, and how that fades: a shape, and the words for it. */
export function Meter({ confidence, halfLifeDays }: { confidence: number; halfLifeDays: number | null }) {
  const now = Math.min(1, Math.max(0.04, Number.isFinite(confidence) ? confidence : 0))
  const line = curve(now, halfLifeDays)
  const words = `${sureness(confidence)} (${Math.round(now * 100)} %). ${fading(halfLifeDays)}.`
  return (
    <svg role="img" aria-label={words} width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="shrink-0 overflow-visible text-faint">
      <title>{words}</title>
      <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} stroke="currentColor" strokeOpacity="0.35" />
      <path d={`${line} L${WIDTH} ${HEIGHT} L0 ${HEIGHT}Z`} fill="currentColor" fillOpacity="0.2" />
      <path d={line} fill="none" stroke="currentColor" strokeWidth="1.25" strokeLinecap="round" strokeLinejoin="round" />
      <circle cx="0.5" cy={HEIGHT - now * (HEIGHT - 2)} r="1.75" fill="var(--muted)" />
    </svg>
  )
}

export function curve(now: number, halfLifeDays: number | null): string {
  const points = Array.from({ length: 12 }, (_, step) => {
    const part = step / 11
    const left = halfLifeDays === null ? now : now * 0.5 ** ((part * AHEAD) / Math.max(1, halfLifeDays))
    return `${(part * WIDTH).toFixed(1)} ${(HEIGHT - left * (HEIGHT - 2)).toFixed(1)}`
  })
  return `M${points.join(' L')}`
}
