// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Lch, rgb as bytes } from '@/backdrop/colour'
import { paletteOf } from '@/backdrop/palettes'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const tokens = read('../design/tokens.css')

/** Gamma-encoded sRGB, each component from 0 to 1. */
type Rgb = [number, number, number]
type Theme = 'light' | 'dark'

const rgb = (colour: Lch): Rgb => bytes(colour).map((part) => part / 255) as Rgb

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: Rgb, other: Rgb): number {
  const [low, high] = [luminance(one), luminance(other)].sort((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** Reads `--name: light-dark(oklch(…), oklch(…))` from the tokens, with its alpha. */
function token(name: string, theme: Theme): { colour: Rgb; alpha: number } {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\(oklch\\(([^)]*)\\), oklch\\(([^)]*)\\)\\)`).exec(tokens) ?? []
  const [lightness, chroma, hue, alpha = 1] = ((theme === 'light' ? light : dark) ?? '').split(/[\s/]+/).filter(Boolean).map(Number)
  if (lightness === undefined || chroma === undefined || hue === undefined) throw new Error(`--${name} is not in tokens.css`)
  return { colour: rgb([lightness, chroma, hue]), alpha }
}

function laid({ colour, alpha }: { colour: Rgb; alpha: number }, below: Rgb): Rgb {
  return colour.map((part, index) => alpha * part + (1 - alpha) * (below[index] ?? 0)) as Rgb
}

/**
 * Returns the colour seen through the glass: the background, lightened or darkened, with the pane over it.
 */
const glass = (theme: Theme, air: string, pane: string, behind: Rgb) => laid(token(pane, theme), laid(token(air, theme), behind))

const PICTURES: [string, Rgb][] = [
  ['white', [1, 1, 1]], ['yellow', [1, 1, 0]], ['a blue sky', [0.5, 0.8, 1]], ['red', [1, 0, 0]], ['blue', [0, 0, 1]], ['black', [0, 0, 0]],
]
const TEXTS = ['text', 'muted', 'glass-faint', 'label', 'accent-text', 'blue', 'ok', 'warn', 'danger']
const PANES = ['glass-top', 'glass-bottom']
const THEMES: Theme[] = ['light', 'dark']

/**
 * Returns the colours of a computed sky, and of the avatar's body, scarf and head, which may be behind a
 * panel.
 */
function behindSky(theme: Theme): [string, Rgb][] {
  const skies = (['night', 'dusk'] as const).flatMap((name) => {
    const { stops, hills, cloud } = paletteOf(name, theme === 'light')
    const parts: [string, Lch][] = [
      ...stops.map(([at, colour]): [string, Lch] => [`the sky ${name} at ${at}`, colour]),
      ...hills.map((colour, index): [string, Lch] => [`hill ${index} of ${name}`, colour]),
      [`clouds of ${name}`, cloud.lit],
      [`shaded clouds of ${name}`, cloud.shaded],
    ]
    return parts
  })
  const her: [string, Lch][] = [['her body', [0.62, 0.17, 275]], ['her scarf', [0.7, 0.17, 355]], ['her head', [0.97, 0.01, 290]]]
  return [...skies, ...her].map(([what, colour]) => [what, rgb(colour)])
}

describe.each(THEMES)('in the %s theme', (theme) => {
  const words = (text: string) => token(text, theme).colour
  const unreadable = (behind: [string, Rgb][], air: string) =>
    behind.flatMap(([what, colour]) =>
      PANES.flatMap((pane) => {
        const seen = glass(theme, air, pane, colour)
        return TEXTS.filter((text) => contrast(words(text), seen) < 4.5).map((text) => `${text} on ${pane} over ${what}`)
      }),
    )

  test('words on glass can be read over any picture', () => {
    expect(unreadable(PICTURES, 'glass-air')).toEqual([])
    expect(unreadable(PICTURES, 'glass-air-thick')).toEqual([])
  })

  test('words on glass can be read over every part of a sky, and over her', () => {
    expect(unreadable(behindSky(theme), 'glass-air-sky')).toEqual([])
  })

  /** Reads a scrim such as `--thick` from a file, with its alpha. */
  const mist = (path: string, name: string) => {
    const part = new RegExp(`--${name}: color-mix\\(in oklab, var\\(--scrim\\) (\\d+)%`).exec(read(path))?.[1]
    return { colour: words('scrim'), alpha: Number(part) / 100 }
  }

  test.each(behindSky(theme).filter(([what]) => !what.startsWith('her')))('what she says, and the hour, can be read before %s', (_what, colour) => {
    expect(contrast(words('text'), laid(mist('user/user.css', 'thinner'), colour))).toBeGreaterThanOrEqual(4.5)
    expect(contrast(words('text'), laid(mist('luna/luna.css', 'thin'), colour))).toBeGreaterThanOrEqual(4.5)
    for (const text of ['muted', 'accent-text']) expect(contrast(words(text), laid(mist('user/user.css', 'thick'), colour))).toBeGreaterThanOrEqual(4.5)
  })
})
