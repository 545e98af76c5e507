// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { moonAt, moonName } from './moon'

const HOUR = 3_600_000

/** Published times of the moon's phases, in UTC. */
const NEW = ['2000-01-06T18:14Z', '2017-08-21T18:30Z', '2024-04-08T18:21Z', '2025-03-29T10:58Z', '2026-02-17T12:01Z', '2026-08-12T17:37Z', '2027-08-02T10:05Z']
const FULL = ['2000-01-21T04:40Z', '2018-01-31T13:27Z', '2019-01-21T05:16Z', '2022-11-08T11:02Z', '2024-09-18T02:34Z', '2025-03-14T06:55Z', '2026-03-03T11:38Z', '2026-08-28T04:18Z']
const FIRST_QUARTER = ['2024-04-15T19:13Z', '2026-11-17T11:48Z']
const LAST_QUARTER = ['2024-05-01T11:27Z', '2026-11-01T20:28Z']

/** Returns the difference in hours between the computed and the expected phase. */
function hoursOff(at: string, phase: number): number {
  const difference = moonAt(new Date(at)).phase - phase
  return Math.abs(difference - Math.round(difference)) * 29.53 * 24
}

describe('the moon', () => {
  test.each([
    ...NEW.map((at) => [at, 0] as const),
    ...FIRST_QUARTER.map((at) => [at, 0.25] as const),
    ...FULL.map((at) => [at, 0.5] as const),
    ...LAST_QUARTER.map((at) => [at, 0.75] as const),
  ])('stands at %s where the almanac has it', (at, phase) => {
    expect(hoursOff(at, phase)).toBeLessThan(1)
  })

  test('is dark when new, whole when full, and half between', () => {
    for (const at of NEW) expect(moonAt(new Date(at)).lit).toBeLessThan(0.01)
    for (const at of FULL) expect(moonAt(new Date(at)).lit).toBeGreaterThan(0.99)
    for (const at of [...FIRST_QUARTER, ...LAST_QUARTER]) expect(moonAt(new Date(at)).lit).toBeCloseTo(0.5, 1)
  })

  test('grows until it is full, and its age counts from when it was new', () => {
    const begun = Date.parse('2026-08-12T17:37Z')
    for (let day = 0.5; day < 29; day += 0.5) {
      const moon = moonAt(new Date(begun + day * 24 * HOUR))
      expect(moon.age).toBeCloseTo(day, 1)
      expect(moon.waxing).toBe(day < (Date.parse('2026-08-28T04:18Z') - begun) / 24 / HOUR)
    }
  })

  test('has its names by the day', () => {
    expect(NEW.map((at) => moonName(moonAt(new Date(at))))).toEqual(NEW.map(() => 'New moon'))
    expect(FULL.map((at) => moonName(moonAt(new Date(at))))).toEqual(FULL.map(() => 'Full moon'))
    const named = (at: string) => moonName(moonAt(new Date(at)))
    expect(['2026-08-15T20:00Z', '2026-11-17T12:00Z', '2026-11-21T20:00Z', '2026-11-28T20:00Z', '2026-11-01T20:00Z', '2026-11-06T20:00Z'].map(named)).toEqual([
      'Waxing crescent', 'First quarter', 'Waxing gibbous', 'Waning gibbous', 'Last quarter', 'Waning crescent',
    ])
  })
})
