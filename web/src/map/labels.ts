import type { Size } from '@/design/size'
import type { Point } from './mercator'

/** A rectangle on the screen. */
export interface ScreenRect {
  left: number
  top: number
  right: number
  bottom: number
}

export interface WantedLabel extends Point {
  text: string
  width: number
}

export interface PlacedLabel {
  text: string
  /** The left end of the vertical middle of the text. */
  x: number
  y: number
}

const HEIGHT = 16
const GAP = 10

/**
 * Places names beside their dots: to the right, else to the left, above or below, wherever there is room. A
 * name without room is left out, but still shown when the pointer is on the dot.
 */
export function placeLabels(wanted: WantedLabel[], size: Size, taken: ScreenRect[]): PlacedLabel[] {
  const dots = wanted.map(({ x, y }) => ({ left: x - 6, top: y - 6, right: x + 6, bottom: y + 6 }))
  const full = [...taken]
  const placed: PlacedLabel[] = []
  wanted.forEach(({ text, width, x, y }, own) => {
    if (text === '') return
    const spots = [
      { x: x + GAP, y },
      { x: x - GAP - width, y },
      { x: x - width / 2, y: y - GAP - HEIGHT / 2 - 1 },
      { x: x - width / 2, y: y + GAP + HEIGHT / 2 + 1 },
    ]
    const free = spots.find((spot) => {
      const rect = around(spot, width)
      const inside = rect.left >= 4 && rect.right <= size.width - 4 && rect.top >= 4 && rect.bottom <= size.height - 4
      return inside && !full.some((other) => meets(rect, other)) && !dots.some((dot, index) => index !== own && meets(rect, dot))
    })
    if (!free) return
    full.push(around(free, width))
    placed.push({ text, ...free })
  })
  return placed
}

export function around({ x, y }: Point, width: number): ScreenRect {
  return { left: x - 3, top: y - HEIGHT / 2, right: x + width + 3, bottom: y + HEIGHT / 2 }
}

export function meets(one: ScreenRect, other: ScreenRect): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}
