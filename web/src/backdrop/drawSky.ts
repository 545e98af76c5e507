import { interpolate, css, type Lch, rgb, type Stop } from './colour'
import { DAY_MOON, moonDisc, NIGHT_MOON } from './drawMoon'
import { drawGlow } from './glow'
import { drawHills } from './land'
import type { MoonPhase } from './moon'
import { chance, gradientNoise, layered, smoothstep } from './noise'
import { type SkyPalette, paletteOf, type SkyName } from './palettes'
import { FIELD_SIZE, milky, type Star, starField } from './stars'

export interface SkyView {
  name: SkyName
  /** True in the light theme, which shows a day or dawn sky. */
  day: boolean
  moon: MoonPhase
  /** The size in CSS pixels. */
  width: number
  height: number
  /** Device pixels per CSS pixel. */
  density: number
}

let known: Star[] | undefined
/** Returns the star field, which is computed on first use. */
export const stars = (): Star[] => (known ??= starField())

const haze = gradientNoise(11)

/** Returns the scale of the sky in windows that are larger than the star field. */
export function magnify({ width, height }: { width: number; height: number }): number {
  return Math.max(1, width / FIELD_SIZE.width, height / FIELD_SIZE.height)
}

/** Returns the position of a star in the window. */
export function starPosition(star: Pick<Star, 'x' | 'y'>, view: { width: number; height: number }): { x: number; y: number } {
  const scale = magnify(view)
  return { x: (star.x - FIELD_SIZE.width / 2) * scale + view.width / 2, y: star.y * scale }
}

/** The width in pixels that panels may cover at each side of a window. */
const PANEL = 336

/**
 * Places the moon beside the avatar in the middle, clear of panels at the sides. The thinner it is, the
 * nearer it is to the horizon.
 */
export function moonPosition({ width, height, moon }: Pick<SkyView, 'width' | 'height' | 'moon'>): { x: number; y: number; radius: number } {
  const radius = Math.min(46, Math.max(14, Math.min(width, height) * 0.048))
  const upright = height > width
  const depth = (1 - moon.lit) * 0.16
  const beside = Math.max(width * 0.31, Math.min(PANEL + radius, width * 0.4))
  return { x: upright ? width * 0.78 : beside, y: height * ((upright ? 0.13 : 0.17) + depth), radius }
}

/** Draws the whole still picture, from the sky and the moon to the hills. */
export function drawSky(canvas: HTMLCanvasElement, view: SkyView): void {
  canvas.width = Math.max(1, Math.round(view.width * view.density))
  canvas.height = Math.max(1, Math.round(view.height * view.density))
  const context = canvas.getContext('2d')
  if (!context) return
  context.setTransform(canvas.width / view.width, 0, 0, canvas.height / view.height, 0, 0)
  const palette = paletteOf(view.name, view.day)
  drawGround(context, view, palette)
  if (palette.glow) drawAfterglow(context, view, palette.glow)
  if (palette.band > 0) drawBand(context, view, palette)
  drawStars(context, view, palette)
  drawMoonlight(context, view, palette)
  drawClouds(context, view, palette)
  drawHills(context, view, palette)
  drawGrain(context, view)
}

function drawGround(context: CanvasRenderingContext2D, { width, height }: SkyView, { stops }: SkyPalette): void {
  const gradient = context.createLinearGradient(0, 0, 0, height)
  for (let step = 0; step <= 32; step += 1) gradient.addColorStop(step / 32, css(interpolate(stops, step / 32)))
  context.fillStyle = gradient
  context.fillRect(0, 0, width, height)
}

function drawAfterglow(context: CanvasRenderingContext2D, { width, height }: SkyView, colour: Lch): void {
  const reach = Math.max(width, height) * 0.62
  context.save()
  context.translate(width * 0.64, height * 0.97)
  context.scale(1, Math.min(0.5, (height * 0.46) / reach))
  drawGlow(context, 0, 0, reach, rgb(colour), 0.5)
  context.restore()
}

/** The paint at a point: the mix of two colours and its opacity. */
type Paint = { mix: number; alpha: number }
const NOTHING: Paint = { mix: 0, alpha: 0 }

/** Paints soft shapes on a small canvas and scales it up to the window. */
function drawSoft(context: CanvasRenderingContext2D, { width, height }: SkyView, colours: readonly [Lch, Lch], paint: (x: number, y: number) => Paint): void {
  const grain = 5
  const sheet = document.createElement('canvas')
  sheet.width = Math.max(1, Math.ceil(width / grain))
  sheet.height = Math.max(1, Math.ceil(height / grain))
  const small = sheet.getContext('2d')
  if (!small) return
  const [one, other] = [rgb(colours[0]), rgb(colours[1])]
  const image = small.createImageData(sheet.width, sheet.height)
  const { data } = image
  for (let at = 0; at < sheet.width * sheet.height; at += 1) {
    const { mix, alpha } = paint((at % sheet.width) * grain, Math.floor(at / sheet.width) * grain)
    data[at * 4] = one[0] + (other[0] - one[0]) * mix
    data[at * 4 + 1] = one[1] + (other[1] - one[1]) * mix
    data[at * 4 + 2] = one[2] + (other[2] - one[2]) * mix
    data[at * 4 + 3] = alpha * 255
  }
  small.putImageData(image, 0, 0)
  context.imageSmoothingQuality = 'high'
  context.drawImage(sheet, 0, 0, sheet.width * grain, sheet.height * grain)
}

/** Returns the factor by which moonlight dims faint objects. */
function moonlightDimming({ moon }: SkyView): number {
  return 1 - moon.lit ** 2 * 0.55
}

function drawBand(context: CanvasRenderingContext2D, view: SkyView, { band }: SkyPalette): void {
  const scale = magnify(view)
  const strength = band * moonlightDimming(view) * 0.36
  drawSoft(context, view, [[0.8, 0.035, 265], [0.82, 0.025, 60]], (x, y) => {
    const deep = milky((x - view.width / 2) / scale + FIELD_SIZE.width / 2, y / scale)
    return { mix: smoothstep(0.55, 1, deep) * 0.5, alpha: deep * strength * (1 - smoothstep(0.35, 0.85, y / view.height)) }
  })
}

export const HEAT: readonly Stop[] = [[0, [0.86, 0.075, 55]], [0.3, [0.94, 0.035, 75]], [0.5, [0.98, 0.006, 90]], [0.75, [0.94, 0.025, 265]], [1, [0.88, 0.06, 268]]]

/** Returns the apparent brightness of a star: the atmosphere dims low stars, and the moon those near it. */
export function apparentBrightness(star: Star, view: SkyView, at = starPosition(star, view)): number {
  const [top, low] = paletteOf(view.name, view.day).stars
  const clear = top + (low - top) * smoothstep(0.05, 0.92, at.y / view.height)
  const moon = moonPosition(view)
  const near = Math.hypot(at.x - moon.x, at.y - moon.y) / moon.radius
  if (near < 1.02) return 0
  const glare = 1 - 0.85 * view.moon.lit * Math.exp(-((near / 5) ** 2))
  return star.bright * Math.max(0, clear) * glare * (star.bright > 0.8 ? 1 : moonlightDimming(view))
}

function drawStars(context: CanvasRenderingContext2D, view: SkyView, palette: SkyPalette): void {
  if (palette.stars[0] === 0) return
  // In a scaled-down picture, stars must stay large enough to be visible.
  const least = 0.5 / view.density
  for (const star of stars()) {
    const { x, y } = starPosition(star, view)
    if (x < -8 || y < -8 || x > view.width + 8 || y > view.height) continue
    const bright = apparentBrightness(star, view, { x, y })
    if (bright < 0.05) continue
    const colour = interpolate(HEAT, star.heat)
    // Faint stars all have the minimum radius and differ in opacity.
    const radius = Math.max(least, 0.55 + 0.42 * Math.sqrt(Math.max(0, bright - 0.25)))
    const alpha = Math.min(1, 0.16 + bright)
    if (bright > 1.1) drawGlow(context, x, y, radius * 5, colour, 0.16 + Math.min(0.14, bright * 0.03))
    context.fillStyle = css(colour, alpha)
    context.beginPath()
    context.arc(x, y, radius, 0, Math.PI * 2)
    context.fill()
  }
}

/** Returns the rotation that turns the lit side towards the sun below the horizon. */
function tiltOf({ waxing }: MoonPhase): number {
  return waxing ? 0.42 : -0.42
}

function drawMoonlight(context: CanvasRenderingContext2D, view: SkyView, { halo }: SkyPalette): void {
  const { x, y, radius } = moonPosition(view)
  if (view.day && view.moon.lit < 0.03) return
  const disc = moonDisc(radius * view.density, view.moon, tiltOf(view.moon), view.day ? DAY_MOON : NIGHT_MOON)
  const sheet = document.createElement('canvas')
  sheet.width = disc.width
  sheet.height = disc.height
  sheet.getContext('2d')?.putImageData(disc, 0, 0)
  const size = disc.width / view.density
  context.drawImage(sheet, x - size / 2, y - size / 2, size, size)
  if (view.day) return
  // The air in front of the moon glows, over its dark side as well.
  const light = Math.sqrt(view.moon.lit)
  drawGlow(context, x, y, radius * 10, rgb(halo), 0.16 * light)
  drawGlow(context, x, y, radius * 3, rgb(halo), 0.2 * light)
}

/** Draws thin clouds, stretched along the horizon and lit from below near the light. */
function drawClouds(context: CanvasRenderingContext2D, view: SkyView, { cloud }: SkyPalette): void {
  const stretch = Math.max(view.width, 900)
  drawSoft(context, view, [cloud.shaded, cloud.lit], (x, y) => {
    const height = y / view.height
    const where = smoothstep(1 - cloud.reach, 0.84, height) * (1 - smoothstep(0.9, 1.02, height) * 0.6)
    if (where === 0) return NOTHING
    // Perspective: distant clouds look flatter.
    const v = 5.5 / (1.1 - height * 0.72)
    const u = ((x - view.width / 2) / stretch) * 1.9
    const bent = v + layered(haze, u * 1.3, v * 0.4 + 5, 3) * 1.1
    const bank = smoothstep(-0.12, 0.5, layered(haze, u * 0.8 + 3, bent * 0.34, 3) + cloud.cover)
    const wisp = layered(haze, u * 1.5, bent * 1.6, 5)
    const body = smoothstep(0.02, 0.6, wisp + bank * 0.25) * bank * where * cloud.strength
    const under = smoothstep(-0.25, 0.35, layered(haze, u * 1.5, bent * 1.6 + 0.35, 3) - wisp * 0.5) * smoothstep(0.35, 0.95, height)
    return { mix: under, alpha: body }
  })
}

/** Adds noise against banding, which 8-bit colour shows in dark gradients. */
function drawGrain(context: CanvasRenderingContext2D, { width, height, density }: SkyView): void {
  const side = 128
  const tile = document.createElement('canvas')
  tile.width = side
  tile.height = side
  const small = tile.getContext('2d')
  if (!small) return
  const image = small.createImageData(side, side)
  const next = chance(7)
  for (let at = 0; at < image.data.length; at += 4) {
    const value = next() < 0.5 ? 0 : 255
    image.data.set([value, value, value, next() * 3.6], at)
  }
  small.putImageData(image, 0, 0)
  const pattern = context.createPattern(tile, 'repeat')
  if (!pattern) return
  pattern.setTransform(new DOMMatrix().scale(1 / density))
  context.fillStyle = pattern
  context.fillRect(0, 0, width, height)
}
