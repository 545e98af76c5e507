import '@/testkit/browser'
import { describe, expect, test } from 'vitest'
import type { Size } from '@/design/size'
import { arrange, type PlaceablePanel } from './arrange'
import { fieldOf, overlaps, type Rect } from './geometry'
import { PANELS } from './registry'

const guest = (id: string, more: Partial<PlaceablePanel> = {}): PlaceablePanel => ({ id, side: 'left', size: { width: 300, height: 260 }, least: { width: 200, height: 140 }, ...more })

const WINDOWS: Size[] = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 1920, height: 1080 },
  { width: 820, height: 1180 },
  { width: 2560, height: 1000 },
]

function check(places: Record<string, Rect>, size: Size, taken: Rect[] = []): void {
  const field = fieldOf(size)
  const all = Object.entries(places)
  for (const [id, rect] of all) {
    expect(rect.x, id).toBeGreaterThanOrEqual(field.x)
    expect(rect.y, id).toBeGreaterThanOrEqual(field.y)
    expect(rect.x + rect.width, id).toBeLessThanOrEqual(field.x + field.width)
    expect(rect.y + rect.height, id).toBeLessThanOrEqual(field.y + field.height)
    expect(overlaps(rect, field.face), `${id} covers her face`).toBe(false)
    for (const [other, place] of all) if (id < other) expect(overlaps(rect, place), `${id} covers ${other}`).toBe(false)
    for (const place of taken) expect(overlaps(rect, place), `${id} covers what is pinned`).toBe(false)
  }
}

describe('the arrangement', () => {
  test.each(WINDOWS)('of any panels in $width by $height covers neither her face nor each other', (size) => {
    for (let count = 1; count <= PANELS.length; count += 1) check(arrange(PANELS.slice(0, count), fieldOf(size)), size)
    for (const kind of PANELS) check(arrange([kind], fieldOf(size)), size)
  })

  test('has room for every panel on a large screen', () => {
    expect(Object.keys(arrange(PANELS, fieldOf({ width: 1920, height: 1080 }))).sort()).toEqual(PANELS.map(({ id }) => id).sort())
  })

  test('leaves a panel as large as it likes where there is room', () => {
    expect(arrange([guest('a')], fieldOf({ width: 1440, height: 900 }))['a']).toMatchObject({ x: 12, y: 56, width: 300, height: 260 })
    const right = arrange([guest('a', { side: 'right' })], fieldOf({ width: 1440, height: 900 }))['a']
    expect(right && right.x + right.width).toBe(1428)
  })

  test('gives those that are too many less, and never less than they can be used at', () => {
    const guests = [guest('a', { size: { width: 300, height: 700 } }), guest('b', { size: { width: 300, height: 300 } }), guest('c', { side: 'right', size: { width: 300, height: 740 } })]
    const places = arrange(guests, fieldOf({ width: 1440, height: 900 }))
    expect(Object.keys(places)).toHaveLength(3)
    for (const rect of Object.values(places)) expect(rect.height).toBeGreaterThanOrEqual(140)
    expect(places['c']?.height).toBeLessThan(740)
  })

  test('puts what finds no room on one side on the other, and gives no place to what finds none at all', () => {
    const size = { width: 1024, height: 560 }
    const tall = { size: { width: 300, height: 400 }, least: { width: 200, height: 400 } }
    const places = arrange([guest('a', tall), guest('b', tall), guest('c', tall)], fieldOf(size))
    expect(Object.keys(places)).toEqual(['a', 'b'])
    expect(places['b']?.x).toBeGreaterThan(512)
    check(places, size)
  })

  test('lets small ones share a row', () => {
    const low = { size: { width: 220, height: 160 } }
    const places = arrange([guest('a', low), guest('b', low)], fieldOf({ width: 1440, height: 900 }))
    expect(places['a']?.y).toBe(places['b']?.y)
    expect(places['b']?.x).toBeGreaterThan(places['a']?.x ?? 0)
  })

  test('keeps clear of what is pinned', () => {
    const size = { width: 1440, height: 900 }
    const taken = [{ x: 12, y: 200, width: 320, height: 200 }, { x: 1000, y: 300, width: 400, height: 100 }]
    const places = arrange(PANELS.slice(0, 4), fieldOf(size), taken)
    expect(Object.keys(places).length).toBeGreaterThan(1)
    check(places, size, taken)
  })

  test.each<Size>([{ width: 0, height: 0 }, { width: 200, height: 100 }, { width: 390, height: 844 }])('has nothing to say where there is no room, in $width by $height', (size) => {
    check(arrange(PANELS, fieldOf(size)), size)
  })
})
