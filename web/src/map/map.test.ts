// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { isProblem } from '@/widgets/lenient'
import { loadAtlas } from './atlas'
import { meets, placeLabels } from './labels'
import { project } from './mercator'
import { readMap } from './read'
import { firstView } from './useMapView'

const SIZE = { width: 600, height: 360 }

function mapped(payload: unknown) {
  const map = readMap(payload)
  if (isProblem(map)) throw new Error(map.problem)
  return map
}

describe('a map', () => {
  test.each([
    ['words for numbers', { lat: '48.2', lng: '16.4' }, { lat: 48.2, lon: 16.4 }],
    ['no place but markers', { markers: [{ lat: 1, lon: 2 }] }, { lat: 1, lon: 2 }],
    ['only a way', { route: [[1, 2], [3, 4]] }, { lat: 1, lon: 2 }],
    ['a longitude beyond the date line', { lat: 0, lon: 190 }, { lat: 0, lon: -170 }],
  ])('is read from %s', (_, payload, centre) => expect(mapped(payload).centre).toEqual(centre))

  test.each([[{}], [{ lat: 91, lon: 0 }], [{ lat: 'north', lon: 0 }], [{ lat: NaN, lon: 0 }], [{ markers: [{ lat: 1e300, lon: 0 }] }]])('is refused: %j', (payload) => {
    expect(readMap(payload)).toHaveProperty('problem')
  })

  test('leaves out what is nowhere, and counts what is too much', () => {
    const map = mapped({ lat: 0, lon: 0, markers: [{ lat: 1, lon: 1 }, { lat: 'x' }, null, ...new Array(300).fill({ lat: 2, lon: 2 })], route: [[0, 0], ['x', 1], { lat: 1, lon: 1 }] })
    expect([map.markers.shown.length, map.markers.more, map.route.shown.length]).toEqual([198, 103, 2])
  })

  test('that was asked for too close shows everything all the same', () => {
    const payload = { lat: 48.2, lon: 16.4, zoom: 14, markers: [{ lat: 48.2, lon: 16.4 }, { lat: 48.9, lon: 2.4 }] }
    const map = mapped(payload)
    const points = map.markers.shown.map(project)
    expect(firstView(map, points, SIZE, false).zoom).toBeLessThan(7)
    const near = mapped({ ...payload, zoom: 3 })
    expect(firstView(near, points, SIZE, false).zoom).toBe(3)
  })

  test('of one place keeps its country around it, unless streets can be fetched', () => {
    const map = mapped({ lat: 38.7, lon: -9.1, zoom: 14 })
    const points = map.markers.shown.map(project)
    expect(firstView(map, points, SIZE, false).zoom).toBe(7)
    expect(firstView(map, points, SIZE, true).zoom).toBe(14)
  })
})

describe('the atlas', () => {
  test.each(['coarse', 'fine'] as const)('is whole where it crosses the date line: %s', async (detail) => {
    const atlas = await loadAtlas(detail)
    expect(atlas.countries.length).toBeGreaterThan(150)
    expect(atlas.borders.length).toBeGreaterThan(100)
    const leaps = [...atlas.coasts, ...atlas.borders, ...atlas.land.flat()].filter(({ line }) =>
      // The last two points of a coast around the pole lie beyond the pole.
      line.slice(0, -4).some((x, at) => at > 1 && at % 2 === 0 && Math.abs(x - (line[at - 2] as number)) > 0.5),
    )
    expect(leaps).toEqual([])
    const at = (name: string) => atlas.countries.find((country) => country.name === name)
    const france = project({ lat: 47, lon: 2.5 })
    expect(Math.hypot((at('France')?.x ?? 0) - france.x, (at('France')?.y ?? 0) - france.y)).toBeLessThan(0.01)
    expect(at('Russia')?.width).toBeLessThan(0.55)
  })
})

describe('names on the map', () => {
  const wanted = (x: number, y: number, text = 'A name') => ({ x, y, text, width: 50 })

  test('stand beside their dots, and never on each other', () => {
    const placed = placeLabels([wanted(100, 100), wanted(130, 100), wanted(115, 112), wanted(300, 200)], SIZE, [])
    const rects = placed.map(({ x, y }) => ({ left: x, right: x + 50, top: y - 8, bottom: y + 8 }))
    rects.forEach((one, index) => rects.slice(index + 1).forEach((other) => expect(meets(one, other)).toBe(false)))
    expect(placed.length).toBeGreaterThanOrEqual(3)
  })

  test('turn inwards at the edge, and give way where there is no room', () => {
    expect(placeLabels([wanted(590, 100)], SIZE, [])[0]?.x).toBeLessThan(590)
    expect(placeLabels([wanted(100, 100)], SIZE, [{ left: 0, top: 0, right: 600, bottom: 360 }])).toEqual([])
    expect(placeLabels(new Array(200).fill(wanted(100, 100)), SIZE, []).length).toBeLessThanOrEqual(4)
  })
})
