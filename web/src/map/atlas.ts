import { project } from './mercator'

/** A y coordinate beyond the southern edge of the map. */
const POLE = 1.02

/** The parts of a TopoJSON file from which a map is drawn. */
interface Topology {
  transform: { scale: number[]; translate: number[] }
  arcs: number[][][]
  objects: Record<string, Geometry>
}

interface Geometry {
  type: string
  /** The rings of a polygon, or a list of polygons. */
  arcs?: number[][] | number[][][]
  geometries?: Geometry[]
  properties?: { name?: string }
}

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** A line or an area in the unit square: x and y alternating. */
export interface Outline {
  line: Float64Array
  box: Box
}

export interface Country {
  name: string
  x: number
  y: number
  /** The width of its largest part, which decides whether its name fits. */
  width: number
}

export interface Atlas {
  land: Outline[][]
  coasts: Outline[]
  borders: Outline[]
  countries: Country[]
}

export type Detail = 'coarse' | 'fine'

const loading = new Map<Detail, Promise<Atlas>>()

/** Loads the world map of Natural Earth: at a scale of 1:110 million, or in more detail at 1:50 million. */
export function loadAtlas(detail: Detail): Promise<Atlas> {
  const known = loading.get(detail)
  if (known) return known
  const file = detail === 'coarse' ? import('world-atlas/countries-110m.json') : import('world-atlas/countries-50m.json')
  const made = file.then(({ default: topology }) => readAtlas(topology as unknown as Topology))
  loading.set(detail, made)
  // A file that failed to load is requested again the next time.
  made.catch(() => loading.delete(detail))
  return made
}

export function readAtlas(topology: Topology): Atlas {
  const arcs = topology.arcs.map((arc) => outline(unpacked(arc, topology.transform)))
  const countries = topology.objects['countries']?.geometries ?? []
  const uses = new Array<number>(arcs.length).fill(0)
  for (const country of countries) {
    for (const index of polygons(country).flat(2)) uses[index < 0 ? ~index : index]! += 1
  }
  return {
    land: (topology.objects['land']?.geometries ?? []).flatMap(polygons).map((rings) => rings.map((ring) => joined(ring, arcs))),
    coasts: arcs.filter((_, index) => uses[index] === 1),
    borders: arcs.filter((_, index) => (uses[index] ?? 0) > 1),
    countries: countries.flatMap((country) => named(country, arcs)),
  }
}

/**
 * Decodes an arc, whose points are stored as integer steps from one to the next. A line across the date line
 * continues beyond the square.
 */
function unpacked(arc: number[][], { scale, translate }: Topology['transform']): Float64Array {
  const line = new Float64Array(arc.length * 2)
  let lon = 0
  let lat = 0
  arc.forEach(([dx = 0, dy = 0], index) => {
    lon += dx
    lat += dy
    const { x, y } = project({ lon: lon * (scale[0] ?? 1) + (translate[0] ?? 0), lat: lat * (scale[1] ?? 1) + (translate[1] ?? 0) })
    line[index * 2] = index === 0 ? x : beside(x, line[index * 2 - 2] as number)
    line[index * 2 + 1] = y
  })
  return line
}

/** Returns the x of the same meridian in the copy of the world that is nearest to another x. */
function beside(x: number, other: number): number {
  return x - Math.round(x - other)
}

function polygons({ type, arcs = [] }: Geometry): number[][][] {
  if (type === 'Polygon') return [arcs as number[][]]
  return type === 'MultiPolygon' ? (arcs as number[][][]) : []
}

/**
 * Joins arcs into a ring; each starts where the one before it ends. A negative index means a reversed arc.
 */
function joined(ring: number[], arcs: Outline[]): Outline {
  const points: number[] = []
  ring.forEach((index, part) => {
    const { line } = arcs[index < 0 ? ~index : index] ?? { line: new Float64Array() }
    const count = line.length / 2
    for (let step = part === 0 ? 0 : 1; step < count; step += 1) {
      const at = (index < 0 ? count - 1 - step : step) * 2
      const x = line[at] as number
      points.push(points.length === 0 ? x : beside(x, points.at(-2) as number), line[at + 1] as number)
    }
  })
  const [first = 0] = points
  const last = points.at(-2) ?? first
  // A coast all around the globe encloses the pole.
  if (Math.abs(last - first) > 0.5) points.push(last, POLE, first, POLE)
  return outline(Float64Array.from(points))
}

function outline(line: Float64Array): Outline {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (let at = 0; at < line.length; at += 2) {
    const x = line[at] as number
    const y = line[at + 1] as number
    if (x < box.left) box.left = x
    if (x > box.right) box.right = x
    if (y < box.top) box.top = y
    if (y > box.bottom) box.bottom = y
  }
  return { line, box }
}

/**
 * Places the name of a country in the middle of its largest part, so that France is not labelled in Guiana.
 */
function named(country: Geometry, arcs: Outline[]): Country[] {
  const name = country.properties?.name
  let best: { area: number; x: number; y: number; width: number } | null = null
  for (const [ring] of polygons(country)) {
    if (!ring) continue
    const { line, box } = joined(ring, arcs)
    const middle = centroid(line)
    if (!best || middle.area > best.area) best = { ...middle, width: box.right - box.left }
  }
  return name && best && best.area > 0 ? [{ name, x: best.x, y: best.y, width: best.width }] : []
}

function centroid(line: Float64Array): { area: number; x: number; y: number } {
  let area = 0
  let x = 0
  let y = 0
  for (let at = 0; at + 3 < line.length; at += 2) {
    const [ax, ay, bx, by] = [line[at], line[at + 1], line[at + 2], line[at + 3]] as unknown as [number, number, number, number]
    const cross = ax * by - bx * ay
    area += cross
    x += (ax + bx) * cross
    y += (ay + by) * cross
  }
  return area === 0 ? { area: 0, x: 0, y: 0 } : { area: Math.abs(area / 2), x: x / (3 * area), y: y / (3 * area) }
}
