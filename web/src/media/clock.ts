import { useEffect, useState } from 'react'
import type { Player } from './read'

/** Where in the track it is at this moment, as far as that is known. */
export function positionAt({ playing, positionMs, durationMs, at }: Player, now: number): number | null {
  if (positionMs === null) return null
  const passed = playing && at !== null ? Math.max(0, now - at) : 0
  return Math.min(durationMs ?? Infinity, positionMs + passed)
}

/** Whether the track that was told of must be over: what plays after it is not known. */
export function isOver(player: Player, now: number): boolean {
  const { playing, positionMs, durationMs, at } = player
  return playing && at !== null && positionMs !== null && durationMs !== null && positionMs + (now - at) > durationMs
}

/** The time, each second while something plays. */
export function useSeconds(running: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [running])
  return now
}

/** `3:07`, `1:02:09`. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}
