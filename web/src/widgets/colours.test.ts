// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Lch } from '@/backdrop/colour'
import { contrast } from '@/testkit/contrast'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
const css = read('./widgets.css') + read('../map/map.css') + read('../design/tokens.css')

function colour(name: string, theme: 'light' | 'dark'): Lch {
  const [, light, dark] = new RegExp(`--${name}:\\s*light-dark\\(oklch\\(([\\d. ]+)\\),\\s*oklch\\(([\\d. ]+)\\)\\)`).exec(css) ?? []
  const found = theme === 'light' ? light : dark
  if (!found) throw new Error(`--${name} is not there`)
  return found.trim().split(/\s+/).map(Number) as [number, number, number]
}

describe.each(['light', 'dark'] as const)('by %s', (theme) => {
  test.each(Array.from({ length: 8 }, (_, index) => `series-${index + 1}`))('%s of a chart is seen on its ground', (name) => {
    expect(contrast(colour(name, theme), colour('surface', theme))).toBeGreaterThanOrEqual(3)
  })

  test.each([
    ['text', 'map-land', 4.5],
    ['muted', 'map-land', 4.5],
    ['muted', 'map-sea', 4.5],
    ['map-country', 'map-land', 4.5],
    ['map-route', 'map-land', 3],
    ['map-route', 'map-sea', 3],
    ['map-mark', 'map-land', theme === 'dark' ? 3 : 2.7],
  ] as const)('%s on %s of the map can be told apart', (ink, ground, least) => {
    expect(contrast(colour(ink, theme), colour(ground, theme))).toBeGreaterThanOrEqual(least)
  })
})
