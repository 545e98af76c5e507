import { interpolate, css, rgb, type Stop } from './colour'
import { drawGlow } from './glow'
import { gradientNoise, layered } from './noise'
import type { SkyPalette } from './palettes'

const ground = gradientNoise(11)

/**
 * Returns the height of a ridge above the lower edge as a share of the window. Far ridges are rugged, near
 * ones wooded.
 */
function ridge(layer: number, x: number): number {
  const broad = layered(ground, x * (1.5 + layer * 0.5) + layer * 31 + 4, layer * 7.7, 5)
  const wood = layered(ground, x * 70 + layer * 13, layer, 3) * 0.0045 * layer
  return 0.105 - layer * 0.032 + broad * (0.1 - layer * 0.022) + wood
}

/** Draws the land below the sky: three ridges and a lamp. */
export function drawHills(context: CanvasRenderingContext2D, { width, height }: { width: number; height: number }, { hills, lamp, stops }: SkyPalette): void {
  const span = Math.max(width, 700)
  const crest = (layer: number, x: number) => height * (1 - ridge(layer, (x - width / 2) / span))
  hills.forEach((colour, layer) => {
    context.beginPath()
    context.moveTo(0, height)
    for (let x = 0; x <= width + 2; x += 2) context.lineTo(x, crest(layer, x))
    context.lineTo(width + 2, height)
    context.closePath()
    // Mist in the valleys: towards its foot a hill takes on the colour of the air.
    const gradient = context.createLinearGradient(0, height * (0.86 + layer * 0.03), 0, height * (0.95 + layer * 0.03))
    const air: Stop[] = [[0, colour], [1, (stops[stops.length - 1] as Stop)[1]]]
    for (let step = 0; step <= 6; step += 1) gradient.addColorStop(step / 6, css(interpolate(air, (step / 6) * (0.16 - layer * 0.06))))
    context.fillStyle = gradient
    context.fill()
  })
  if (!lamp) return
  // The lamp stands in the deepest hollow on the left; elsewhere the nearer woods would hide it.
  const places = Array.from({ length: 30 }, (_, step) => width * (0.08 + step * 0.012))
  const depth = (x: number) => crest(2, x) - crest(1, x)
  const hollow = places.reduce((best, x) => (depth(x) > depth(best) ? x : best))
  drawLamp(context, hollow, crest(2, hollow) - Math.min(5, depth(hollow) / 2))
}

/** Draws a distant lamp with a warm glow. */
function drawLamp(context: CanvasRenderingContext2D, x: number, y: number): void {
  const warm = rgb([0.84, 0.13, 72])
  drawGlow(context, x, y, 16, warm, 0.32)
  context.fillStyle = css(warm, 0.95)
  context.fillRect(x - 0.9, y - 1.1, 1.8, 2.2)
}
