import './media.css'
import {
  Cloud, CloudDrizzle, CloudFog, CloudHail, CloudLightning, CloudRain, CloudSnow, CloudSun, Droplets, type LucideIcon, Sun, Thermometer, Wind,
} from 'lucide-react'
import { OmittedNote } from '@/widgets/parts'
import type { Day, Sky, Weather as Data } from './read'

const ICONS: Record<Sky, LucideIcon> = {
  clear: Sun, fair: CloudSun, cloud: Cloud, fog: CloudFog, drizzle: CloudDrizzle, rain: CloudRain, snow: CloudSnow, hail: CloudHail, storm: CloudLightning,
}

function SkyIcon({ sky, size }: { sky: Sky; size: number }) {
  const Icon = ICONS[sky]
  const warm = sky === 'clear' || sky === 'fair'
  return <Icon size={size} className={warm ? 'text-accent' : 'text-muted'} aria-hidden="true" />
}

export function Weather({ weather: { now, days, unit } }: { weather: Data }) {
  const lowest = Math.min(...days.shown.map(({ min }) => min))
  const highest = Math.max(...days.shown.map(({ max }) => max))
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <SkyIcon sky={now.sky} size={44} />
        <p className="text-44 font-light tracking-tight tabular-nums">
          {degrees(now.temperature)}
          <span className="text-22 text-faint">{unit === 'f' ? 'F' : 'C'}</span>
        </p>
        <p dir="auto" className="text-17 first-letter:uppercase">
          {now.words}
        </p>
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-13 text-muted @md:ms-auto">
          {now.feelsLike !== null && <Fact icon={Thermometer} name="Feels like" value={degrees(now.feelsLike)} />}
          {now.wind !== null && <Fact icon={Wind} name="Wind" value={`${Math.round(now.wind)} ${unit === 'f' ? 'mph' : 'km/h'}`} />}
          {now.humidity !== null && <Fact icon={Droplets} name="Humidity" value={`${Math.round(now.humidity)} %`} />}
        </ul>
      </div>
      {days.shown.length > 0 && (
        <ul className="mt-5 grid gap-0.5 border-t border-hairline pt-3">
          {days.shown.map((day, index) => (
            <DayLine key={index} day={day} lowest={lowest} highest={highest} />
          ))}
        </ul>
      )}
      <OmittedNote of={days} what="days" />
    </>
  )
}

function Fact({ icon: Icon, name, value }: { icon: LucideIcon; name: string; value: string }) {
  return (
    <li className="flex items-center gap-1.5">
      <Icon size={15} className="text-faint" aria-hidden="true" />
      <span className="sr-only">{name} </span>
      <span className="tabular-nums">{value}</span>
    </li>
  )
}

/** One day: its temperature range within the range of all days. */
function DayLine({ day, lowest, highest }: { day: Day; lowest: number; highest: number }) {
  const span = Math.max(1, highest - lowest)
  const start = ((day.min - lowest) / span) * 100
  const width = Math.max(6, ((day.max - day.min) / span) * 100)
  return (
    <li className="grid min-h-9 grid-cols-[2.75rem_1.25rem_2.75rem_2.25rem_minmax(0,1fr)_2.25rem] items-center gap-x-2.5 text-13 tabular-nums" title={day.words}>
      <span className="truncate text-muted">{day.name}</span>
      <SkyIcon sky={day.sky} size={18} />
      <span className="text-12 text-blue">
        <span className="sr-only">{day.words}, rain </span>
        {day.rain !== null && day.rain > 0 ? `${Math.round(day.rain)} %` : ''}
      </span>
      <span className="text-end text-muted">
        <span className="sr-only">from </span>
        {degrees(day.min)}
      </span>
      <span className="weather-track" aria-hidden="true">
        <span className="weather-span" style={{ insetInlineStart: `${Math.min(start, 100 - width)}%`, width: `${width}%` }} />
      </span>
      <span>
        <span className="sr-only">to </span>
        {degrees(day.max)}
      </span>
    </li>
  )
}

function degrees(value: number): string {
  return `${value < 0 ? '−' : ''}${Math.abs(value)}°`
}
