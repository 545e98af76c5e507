import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useMedia } from '@/design/media'
import type { Size } from '@/design/size'
import { useSize } from '@/design/useSize'
import { useStore } from '@/store'
import { interpolate, css } from './colour'
import { moonAt } from './moon'
import type { SkyName } from './palettes'
import { drawSky, HEAT, starPosition, apparentBrightness, type SkyView, stars } from './drawSky'
import { twinkling } from './stars'

/**
 * Returns true if the colour scheme at this element is light: part of a page may be dark in the light theme.
 */
function useDaylight(place: RefObject<HTMLElement | null>): boolean {
  const theme = useStore((state) => state.theme)
  const light = useMedia('(prefers-color-scheme: light)')
  const [day, setDay] = useState(theme === 'system' ? light : theme === 'light')
  useLayoutEffect(() => {
    const scheme = place.current ? getComputedStyle(place.current).colorScheme : ''
    setDay(/light/.test(scheme) === /dark/.test(scheme) ? light : /light/.test(scheme))
  }, [place, theme, light])
  return day
}

/**
 * Returns 21:00 of the current day, so that the moon changes from day to day but not while the page is open.
 */
function evening(): number {
  return new Date().setHours(21, 0, 0, 0)
}

/** Tracks the current evening. A new day is noticed when the page's visibility changes, without a timer. */
function useEvening(): number {
  const [at, setAt] = useState(evening)
  useEffect(() => {
    const look = () => setAt(evening())
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return at
}

/** Debounces the size: while a window is resized the picture is stretched, and it is redrawn afterwards. */
function useResting(size: Size): Size {
  const [rested, setRested] = useState(size)
  useEffect(() => {
    const first = rested.width === 0
    const timer = setTimeout(() => setRested(size), first ? 0 : 160)
    return () => clearTimeout(timer)
    // Only a new measurement restarts the timer.
  }, [size])
  return rested
}

/** The maximum pixel ratio; a higher one makes no visible difference. */
const FINEST = 2
const TWINKLING = 12
/** The factor by which a small picture is scaled down from the window it shows. */
const AFAR = 3.2

/** A computed sky with today's moon, drawn once. `small` leaves out everything animated. */
export function Sky({ name, small = false }: { name: SkyName; small?: boolean }) {
  const place = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const day = useDaylight(place)
  const at = useEvening()
  const { width, height } = useResting(useSize(place))
  const view = useMemo<SkyView | null>(() => {
    if (width === 0 || height === 0) return null
    const afar = small ? AFAR : 1
    const density = Math.min(FINEST, window.devicePixelRatio || 1) / afar
    return { name, day, moon: moonAt(new Date(at)), width: width * afar, height: height * afar, density }
  }, [name, day, at, width, height, small])
  useEffect(() => {
    if (view && canvas.current) drawSky(canvas.current, view)
  }, [view])
  return (
    <div ref={place} className="backdrop-sky" data-sky={name} data-day={day ? '' : undefined}>
      <canvas ref={canvas} className="size-full object-cover" />
      {view && !small && !day && <Twinkle view={view} />}
    </div>
  )
}

/** A few of the brightest stars, each covered by a spot of light that slowly fades in and out. */
function Twinkle({ view }: { view: SkyView }) {
  const chosen = useMemo(() => {
    const { width, height } = view
    const inside = ({ x, y }: { x: number; y: number }) => x > 8 && y > 8 && x < width - 8 && y < height * 0.8
    return twinkling(stars(), TWINKLING, (star) => inside(starPosition(star, view)) && apparentBrightness(star, view) > 0.5)
  }, [view])
  return chosen.map((star, index) => {
    const { x, y } = starPosition(star, view)
    const style: CSSProperties & Record<`--${string}`, string> = {
      left: `${x}px`,
      top: `${y}px`,
      '--colour': css(interpolate(HEAT, star.heat)),
      // Durations without a common multiple, so that the stars never twinkle in step.
      '--time': `${(7 + ((index * 2.618) % 5)).toFixed(2)}s`,
      '--wait': `${(-index * 1.37).toFixed(2)}s`,
    }
    return <span key={`${star.x} ${star.y}`} className="twinkle" style={style} />
  })
}
