/** Lightness, chroma and hue in OKLCH, as in the design tokens. */
export type Lch = readonly [lightness: number, chroma: number, hue: number]
export type Rgb = readonly [red: number, green: number, blue: number]
type Lab = readonly [number, number, number]

function lab([lightness, chroma, hue]: Lch): Lab {
  const angle = (hue * Math.PI) / 180
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)]
}

function encoded(linear: number): number {
  const value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055
  return Math.min(255, Math.max(0, value * 255))
}

function rgbOf([lightness, a, b]: Lab): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encoded(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

export function rgb(colour: Lch): Rgb {
  return rgbOf(lab(colour))
}

export function css([red, green, blue]: Rgb, alpha = 1): string {
  return `rgb(${red.toFixed(1)} ${green.toFixed(1)} ${blue.toFixed(1)} / ${alpha.toFixed(4)})`
}

export type Stop = readonly [at: number, colour: Lch]

/** Interpolates between colour stops in OKLab, which avoids the grey or garish midtones of RGB. */
export function interpolate(stops: readonly Stop[], at: number): Rgb {
  const after = stops.findIndex(([place]) => place >= at)
  const [upper, lower] = [stops[Math.max(0, after - 1)], stops[after < 0 ? stops.length - 1 : after]] as [Stop, Stop]
  const span = lower[0] - upper[0]
  const part = span <= 0 ? 0 : Math.min(1, Math.max(0, (at - upper[0]) / span))
  const [one, other] = [lab(upper[1]), lab(lower[1])]
  return rgbOf([0, 1, 2].map((index) => (one[index] as number) * (1 - part) + (other[index] as number) * part) as unknown as Lab)
}
