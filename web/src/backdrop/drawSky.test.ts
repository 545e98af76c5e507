import { describe, expect, test } from 'vitest'
import { interpolate, rgb } from './colour'
import { albedo, sunlight } from './drawMoon'
import { moonAt } from './moon'
import { magnify, moonPosition, starPosition, apparentBrightness, type SkyView } from './drawSky'
import { FIELD_SIZE, milky, starField, twinkling } from './stars'

const view = (more: Partial<SkyView> = {}): SkyView => ({
  name: 'night', day: false, moon: moonAt(new Date('2026-11-14T21:00Z')), width: 1440, height: 900, density: 1, ...more,
})

describe('the stars', () => {
  test('are the same every time, and others for another beginning', () => {
    expect(starField()).toEqual(starField())
    expect(starField(1)).not.toEqual(starField(2))
  })

  test('grow fewer as they grow brighter, as those in the sky do', () => {
    const count = (from: number) => starField().filter(({ bright }) => bright >= from).length
    for (const bright of [0.15, 0.3, 0.6, 1.2]) {
      const ratio = count(bright) / count(bright * 2)
      expect(ratio).toBeGreaterThan(1.6)
      expect(ratio).toBeLessThan(3.2)
    }
    expect(count(3)).toBeGreaterThan(5)
  })

  test('crowd in the milky band, and nowhere stand in rows', () => {
    const stars = starField()
    const inBand = stars.filter(({ x, y }) => milky(x, y) > 0.35).length / stars.length
    let area = 0
    for (let x = 20; x < FIELD_SIZE.width; x += 40) for (let y = 20; y < FIELD_SIZE.height; y += 40) if (milky(x, y) > 0.35) area += 1600
    expect(inBand).toBeGreaterThan((area / FIELD_SIZE.width / FIELD_SIZE.height) * 1.5)
    expect(new Set(stars.map(({ x }) => Math.round(x))).size).toBeGreaterThan(1500)
  })

  test('stay where they are when the window grows: more of the sky is seen', () => {
    const star = { x: FIELD_SIZE.width / 2 + 100, y: 300 }
    expect(starPosition(star, { width: 400, height: 800 })).toEqual({ x: 300, y: 300 })
    expect(starPosition(star, { width: 1440, height: 900 })).toEqual({ x: 820, y: 300 })
    expect(magnify({ width: 5120, height: 900 })).toBe(2)
  })

  test('are gone by day, beside a full moon, and behind it', () => {
    const star = { x: FIELD_SIZE.width / 2, y: 60, bright: 1, heat: 0.5 }
    expect(apparentBrightness(star, view())).toBeGreaterThan(0.9)
    expect(apparentBrightness(star, view({ day: true }))).toBe(0)
    const full = view({ moon: moonAt(new Date('2026-08-28T04:18Z')) })
    const moon = moonPosition(full)
    expect(apparentBrightness(star, full, { x: moon.x, y: moon.y })).toBe(0)
    expect(apparentBrightness(star, full, { x: moon.x + moon.radius * 1.5, y: moon.y })).toBeLessThan(0.4)
  })

  test('twinkle one here and one there', () => {
    const few = twinkling(starField(), 12, ({ x }) => x < 1000)
    expect(few).toHaveLength(12)
    for (const star of few) {
      expect(star.x).toBeLessThan(1000)
      for (const other of few) if (other !== star) expect(Math.hypot(star.x - other.x, star.y - other.y)).toBeGreaterThan(130)
    }
    expect(twinkling([], 12, () => true)).toEqual([])
  })
})

test.each([[1440, 900], [1024, 768], [820, 600], [390, 844]])('the moon is beside her in %i by %i, and clear of the panels where it can be', (width, height) => {
  const { x, radius } = moonPosition(view({ width, height }))
  if (width > 1000) expect(x - radius).toBeGreaterThan(312)
  expect(Math.abs(x - width / 2) - radius).toBeGreaterThan(width * 0.03)
})

describe('the disc of the moon', () => {
  const lit = (phase: number) => {
    let sum = 0
    let all = 0
    for (let x = -0.98; x < 1; x += 0.04) for (let y = -0.98; y < 1; y += 0.04) {
      if (Math.hypot(x, y) > 0.98) continue
      all += 1
      if (sunlight(x, y, phase) > 0.3) sum += 1
    }
    return sum / all
  }

  test('is lit on the right while it grows, on the left while it goes', () => {
    expect(sunlight(0.6, 0, 0.25)).toBeGreaterThan(0.6)
    expect(sunlight(-0.6, 0, 0.25)).toBe(0)
    expect(sunlight(-0.6, 0, 0.75)).toBeGreaterThan(0.6)
    expect(sunlight(0.6, 0, 0.75)).toBe(0)
  })

  test('is lit as far as the phase says', () => {
    expect(lit(0)).toBe(0)
    expect(lit(0.25)).toBeCloseTo(0.47, 1)
    expect(lit(0.5)).toBeGreaterThan(0.95)
    expect(sunlight(0, 0, 0.5)).toBeCloseTo(sunlight(0.8, 0.2, 0.5), 1)
  })

  test('has its seas where they are', () => {
    expect(albedo(0.46, 0.14)).toBeLessThan(albedo(-0.12, -0.68))
    expect(albedo(-0.3, 0.52)).toBeLessThan(albedo(0.3, -0.75))
  })
})

test('colours are mixed as the eye does it, and held at both ends', () => {
  const stops = [[0.2, [0.2, 0.05, 260]], [0.8, [0.8, 0.1, 60]]] as const
  expect(interpolate(stops, 0)).toEqual(rgb([0.2, 0.05, 260]))
  expect(interpolate(stops, 1)).toEqual(rgb([0.8, 0.1, 60]))
  expect(rgb([1, 0, 0]).map(Math.round)).toEqual([255, 255, 255])
})
