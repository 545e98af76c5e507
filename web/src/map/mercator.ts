import type { Place } from './read'

/** The globe as a square of side 1: x to the east from the date line, y to the south. */
export interface Point {
  x: number
  y: number
}

export interface Size {
  width: number
  height: number
}

/** What is seen: a middle, and a zoom where 0 is the world in 256 pixels. */
export interface View extends Point {
  zoom: number
}

const NORTHMOST = 85.05112878
const TILE = 256
export const CLOSEST = 18

export function project({ lat, lon }: Place): Point {
  const held = (Math.min(NORTHMOST, Math.max(-NORTHMOST, lat)) * Math.PI) / 180
  return { x: (lon + 180) / 360, y: (1 - Math.asinh(Math.tan(held)) / Math.PI) / 2 }
}

export function unproject({ x, y }: Point): Place {
  return { lat: (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI, lon: x * 360 - 180 }
}

/** Pixels from one side of the world to the other. */
export function worldSize(zoom: number): number {
  return TILE * 2 ** zoom
}

/** Out as far as the poles reach the edges. */
export function farthest({ height }: Size): number {
  return Math.log2(Math.max(1, height) / TILE)
}

/** The same view within what there is to see. */
export function held({ x, y, zoom }: View, size: Size): View {
  const near = Math.min(CLOSEST, Math.max(farthest(size), zoom))
  const half = size.height / 2 / worldSize(near)
  return { x: x - Math.floor(x), y: half >= 0.5 ? 0.5 : Math.min(1 - half, Math.max(half, y)), zoom: near }
}

/** Zoomed by a factor, with the point under the pointer staying where it is. */
export function zoomed(view: View, size: Size, factor: number, at: Point): View {
  const zoom = Math.min(CLOSEST, Math.max(farthest(size), view.zoom + Math.log2(factor)))
  const shift = (from: number) => from / worldSize(view.zoom) - from / worldSize(zoom)
  return held({ x: view.x + shift(at.x - size.width / 2), y: view.y + shift(at.y - size.height / 2), zoom }, size)
}

export function moved(view: View, size: Size, dx: number, dy: number): View {
  const world = worldSize(view.zoom)
  return held({ ...view, x: view.x - dx / world, y: view.y - dy / world }, size)
}

/** Where a point is on the screen, in that copy of the world which is nearest to the middle. */
export function toScreen(view: View, size: Size, point: Point): Point {
  const world = worldSize(view.zoom)
  return { x: size.width / 2 + nearest(point.x - view.x) * world, y: size.height / 2 + (point.y - view.y) * world }
}

function nearest(distance: number): number {
  return distance - Math.round(distance)
}

/** A line that goes over the date line goes on beyond it, and does not cross the whole map. */
export function unbroken(points: Point[]): Point[] {
  let last = points[0]?.x ?? 0
  return points.map(({ x, y }) => {
    last += nearest(x - last)
    return { x: last, y }
  })
}

/** The closest view in which all of them are seen, around the shorter way of the globe. */
export function fitted(points: Point[], size: Size, padding: number, closest: number): View {
  const { start, width } = span(points.map(({ x }) => x - Math.floor(x)))
  const ys = points.map(({ y }) => y)
  const top = Math.min(...ys)
  const height = Math.max(...ys) - top
  const room = (length: number) => Math.max(40, length - 2 * padding)
  const zoom = Math.min(closest, Math.log2(room(size.width) / TILE / Math.max(width, 1e-9)), Math.log2(room(size.height) / TILE / Math.max(height, 1e-9)))
  return held({ x: start + width / 2, y: top + height / 2, zoom }, size)
}

/** The shortest arc that holds all of them: everything but the widest gap. */
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

export function isVisible(view: View, size: Size, points: Point[]): boolean {
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

/** A round length that takes at most this many pixels, at the middle of the map. */
export function scaleBar(view: View, most: number): Scale {
  const metres = (EARTH_M * Math.cos((unproject(view).lat * Math.PI) / 180)) / worldSize(view.zoom)
  const raw = metres * most
  const power = 10 ** Math.floor(Math.log10(raw))
  const round = [5, 2, 1].map((step) => step * power).find((step) => step <= raw) ?? power
  return { width: round / metres, words: round >= 1000 ? `${(round / 1000).toLocaleString('en')} km` : `${round} m` }
}
