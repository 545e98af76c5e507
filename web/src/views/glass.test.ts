// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync(new URL('./views.css', import.meta.url), 'utf8')
const tokens = readFileSync(new URL('../design/tokens.css', import.meta.url), 'utf8')

type Rgb = [number, number, number]

/** As a screen is lit by it, each part from 0 to 1 and with its gamma. */
function rgb([lightness, chroma, hue]: number[]): Rgb {
  const angle = ((hue ?? 0) * Math.PI) / 180
  const [a, b] = [(chroma ?? 0) * Math.cos(angle), (chroma ?? 0) * Math.sin(angle)]
  const l = ((lightness ?? 0) + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = ((lightness ?? 0) - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = ((lightness ?? 0) - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear = [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s, -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s]
  return linear.map((part) => Math.min(1, Math.max(0, part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055))) as Rgb
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: Rgb, other: Rgb): number {
  const [low, high] = [luminance(one), luminance(other)].sort((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

const numbers = (text: string | undefined) => (text ?? '').split(/[\s/]+/).filter(Boolean).map(Number)
const night = (name: string) => rgb(numbers(new RegExp(`--${name}: light-dark\\(oklch\\([^)]*\\), oklch\\(([^)]*)\\)\\)`).exec(tokens)?.[1]))
const pane = (name: string) => numbers(new RegExp(`--${name}: oklch\\(([^)]*)\\)`).exec(css)?.[1])
const shine = Number(/--glass-shine: ([\d.]+)/.exec(css)?.[1])

/** What is seen of the glass over this: dimmed, and the pane over it. */
function over(behind: Rgb, name: string): Rgb {
  const [lightness, chroma, hue, alpha = 1] = pane(name)
  const own = rgb([lightness ?? 0, chroma ?? 0, hue ?? 0])
  return own.map((part, index) => alpha * part + (1 - alpha) * shine * (behind[index] ?? 0)) as Rgb
}

const PICTURES: [string, Rgb][] = [['white', [1, 1, 1]], ['yellow', [1, 1, 0]], ['sky', [0.5, 0.8, 1]], ['black', [0, 0, 0]]]
const TEXTS = ['text', 'muted', 'faint', 'accent-text', 'blue', 'ok', 'warn', 'danger']

describe.each(PICTURES)('the glass over %s', (_what, behind) => {
  test.each(TEXTS.flatMap((text) => ['glass-top', 'glass-bottom'].map((name) => [text, name] as const)))('has readable %s at its %s', (text, name) => {
    expect(contrast(night(text), over(behind, name))).toBeGreaterThanOrEqual(4.5)
  })

  test('has readable labels', () => {
    expect(contrast(rgb(pane('label')), over(behind, 'glass-top'))).toBeGreaterThanOrEqual(4.5)
  })
})
