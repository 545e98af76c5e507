import './map.css'
import { Maximize, Minus, Plus } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { IconButton } from '@/design/IconButton'
import { join } from '@/design/join'
import { useExpanded } from '@/widgets/Frame'
import { useGestures } from '@/widgets/gestures'
import { More } from '@/widgets/parts'
import { colours, useTheme } from '@/widgets/theme'
import { useFonts } from '@/widgets/useFonts'
import { type Atlas, type Detail, loadAtlas } from './atlas'
import { drawContent, drawCountries, drawWorld, type Inks, type Mark } from './draw'
import { CLOSEST, farthest, held, moved, scaleBar, type Size, toScreen, type View, zoomed } from './mercator'
import { OnlineMap } from './online'
import type { Mapped } from './read'
import { Tiles } from './Tiles'
import { firstView, useContent, useMapView } from './useMapView'

/** From here on the coarse coast shows its corners. */
const FINE_FROM = 3
/** From here on the coast is only roughly where it is drawn. */
const ROUGH_FROM = 8
const STEP = 90
/** How close a place is looked at that was chosen. */
const NEAR = 6
const NOTHING: Size = { width: 0, height: 0 }

export default function MapView({ map, title }: { map: Mapped; title: string }) {
  const stage = useRef<HTMLDivElement>(null)
  const size = useSize(stage)
  const expanded = useExpanded()
  const online = useContext(OnlineMap)
  const { marks, route, all } = useContent(map)
  const { view, setView, flyTo } = useMapView(map, all, size, online)
  const [chosen, setChosen] = useState<number | null>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const [hint, setHint] = useState(false)

  useEffect(() => {
    if (!hint) return
    const timer = setTimeout(() => setHint(false), 1400)
    return () => clearTimeout(timer)
  }, [hint])

  useGestures(stage, expanded, {
    onDrag: (dx, dy) => setView((before) => moved(before, size, dx, dy)),
    onZoom: (factor, x, y) => setView((before) => zoomed(before, size, factor, { x, y })),
    onWheelPassed: () => setHint(true),
  })

  const middle = { x: size.width / 2, y: size.height / 2 }
  const zoomBy = (steps: number) => view && flyTo(zoomed(view, size, 2 ** steps, middle))
  const fit = () => {
    setChosen(null)
    flyTo(firstView(map, all, size, online))
  }
  const goTo = (index: number) => {
    const mark = marks[index]
    if (!mark || !view) return
    setChosen(index)
    flyTo(held({ x: mark.x, y: mark.y, zoom: Math.max(view.zoom, NEAR) }, size))
  }
  const steer = (event: KeyboardEvent) => {
    const moves: Record<string, [number, number]> = { ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] }
    const move = moves[event.key]
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (move) setView((before) => moved(before, size, ...move))
    else if (event.key === '+' || event.key === '=') zoomBy(1)
    else if (event.key === '-' || event.key === '_') zoomBy(-1)
    else if (event.key === '0' || event.key === 'Home') fit()
    else return
    event.preventDefault()
  }
  const point = (event: PointerEvent) => {
    if (!view || event.buttons !== 0) return
    const edge = event.currentTarget.getBoundingClientRect()
    setPointed(markAt(marks, view, size, event.clientX - edge.left, event.clientY - edge.top))
  }

  return (
    <>
      <div
        ref={stage}
        role="application"
        aria-roledescription="map"
        aria-label={`${title}. Arrow keys move, plus and minus zoom, zero shows everything.`}
        tabIndex={0}
        onKeyDown={steer}
        onPointerMove={point}
        onPointerLeave={() => setPointed(null)}
        className={join('map widget-stage relative overflow-hidden', pointed !== null && 'is-pointing')}
      >
        {view && <Drawn view={view} size={size} marks={marks} route={route} chosen={pointed ?? chosen} online={online} />}
        {view && (
          <div className="absolute end-2.5 top-2.5 grid overflow-hidden rounded-control bg-raised shadow-lit">
            <IconButton size="small" label="Zoom in" side="left" className="rounded-none" disabled={view.zoom >= CLOSEST} onClick={() => zoomBy(1)}>
              <Plus size={16} />
            </IconButton>
            <IconButton size="small" label="Zoom out" side="left" className="rounded-none" disabled={view.zoom <= farthest(size) + 0.01} onClick={() => zoomBy(-1)}>
              <Minus size={16} />
            </IconButton>
            <IconButton size="small" label="Show everything" side="left" className="rounded-none" onClick={fit}>
              <Maximize size={14} />
            </IconButton>
          </div>
        )}
        {view && <Edge view={view} online={online} />}
        {hint && <p className="pointer-events-none absolute inset-x-0 top-1/2 mx-auto w-fit rounded-control bg-raised px-3 py-1.5 text-13 shadow-lit">Hold Ctrl or ⌘ to zoom with the wheel</p>}
      </div>
      <Places marks={marks} chosen={chosen} onChoose={goTo} />
      {(map.markers.more > 0 || map.moreRoute > 0) && (
        <div className="px-4 pb-3 sm:px-5">
          <More count={map.markers.more} what="places" />
          <More count={map.moreRoute} what="points of the way" />
        </div>
      )}
    </>
  )
}

function useSize(place: React.RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState(NOTHING)
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [place])
  return size
}

function markAt(marks: Mark[], view: View, size: Size, x: number, y: number): number | null {
  let best: number | null = null
  let near = 14
  marks.forEach((mark, index) => {
    const at = toScreen(view, size, mark)
    const away = Math.hypot(at.x - x, at.y - y)
    if (away < near) {
      near = away
      best = index
    }
  })
  return best
}

interface DrawnProps {
  view: View
  size: Size
  marks: Mark[]
  route: { x: number; y: number }[]
  chosen: number | null
  online: boolean
}

/** The world below, tiles where they may be fetched, and what the map is about on top. */
function Drawn({ view, size, marks, route, chosen, online }: DrawnProps) {
  const world = useRef<HTMLCanvasElement>(null)
  const content = useRef<HTMLCanvasElement>(null)
  const theme = useTheme()
  const fonts = useFonts()
  const inks = useMemo(readInks, [theme])
  const atlas = useAtlas(view.zoom > FINE_FROM ? 'fine' : 'coarse')

  useLayoutEffect(() => {
    const below = context(world.current, size)
    const above = context(content.current, size)
    if (below) drawWorld(below, view, size, atlas, inks)
    if (!above) return
    above.clearRect(0, 0, size.width, size.height)
    const taken = drawContent(above, view, size, route, marks, chosen, inks)
    if (atlas && !online) drawCountries(above, view, size, atlas.countries, taken, inks)
  }, [view, size, atlas, inks, route, marks, chosen, online, fonts])

  return (
    <>
      <canvas ref={world} aria-hidden="true" className="absolute inset-0 size-full" />
      {online && <Tiles view={view} size={size} />}
      <canvas ref={content} aria-hidden="true" className="absolute inset-0 size-full" />
    </>
  )
}

function readInks(): Inks {
  const found = colours('map-sea', 'map-land', 'map-coast', 'map-border', 'map-country', 'map-mark', 'map-route', 'text')
  return {
    sea: found['map-sea'], land: found['map-land'], coast: found['map-coast'], border: found['map-border'], country: found['map-country'],
    accent: found['map-mark'], route: found['map-route'], text: found.text,
  }
}

/** The finest that is here: until the closer one comes, the coarse one stays. */
function useAtlas(detail: Detail): Atlas | null {
  const [atlases, setAtlases] = useState<Partial<Record<Detail, Atlas>>>({})
  useEffect(() => {
    let gone = false
    loadAtlas(detail).then(
      (atlas) => {
        if (!gone) setAtlases((before) => ({ ...before, [detail]: atlas }))
      },
      () => {},
    )
    return () => {
      gone = true
    }
  }, [detail])
  return atlases[detail] ?? atlases.coarse ?? atlases.fine ?? null
}

/** Sharp on every screen: as many points as the screen has. */
function context(canvas: HTMLCanvasElement | null, size: Size): CanvasRenderingContext2D | null {
  if (!canvas) return null
  const sharp = Math.min(3, devicePixelRatio || 1)
  const width = Math.round(size.width * sharp)
  const height = Math.round(size.height * sharp)
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width
    canvas.height = height
  }
  const ctx = canvas.getContext('2d')
  ctx?.setTransform(sharp, 0, 0, sharp, 0, 0)
  return ctx
}

function Edge({ view, online }: { view: View; online: boolean }) {
  const scale = scaleBar(view, 96)
  return (
    <div className="pointer-events-none absolute inset-x-3 bottom-2 flex items-end justify-between gap-3 text-12 text-muted">
      <span className="map-scale" style={{ width: scale.width }}>
        {scale.words}
      </span>
      <span className="map-credit text-end">
        {!online && view.zoom >= ROUGH_FROM && 'This is closer than the offline map is drawn. '}
        {online ? '© OpenStreetMap contributors' : 'Natural Earth'}
      </span>
    </div>
  )
}

interface PlacesProps {
  marks: Mark[]
  chosen: number | null
  onChoose: (index: number) => void
}

/** The same places as words: for the keyboard, and for those who do not see the map. */
function Places({ marks, chosen, onChoose }: PlacesProps) {
  const named = marks.flatMap(({ label }, index) => (label ? [{ label, index }] : []))
  if (named.length === 0) return null
  return (
    <ul aria-label="Places" className="map-places flex gap-1 overflow-x-auto px-2.5 py-2 sm:px-3">
      {named.map(({ label, index }) => (
        <li key={index} className="shrink-0">
          <button
            type="button"
            aria-current={index === chosen}
            onClick={() => onChoose(index)}
            className={join(
              'flex h-8 max-w-52 items-center gap-2 rounded-control px-2.5 text-13 transition-colors hover:bg-hover hover:text-text pointer-coarse:h-10',
              index === chosen ? 'text-text' : 'text-muted',
            )}
          >
            <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-accent" />
            <span dir="auto" className="truncate">
              {label}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
