import './map.css'
import { Maximize, Minus, Plus } from 'lucide-react'
import { type PointerEvent, useContext, useRef, useState } from 'react'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import type { Size } from '@/design/size'
import { useSize } from '@/design/useSize'
import { OmittedNote } from '@/widgets/parts'
import type { Mark } from './draw'
import { Drawn } from './Drawn'
import { CLOSEST, farthest, scaleBar, toScreen, type MapPosition } from './mercator'
import { OnlineMap } from './online'
import type { Mapped } from './read'
import { useContent } from './useMapView'
import { useMapControls } from './useMapControls'

/** The zoom above which the coast is drawn only approximately. */
const ROUGH_FROM = 8

export default function MapView({ map, title }: { map: Mapped; title: string }) {
  const stage = useRef<HTMLDivElement>(null)
  const size = useSize(stage)
  const online = useContext(OnlineMap)
  const content = useContent(map)
  const { marks, route } = content
  const { view, chosen, hint, zoomBy, fit, goTo, steer } = useMapControls(stage, map, content, size, online)
  const [pointed, setPointed] = useState<number | null>(null)

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
        className={classNames('map widget-stage relative overflow-hidden', pointed !== null && 'is-pointing')}
      >
        {view && (
          <>
            <Drawn view={view} size={size} marks={marks} route={route} chosen={pointed ?? chosen} online={online} />
            <Closer view={view} size={size} onZoom={zoomBy} onFit={fit} />
            <Edge view={view} online={online} />
          </>
        )}
        {hint && <p className="pointer-events-none absolute inset-x-0 top-1/2 mx-auto w-fit rounded-control bg-raised px-3 py-1.5 text-13 shadow-lit">Hold Ctrl or ⌘ to zoom with the wheel</p>}
      </div>
      <Places marks={marks} chosen={chosen} onChoose={goTo} />
      <div className="px-4 not-empty:pb-3 sm:px-5">
        <OmittedNote of={map.markers} what="places" />
        <OmittedNote of={map.route} what="points of the route" />
      </div>
    </>
  )
}

interface CloserProps {
  view: MapPosition
  size: Size
  onZoom: (steps: number) => void
  onFit: () => void
}

function Closer({ view, size, onZoom, onFit }: CloserProps) {
  return (
    <div className="absolute end-2.5 top-2.5 grid overflow-hidden rounded-control bg-raised shadow-lit">
      <IconButton size="small" label="Zoom in" side="left" className="rounded-none" disabled={view.zoom >= CLOSEST} onClick={() => onZoom(1)}>
        <Plus size={16} />
      </IconButton>
      <IconButton size="small" label="Zoom out" side="left" className="rounded-none" disabled={view.zoom <= farthest(size) + 0.01} onClick={() => onZoom(-1)}>
        <Minus size={16} />
      </IconButton>
      <IconButton size="small" label="Show everything" side="left" className="rounded-none" onClick={onFit}>
        <Maximize size={14} />
      </IconButton>
    </div>
  )
}

function markAt(marks: Mark[], view: MapPosition, size: Size, x: number, y: number): number | null {
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

function Edge({ view, online }: { view: MapPosition; online: boolean }) {
  const scale = scaleBar(view, 96)
  return (
    <div className="pointer-events-none absolute inset-x-3 bottom-2 flex items-end justify-between gap-3 text-12 text-muted">
      <span className="map-scale" style={{ width: scale.width }}>
        {scale.words}
      </span>
      <span className="map-credit text-end">
        {!online && view.zoom >= ROUGH_FROM && 'The offline map shows no more detail here. '}
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

/** The places as a list, for keyboard users and screen readers. */
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
            className={classNames(
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
