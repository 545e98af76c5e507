import type { Size } from '@/design/size'
import type { Atlas, Box, Country, Outline } from './atlas'
import { around, meets, placeLabels, type ScreenRect } from './labels'
import { type Point, toScreen, type MapPosition, worldSize } from './mercator'

export interface MapColours {
  sea: string
  land: string
  coast: string
  border: string
  country: string
  accent: string
  route: string
  text: string
}

export interface Mark extends Point {
  label: string
}

const FONT = '500 13px Geist, system-ui, sans-serif'
const COUNTRY_FONT = '11px Geist, system-ui, sans-serif'
/** The smallest visible step on the screen, in pixels. */
const FINEST = 0.6

/** The mapping from world coordinates to pixels in one of the adjacent copies of the world. */
interface WorldCopy {
  world: number
  left: number
  top: number
  seen: Box
}

function worldCopies(view: MapPosition, size: Size): WorldCopy[] {
  const world = worldSize(view.zoom)
  const half = { x: size.width / 2 / world, y: size.height / 2 / world }
  const copies: WorldCopy[] = []
  // Lines across the date line extend into the next copy.
  for (let copy = Math.floor(view.x - half.x) - 1; copy <= Math.floor(view.x + half.x) + 1; copy += 1) {
    copies.push({
      world,
      left: size.width / 2 - (view.x - copy) * world,
      top: size.height / 2 - view.y * world,
      seen: { left: view.x - copy - half.x, right: view.x - copy + half.x, top: view.y - half.y, bottom: view.y + half.y },
    })
  }
  return copies
}

function isSeen({ left, right, top, bottom }: Box, seen: Box): boolean {
  return left < seen.right && right > seen.left && top < seen.bottom && bottom > seen.top
}

/** Draws sea, land, coasts and borders. */
export function drawWorld(ctx: CanvasRenderingContext2D, view: MapPosition, size: Size, atlas: Atlas | null, inks: MapColours): void {
  ctx.fillStyle = inks.sea
  ctx.fillRect(0, 0, size.width, size.height)
  if (!atlas) return
  ctx.lineJoin = 'round'
  for (const lens of worldCopies(view, size)) {
    ctx.fillStyle = inks.land
    ctx.beginPath()
    for (const rings of atlas.land) {
      if (rings[0] && isSeen(rings[0].box, lens.seen)) rings.forEach((ring) => trace(ctx, ring, lens))
    }
    ctx.fill()
    stroke(ctx, atlas.borders, lens, inks.border)
    stroke(ctx, atlas.coasts, lens, inks.coast)
  }
}

function stroke(ctx: CanvasRenderingContext2D, outlines: Outline[], lens: WorldCopy, ink: string): void {
  ctx.strokeStyle = ink
  ctx.lineWidth = 1
  ctx.beginPath()
  for (const line of outlines) {
    if (isSeen(line.box, lens.seen)) trace(ctx, line, lens)
  }
  ctx.stroke()
}

function trace(ctx: CanvasRenderingContext2D, { line }: Outline, { world, left, top }: WorldCopy): void {
  let lastX = NaN
  let lastY = NaN
  for (let at = 0; at < line.length; at += 2) {
    const x = left + (line[at] as number) * world
    const y = top + (line[at + 1] as number) * world
    const first = at === 0
    const last = at === line.length - 2
    if (!first && !last && Math.abs(x - lastX) + Math.abs(y - lastY) < FINEST) continue
    if (first) ctx.moveTo(x, y)
    else ctx.lineTo(x, y)
    lastX = x
    lastY = y
  }
}

/** Draws the route, the places, and as many names as fit. Returns the areas that are taken. */
export function drawContent(ctx: CanvasRenderingContext2D, view: MapPosition, size: Size, route: Point[], marks: Mark[], chosen: number | null, inks: MapColours): ScreenRect[] {
  drawRoute(ctx, view, size, route, inks)
  ctx.font = FONT
  const shown = marks.map(({ label, ...point }) => ({ text: label, width: Math.ceil(ctx.measureText(label).width), ...toScreen(view, size, point) }))
  shown.forEach(({ x, y }, index) => drawDot(ctx, x, y, index === chosen, inks))
  // The name of the chosen place comes first, so that it always has room.
  const order = chosen === null ? shown : [...shown.slice(chosen, chosen + 1), ...shown.filter((_, index) => index !== chosen)]
  const placed = placeLabels(order.filter(({ x, y }) => x > -6 && y > -6 && x < size.width + 6 && y < size.height + 6), size, [])
  ctx.textBaseline = 'middle'
  for (const { text, x, y } of placed) haloed(ctx, text, x, y, inks.text, inks.land, 4)
  const names = placed.map(({ text, x, y }) => around({ x, y }, ctx.measureText(text).width))
  return [...names, ...shown.map(({ x, y }) => ({ left: x - 8, right: x + 8, top: y - 8, bottom: y + 8 }))]
}

function drawRoute(ctx: CanvasRenderingContext2D, view: MapPosition, size: Size, route: Point[], inks: MapColours): void {
  const [start] = route
  if (!start) return
  const world = worldSize(view.zoom)
  const at = toScreen(view, size, start)
  ctx.lineJoin = 'round'
  ctx.lineCap = 'round'
  ctx.beginPath()
  for (const { x, y } of route) ctx.lineTo(at.x + (x - start.x) * world, at.y + (y - start.y) * world)
  ctx.strokeStyle = inks.land
  ctx.lineWidth = 6
  ctx.stroke()
  ctx.strokeStyle = inks.route
  ctx.lineWidth = 3
  ctx.stroke()
}

function drawDot(ctx: CanvasRenderingContext2D, x: number, y: number, chosen: boolean, inks: MapColours): void {
  disc(ctx, x, y, chosen ? 9 : 7, inks.land)
  disc(ctx, x, y, chosen ? 7 : 5, inks.accent)
}

function disc(ctx: CanvasRenderingContext2D, x: number, y: number, radius: number, ink: string): void {
  ctx.fillStyle = ink
  ctx.beginPath()
  ctx.arc(x, y, radius, 0, 2 * Math.PI)
  ctx.fill()
}

function haloed(ctx: CanvasRenderingContext2D, text: string, x: number, y: number, ink: string, halo: string, width: number): void {
  ctx.lineJoin = 'round'
  ctx.strokeStyle = halo
  ctx.lineWidth = width
  ctx.strokeText(text, x, y)
  ctx.fillStyle = ink
  ctx.fillText(text, x, y)
}

/** Draws the names of countries that fit into their country and overlap nothing. */
export function drawCountries(ctx: CanvasRenderingContext2D, view: MapPosition, size: Size, countries: Country[], taken: ScreenRect[], inks: MapColours): void {
  const full = [...taken]
  const world = worldSize(view.zoom)
  ctx.font = COUNTRY_FONT
  ctx.textBaseline = 'middle'
  for (const { name, width, ...point } of countries) {
    const room = width * world
    if (room < 44) continue
    const { x, y } = toScreen(view, size, point)
    if (x < 0 || y < 8 || x > size.width || y > size.height - 8) continue
    const long = ctx.measureText(name).width
    const rect = around({ x: x - long / 2, y }, long)
    if (long > room * 0.9 || full.some((other) => meets(rect, other))) continue
    full.push(rect)
    haloed(ctx, name, x - long / 2, y, inks.country, inks.land, 3)
  }
}
