import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useMedia } from '@/design/media'
import { type Size, useSize } from '@/design/useSize'
import { useStore } from '@/store'
import { between, css } from './colour'
import { moonAt } from './moon'
import type { SkyName } from './palettes'
import { drawSky, HEAT, placeOf, seen, type SkyView, stars } from './drawSky'
import { twinkling } from './stars'

/** Whether it is light at this place: a part of the page may be dark in the light theme. */
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

/** The evening of this day: the moon changes from one day to the next, not while one looks. */
function evening(): number {
  return new Date().setHours(21, 0, 0, 0)
}

/** It is another day when somebody looks again; nobody has to wait for it. */
function useEvening(): number {
  const [at, setAt] = useState(evening)
  useEffect(() => {
    const look = () => setAt(evening())
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return at
}

/** While a window is pulled wider the picture is stretched; it is drawn anew when it rests. */
function useResting(size: Size): Size {
  const [rested, setRested] = useState(size)
  useEffect(() => {
    const first = rested.width === 0
    const timer = setTimeout(() => setRested(size), first ? 0 : 160)
    return () => clearTimeout(timer)
    // Only what is measured matters.
  }, [size])
  return rested
}

/** More pixels than this are drawn for nobody. */
const FINEST = 2
const TWINKLING = 12
/** A small picture shows a window that is so many times as large. */
const AFAR = 3.2

/** A computed sky with the moon of this day, drawn once. `small` leaves out what moves. */
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

/** A few of the brightest, each a spot of light above its star that comes and goes slowly. */
function Twinkle({ view }: { view: SkyView }) {
  const chosen = useMemo(() => {
    const { width, height } = view
    const inside = ({ x, y }: { x: number; y: number }) => x > 8 && y > 8 && x < width - 8 && y < height * 0.8
    return twinkling(stars(), TWINKLING, (star) => inside(placeOf(star, view)) && seen(star, view) > 0.5)
  }, [view])
  return chosen.map((star, index) => {
    const { x, y } = placeOf(star, view)
    const style: CSSProperties & Record<`--${string}`, string> = {
      left: `${x}px`,
      top: `${y}px`,
      '--colour': css(between(HEAT, star.heat)),
      // Numbers without a common measure: they never beat together.
      '--time': `${(7 + ((index * 2.618) % 5)).toFixed(2)}s`,
      '--wait': `${(-index * 1.37).toFixed(2)}s`,
    }
    return <span key={`${star.x} ${star.y}`} className="twinkle" style={style} />
  })
}
