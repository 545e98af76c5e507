// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { farthest, fitted, held, isVisible, moved, project, scaleBar, toScreen, unbroken, unproject, zoomed } from './mercator'

const SIZE = { width: 600, height: 360 }
const place = (lat: number, lon: number) => project({ lat, lon })

test('places go to the map and back', () => {
  for (const [lat, lon] of [[0, 0], [48.2, 16.4], [-33.9, -151.2], [85, 179.9]] as const) {
    const back = unproject(place(lat, lon))
    expect(back.lat).toBeCloseTo(lat, 6)
    expect(back.lon).toBeCloseTo(lon, 6)
  }
  expect(place(90, 0).y).toBeCloseTo(0, 6)
})

describe('everything is seen', () => {
  test.each([
    ['a town', [place(48.2, 16.4)]],
    ['two continents', [place(40.7, -74), place(51.5, 0)]],
    ['both sides of the date line', [place(-18, 178), place(-14, -172)]],
    ['nearly pole to pole', [place(70, 20), place(-54, -68)]],
    ['all around', [place(0, -120), place(0, 0), place(0, 120)]],
  ])('of %s', (_, points) => {
    expect(isVisible(fitted(points, SIZE, 40, 9), SIZE, points)).toBe(true)
  })

  test('across the date line by the short way', () => {
    expect(fitted([place(-18, 178), place(-14, -172)], SIZE, 40, 9).zoom).toBeGreaterThan(3)
  })
})

test('zooming keeps what is under the pointer there', () => {
  const view = held({ ...place(48, 11), zoom: 5 }, SIZE)
  const at = { x: 130, y: 300 }
  const before = { x: view.x + (at.x - 300) / (256 * 2 ** 5), y: view.y + (at.y - 180) / (256 * 2 ** 5) }
  const after = toScreen(zoomed(view, SIZE, 2, at), SIZE, before)
  expect(after.x).toBeCloseTo(at.x, 3)
  expect(after.y).toBeCloseTo(at.y, 3)
})

test('the world has an edge above and below, but none at the sides', () => {
  const view = held({ x: 0.5, y: 0.5, zoom: 2 }, SIZE)
  expect(moved(view, SIZE, 0, 1e9).y).toBeCloseTo(180 / 1024)
  expect(moved(view, SIZE, -5 * 1024, 0).x).toBeCloseTo(0.5)
  expect(zoomed(view, SIZE, 1e-9, { x: 0, y: 0 }).zoom).toBe(farthest(SIZE))
  expect(zoomed(view, SIZE, 1e9, { x: 0, y: 0 }).zoom).toBe(18)
})

test('a way over the date line does not run around the world', () => {
  const xs = unbroken([place(0, 170), place(0, -170), place(0, -160)]).map(({ x }) => x)
  expect(Math.max(...xs) - Math.min(...xs)).toBeCloseTo(30 / 360)
})

test('the scale is a round length that fits', () => {
  for (let zoom = 0; zoom <= 18; zoom += 0.7) {
    const bar = scaleBar({ ...place(48, 0), zoom }, 96)
    expect(bar.width).toBeLessThanOrEqual(96)
    expect(bar.width).toBeGreaterThan(30)
    expect(bar.words).toMatch(/^[125]0*(?:,000)* k?m$/)
  }
})
