import { useEffect, useState } from 'react'
import { moonAt, moonName } from '@/backdrop/moon'
import { PhaseMoon } from '../../PhaseMoon'

const time = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const date = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' })

/** Returns the current time, updated every minute. */
export function useMinute(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setTimeout(() => setNow(new Date()), 60_000 - (Date.now() % 60_000) + 20)
    return () => clearTimeout(timer)
  }, [now])
  return now
}

/** The time, the date and the moon phase. */
export function ClockFace({ moon }: { moon: number }) {
  const now = useMinute()
  const sky = moonAt(now)
  return (
    <div className="clock">
      <time dateTime={now.toISOString()} className="clock-time">
        {time.formatToParts(now).map(({ type, value }, index) => (type === 'dayPeriod' ? <small key={index}>{value}</small> : value))}
      </time>
      <p className="clock-date">{date.format(now)}</p>
      <p className="clock-moon">
        <PhaseMoon phase={sky.phase} size={moon} />
        {moonName(sky)}
        <span className="text-muted">{Math.round(sky.lit * 100)} % lit</span>
      </p>
    </div>
  )
}

export function ClockPanel() {
  return (
    <div className="px-4 pb-4">
      <ClockFace moon={18} />
    </div>
  )
}
