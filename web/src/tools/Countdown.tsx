import { useEffect, useState } from 'react'
import { classNames } from '@/design/classNames'

/** Formats the remaining time as `4:07`. Returns null if it is over or the time is invalid. */
export function countdownText(until: string, now: number): string | null {
  const seconds = Math.ceil((Date.parse(until) - now) / 1000)
  if (Number.isNaN(seconds) || seconds <= 0) return null
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

const SOON_MS = 60_000

/** The time left to answer a confirmation. It is only displayed here; the server decides when it is over. */
export function Countdown({ until }: { until: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const left = countdownText(until, now)
  const soon = Date.parse(until) - now < SOON_MS
  return (
    <span role="timer" aria-label="Time left to answer" className={classNames('shrink-0 text-13', soon ? 'text-warn' : 'text-faint')}>
      {left ?? 'Time is up'}
    </span>
  )
}
