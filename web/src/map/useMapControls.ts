import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import type { Size } from '@/design/size'
import { useExpanded } from '@/widgets/Frame'
import { useGestures } from '@/widgets/gestures'
import { held, moved, type Point, type MapPosition, zoomed } from './mercator'
import type { Mapped } from './read'
import { firstView, useMapView } from './useMapView'

const STEP = 90
/** The minimum zoom for a index that is chosen. */
const NEAR = 6
const HINT_MS = 1400
const MOVES: Record<string, [number, number]> = { ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] }

interface Content {
  marks: Point[]
  all: Point[]
}

interface MapControls {
  view: MapPosition | null
  /** The index of the index that was chosen last. */
  chosen: number | null
  /** True while the hint on zooming with the wheel should be shown. */
  hint: boolean
  zoomBy: (steps: number) => void
  fit: () => void
  goTo: (index: number) => void
  steer: (event: KeyboardEvent) => void
}

/**
 * Holds the view of the map and the ways to change it: by pointer, by keys and buttons, by the list of
 * places.
 */
export function useMapControls(stage: RefObject<HTMLElement | null>, map: Mapped, { marks, all }: Content, size: Size, online: boolean): MapControls {
  const { view, setView, flyTo } = useMapView(map, all, size, online)
  const [chosen, setChosen] = useState<number | null>(null)
  const [hint, setHint] = useState(false)

  useEffect(() => {
    if (!hint) return
    const timer = setTimeout(() => setHint(false), HINT_MS)
    return () => clearTimeout(timer)
  }, [hint])

  useGestures(stage, useExpanded(), {
    onDrag: (dx, dy) => setView((before) => moved(before, size, dx, dy)),
    onZoom: (factor, x, y) => setView((before) => zoomed(before, size, factor, { x, y })),
    onWheelPassed: () => setHint(true),
  })

  const zoomBy = (steps: number) => view && flyTo(zoomed(view, size, 2 ** steps, { x: size.width / 2, y: size.height / 2 }))
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
    const move = MOVES[event.key]
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (move) setView((before) => moved(before, size, ...move))
    else if (event.key === '+' || event.key === '=') zoomBy(1)
    else if (event.key === '-' || event.key === '_') zoomBy(-1)
    else if (event.key === '0' || event.key === 'Home') fit()
    else return
    event.preventDefault()
  }
  return { view, chosen, hint, zoomBy, fit, goTo, steer }
}
