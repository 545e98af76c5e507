import type { Size } from '@/design/size'
export interface Rect {
  x: number
  y: number
  width: number
  height: number
}

/** The area for panels, in pixels of the view: below the bar and above the dock. */
export interface Field extends Rect {
  /** The avatar's face, which panels cover only if the user moves them there. */
  face: Rect
}

/** The gap between two panels, and between a panel and the edge, in pixels. */
export const GAP = 12
const BAR = 56
const DOCK = 84
/** The distance from an edge, in pixels, at which a dragged panel snaps to it. */
const SNAP = 9

export function fieldOf({ width, height }: Size): Field {
  const faceWidth = Math.min(width * 0.34, height * 0.42)
  return {
    x: GAP,
    y: BAR,
    width: Math.max(0, width - 2 * GAP),
    height: Math.max(0, height - BAR - DOCK),
    face: { x: (width - faceWidth) / 2, y: 0, width: faceWidth, height: height * 0.4 },
  }
}

export function overlaps(one: Rect, other: Rect): boolean {
  return one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height
}

export function middle({ x, y, width, height }: Rect): { x: number; y: number } {
  return { x: x + width / 2, y: y + height / 2 }
}

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, Math.max(low, high)))

/** Returns the panel fitted into the field, no smaller than the least size that the field allows. */
export function inside(rect: Rect, field: Rect, least: Size): Rect {
  const width = clamp(rect.width, Math.min(least.width, field.width), field.width)
  const height = clamp(rect.height, Math.min(least.height, field.height), field.height)
  return {
    x: clamp(rect.x, field.x, field.x + field.width - width),
    y: clamp(rect.y, field.y, field.y + field.height - height),
    width,
    height,
  }
}

/**
 * Converts a rectangle to fractions of the field, so that it is the same place in a window of another size.
 */
export function asParts(rect: Rect, field: Rect): Rect {
  const part = (value: number, of: number) => (of === 0 ? 0 : Math.round((value / of) * 10_000) / 10_000)
  return {
    x: part(rect.x - field.x, field.width),
    y: part(rect.y - field.y, field.height),
    width: part(rect.width, field.width),
    height: part(rect.height, field.height),
  }
}

export function fromParts(parts: Rect, field: Rect): Rect {
  return {
    x: Math.round(field.x + parts.x * field.width),
    y: Math.round(field.y + parts.y * field.height),
    width: Math.round(parts.width * field.width),
    height: Math.round(parts.height * field.height),
  }
}

/** Returns the offset from one of the panel's edges to the nearest line, or 0 if none is within reach. */
function pull(own: number[], lines: number[]): number {
  let best = 0
  let near = SNAP + 1
  for (const edge of own) {
    for (const line of lines) {
      const way = line - edge
      if (Math.abs(way) < near) {
        near = Math.abs(way)
        best = way
      }
    }
  }
  return best
}

function linesOf(others: Rect[], start: (rect: Rect) => number, size: (rect: Rect) => number, from: number, length: number) {
  const starts = others.flatMap((rect) => [start(rect), start(rect) + size(rect) + GAP])
  const ends = others.flatMap((rect) => [start(rect) + size(rect), start(rect) - GAP])
  return { starts: [from, ...starts], ends: [from + length, ...ends] }
}

/** Returns the dragged panel, snapped to the edges of the field and of the other panels if it is near one. */
export function snapped(rect: Rect, others: Rect[], field: Rect): Rect {
  const across = linesOf(others, (r) => r.x, (r) => r.width, field.x, field.width)
  const down = linesOf(others, (r) => r.y, (r) => r.height, field.y, field.height)
  const dx = nearer(pull([rect.x], across.starts), pull([rect.x + rect.width], across.ends))
  const dy = nearer(pull([rect.y], down.starts), pull([rect.y + rect.height], down.ends))
  return { ...rect, x: rect.x + dx, y: rect.y + dy }
}

function nearer(one: number, other: number): number {
  if (one === 0) return other
  return other !== 0 && Math.abs(other) < Math.abs(one) ? other : one
}

/** The sides of a panel that move when it is resized, such as `n` or `se`. */
export type Edge = 'n' | 'e' | 's' | 'w' | 'ne' | 'se' | 'sw' | 'nw'

/** Returns the panel after one of its edges was dragged. The opposite edges stay in place. */
export function resized(rect: Rect, edge: Edge, by: { x: number; y: number }, field: Rect, least: Size): Rect {
  const right = rect.x + rect.width
  const bottom = rect.y + rect.height
  const west = edge.includes('w') ? clamp(rect.x + by.x, field.x, right - least.width) : rect.x
  const north = edge === 'n' || edge === 'ne' || edge === 'nw' ? clamp(rect.y + by.y, field.y, bottom - least.height) : rect.y
  const east = edge.includes('e') ? clamp(right + by.x, rect.x + least.width, field.x + field.width) : right
  const south = edge === 's' || edge === 'se' || edge === 'sw' ? clamp(bottom + by.y, rect.y + least.height, field.y + field.height) : bottom
  return { x: west, y: north, width: east - west, height: south - north }
}
