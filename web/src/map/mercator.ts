import type { Size } from '@/design/size'
import type { Place } from './read'

/** A point of the globe in the unit square: x to the east from the date line, y to the south. */
export interface Point {
  x: number
  y: number
}

/** The visible part: a centre, and a zoom level, where 0 is the world in 256 pixels. */
export interface MapPosition extends Point {
  zoom: number
}

const NORTHMOST = 85.05112878
const TILE = 256
export const CLOSEST = 18

export function project({ lat, lon }: Place): Point {
  const limited = (Math.min(NORTHMOST, Math.max(-NORTHMOST, lat)) * Math.PI) / 180
  return { x: (lon + 180) / 360, y: (1 - Math.asinh(Math.tan(limited)) / Math.PI) / 2 }
}

export function unproject({ x, y }: Point): Place {
  return { lat: (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI, lon: x * 360 - 180 }
}

/** Returns the width of the world in pixels. */
export function worldSize(zoom: number): number {
  return TILE * 2 ** zoom
}

/** Returns the lowest zoom, at which the poles reach the edges. */
export function farthest({ height }: Size): number {
  return Math.log2(Math.max(1, height) / TILE)
}

/** Returns the view limited to the world and the available zooms. */
export function held({ x, y, zoom }: MapPosition, size: Size): MapPosition {
  const near = Math.min(CLOSEST, Math.max(farthest(size), zoom))
  const half = size.height / 2 / worldSize(near)
  return { x: x - Math.floor(x), y: half >= 0.5 ? 0.5 : Math.min(1 - half, Math.max(half, y)), zoom: near }
}

/** Zooms by a factor, keeping the point under the pointer in place. */
export function zoomed(view: MapPosition, size: Size, factor: number, at: Point): MapPosition {
  const zoom = Math.min(CLOSEST, Math.max(farthest(size), view.zoom + Math.log2(factor)))
  const shift = (from: number) => from / worldSize(view.zoom) - from / worldSize(zoom)
  return held({ x: view.x + shift(at.x - size.width / 2), y: view.y + shift(at.y - size.height / 2), zoom }, size)
}

export function moved(view: MapPosition, size: Size, dx: number, dy: number): MapPosition {
  const world = worldSize(view.zoom)
  return held({ ...view, x: view.x - dx / world, y: view.y - dy / world }, size)
}

/** Returns the position of a point on the screen, in the copy of the world nearest to the centre. */
export function toScreen(view: MapPosition, size: Size, point: Point): Point {
  const world = worldSize(view.zoom)
  return { x: size.width / 2 + nearest(point.x - view.x) * world, y: size.height / 2 + (point.y - view.y) * world }
}

function nearest(distance: number): number {
  return distance - Math.round(distance)
}

/** Continues a line beyond the date line, so that it does not cross the whole map. */
export function unbroken(points: Point[]): Point[] {
  let last = points[0]?.x ?? 0
  return points.map(({ x, y }) => {
    last += nearest(x - last)
    return { x: last, y }
  })
}

/** Returns the closest view that shows all points, along the shorter way around the globe. */
export function fitted(points: Point[], size: Size, padding: number, closest: number): MapPosition {
  const { start, width } = span(points.map(({ x }) => x - Math.floor(x)))
  const ys = points.map(({ y }) => y)
  const top = Math.min(...ys)
  const height = Math.max(...ys) - top
  const room = (length: number) => Math.max(40, length - 2 * padding)
  const zoom = Math.min(closest, Math.log2(room(size.width) / TILE / Math.max(width, 1e-9)), Math.log2(room(size.height) / TILE / Math.max(height, 1e-9)))
  return held({ x: start + width / 2, y: top + height / 2, zoom }, size)
}

/** Returns the shortest arc that contains all values: everything but the widest gap. */
function span(xs: number[]): { start: number; width: number } {
  const sorted = [...xs].sort((one, other) => one - other)
  let gap = -1
  let start = sorted[0] ?? 0
  sorted.forEach((x, index) => {
    const next = sorted[index + 1] ?? (sorted[0] as number) + 1
    if (next - x > gap) {
      gap = next - x
      start = next
    }
  })
  return { start, width: 1 - gap }
}

export function isVisible(view: MapPosition, size: Size, points: Point[]): boolean {
  return points.every((point) => {
    const { x, y } = toScreen(view, size, point)
    return x >= 0 && y >= 0 && x <= size.width && y <= size.height
  })
}

export interface Scale {
  width: number
  words: string
}

const EARTH_M = 40_075_016.686

/** Returns a round distance that takes at most this many pixels at the centre of the map. */
export function scaleBar(view: MapPosition, most: number): Scale {
  const metres = (EARTH_M * Math.cos((unproject(view).lat * Math.PI) / 180)) / worldSize(view.zoom)
  const raw = metres * most
  const power = 10 ** Math.floor(Math.log10(raw))
  const round = [5, 2, 1].map((step) => step * power).find((step) => step <= raw) ?? power
  return { width: round / metres, words: round >= 1000 ? `${(round / 1000).toLocaleString('en')} km` : `${round} m` }
}
