// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Lch } from '@/backdrop/colour'
import { contrast } from '@/testkit/contrast'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

/**
 * Returns the colours of the file written as `--name: light-dark(oklch(…), oklch(…))`, for both themes.
 * Colours with an alpha are left out, since they are not used for text pairs.
 */
function tokens(): Record<'light' | 'dark', Record<string, Lch>> {
  const themes: Record<'light' | 'dark', Record<string, Lch>> = { light: {}, dark: {} }
  const line = /--([\w-]+):\s*light-dark\(oklch\(([\d. ]+)\),\s*oklch\(([\d. ]+)\)\)/g
  for (const [, name, light, dark] of css.matchAll(line)) {
    themes.light[name as string] = (light as string).trim().split(/\s+/).map(Number) as [number, number, number]
    themes.dark[name as string] = (dark as string).trim().split(/\s+/).map(Number) as [number, number, number]
  }
  return themes
}

const GROUNDS = ['ground', 'surface', 'raised', 'well']
const TEXTS = ['text', 'muted', 'faint', 'label', 'accent-text', 'blue', 'ok', 'warn', 'danger', 'code-keyword', 'code-string', 'code-number', 'code-name', 'code-type']

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  const colours = tokens()[theme]
  const colour = (name: string): Lch => {
    const found = colours[name]
    if (!found) throw new Error(`--${name} is not in tokens.css`)
    return found
  }

  const pairs = GROUNDS.flatMap((ground) => TEXTS.map((text) => [text, ground] as const))
  test.each(pairs)('has readable %s on %s', (text, ground) => {
    expect(contrast(colour(text), colour(ground))).toBeGreaterThanOrEqual(4.5)
  })

  test('has readable words on the accent', () => {
    expect(contrast(colour('on-accent'), colour('accent'))).toBeGreaterThanOrEqual(4.5)
  })

  test.each(GROUNDS)('has an accent and a focus ring that can be seen on %s', (ground) => {
    expect(contrast(colour('blue'), colour(ground))).toBeGreaterThanOrEqual(3)
    // The moon and the primary button always have a text beside their colour.
    expect(contrast(colour('accent'), colour(ground))).toBeGreaterThanOrEqual(theme === 'dark' ? 3 : 2.7)
  })

  test('names no text colour that is not checked', () => {
    const known = new Set([...GROUNDS, ...TEXTS, 'accent', 'on-accent', 'moon', 'moon-shade', 'moon-limb', 'lit', 'space', 'scrim', 'glass-faint', 'moon-lit', 'moon-dark'])
    expect(Object.keys(colours).filter((name) => !known.has(name))).toEqual([])
  })
})
