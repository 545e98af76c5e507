import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isStill } from '@/design/media'
import type { Size } from '@/design/size'
import { CLOSEST, fitted, held, isVisible, type Point, project, unbroken, type MapPosition } from './mercator'
import type { Mapped } from './read'

const PADDING = 56
/** The zoom for a single place, which shows the country around it. */
const ALONE = 5
/**
 * The closest zoom for a single place without tiles: beyond it, the built-in map has nothing to show around
 * the place.
 */
const ALONE_OFFLINE = 7
const CLOSE = 9
const FLIGHT_MS = 320

/** Returns the content of the map as points. */
export function useContent(map: Mapped): { marks: (Point & { label: string })[]; route: Point[]; all: Point[] } {
  return useMemo(() => {
    const marks = map.markers.shown.map((marker) => ({ ...project(marker), label: marker.label }))
    const route = unbroken(map.route.shown.map(project))
    return { marks, route, all: [...marks.map(({ x, y }) => ({ x, y })), ...route] }
  }, [map])
}

/** Returns the requested view if it shows everything, otherwise one that does. */
export function firstView(map: Mapped, all: Point[], size: Size, online: boolean): MapPosition {
  const centre = project(map.centre)
  const points = all.length > 0 ? all : [centre]
  if (map.zoom !== null) {
    const closest = points.length === 1 && !online ? ALONE_OFFLINE : CLOSEST
    const asked = held({ ...centre, zoom: Math.min(map.zoom, closest) }, size)
    if (isVisible(asked, size, points)) return asked
  }
  return fitted(points, size, PADDING, points.length === 1 ? ALONE : CLOSE)
}

interface PositionControls {
  view: MapPosition | null
  setView: (change: (view: MapPosition) => MapPosition) => void
  flyTo: (view: MapPosition) => void
}

/** Holds the view of the map. It is null until the size of the map is known. */
export function useMapView(map: Mapped, all: Point[], size: Size, online: boolean): PositionControls {
  const [view, put] = useState<MapPosition | null>(null)
  const flight = useRef(0)
  const known = size.width > 0
  const fit = useRef(() => firstView(map, all, size, online))
  fit.current = () => firstView(map, all, size, online)

  useEffect(() => {
    if (known) put(fit.current())
  }, [known, map])

  useEffect(() => {
    if (known) put((before) => before && held(before, size))
  }, [known, size])

  useEffect(() => () => cancelAnimationFrame(flight.current), [])

  const setView = useCallback((change: (view: MapPosition) => MapPosition) => {
    cancelAnimationFrame(flight.current)
    put((before) => before && change(before))
  }, [])

  const flyTo = useCallback((to: MapPosition) => {
    cancelAnimationFrame(flight.current)
    let from: MapPosition | null = null
    let began = 0
    const step = (now: number) => {
      began ||= now
      const part = isStill() ? 1 : Math.min(1, (now - began) / FLIGHT_MS)
      const eased = 1 - (1 - part) ** 3
      put((before) => {
        from ??= before
        if (!from || part === 1) return to
        const far = to.x - from.x
        const dx = far - Math.round(far)
        return { x: from.x + dx * eased, y: from.y + (to.y - from.y) * eased, zoom: from.zoom + (to.zoom - from.zoom) * eased }
      })
      if (part < 1) flight.current = requestAnimationFrame(step)
    }
    flight.current = requestAnimationFrame(step)
  }, [])

  return { view, setView, flyTo }
}
