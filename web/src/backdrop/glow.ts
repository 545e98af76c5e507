import { css, type Rgb } from './colour'

/** Draws a spot of light that fades out evenly, without an edge or ring. */
export function drawGlow(context: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: Rgb, alpha: number): void {
  const gradient = context.createRadialGradient(x, y, 0, x, y, radius)
  for (let step = 0; step <= 8; step += 1) gradient.addColorStop(step / 8, css(colour, alpha * (1 - step / 8) ** 2.6))
  context.fillStyle = gradient
  context.fillRect(x - radius, y - radius, radius * 2, radius * 2)
}
