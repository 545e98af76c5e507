// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { labelWords, readLabels } from './labels'
import { targetOf } from './forgetSlice'
import { curve } from './ConfidenceMeter'
import { day } from './factChanges'
import { different, endOf, fading, formatName, listed, partName, placeWords, span, sureness, until } from './wording'

describe('words for what she knows', () => {
  test.each([
    [1, '1 day'], [30, '30 days'], [90, '3 months'], [365, '12 months'], [730, '2 years'],
  ])('%i days are %s', (days, words) => expect(span(days)).toBe(words))

  test.each([
    [{ what: 'subject', from: '', to: 'Anna' }, 'About Anna instead of you'],
    [{ what: 'category', from: 'health', to: 'preference' }, 'Taste instead of Health'],
    [{ what: 'private', to: true }, 'Private now'],
    [{ what: 'expiry', from: '2026-11-20T12:00:00Z', to: null }, 'No end date now'],
  ] as const)('%o is told', (difference, words) => expect(different(difference, new Date('2026-11-16T12:00:00Z'))).toBe(words))

  test.each([[1, 'Sure'], [0.7, 'Quite sure'], [0.4, 'Not sure'], [0.1, 'Nearly faded']])('%f is %s', (confidence, words) => expect(sureness(confidence)).toBe(words))

  test.each(['constructor', '__proto__', 'toString'])('%s is no place, part or format of its own', (name) => {
    expect(placeWords(name, 2)).toBe(`${name}: 2`)
    expect(partName(name)).toBe(name)
    expect(formatName(name)).toBe(name)
  })

  const now = new Date(2026, 10, 16)

  test('say until when it holds, and do not say that it stays', () => {
    expect(until('2026-11-20', now)).toBe('until November 20')
    expect(until('2027-01-02', now)).toBe('until January 2, 2027')
    expect(fading(null, null, now)).toBe('Does not fade')
    expect(fading(null, '2026-11-20', now)).toBe('Valid until November 20')
    expect(fading(90, '2026-11-20', now)).toBe('Half of that fades in 3 months unless it comes up again; valid until November 20')
  })

  test('take the earlier of two ends, and no end that is no day', () => {
    expect(endOf({ expiresAt: '2026-12-01', validTo: '2026-11-20T10:00:00Z' })).toBe('2026-11-20T10:00:00Z')
    expect(endOf({ expiresAt: 'never', validTo: null })).toBeNull()
  })

  test('name the day of a moment as the reader has it', () => {
    expect(day(new Date(2026, 10, 20).toISOString())).toBe('2026-11-20')
    expect([day('2026-11-20'), day(null), day('never')]).toEqual(['2026-11-20', '', ''])
  })

  test('make a list as people do', () => {
    expect([listed([]), listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c'])]).toEqual(['', 'a', 'a and b', 'a, b and c'])
  })
})

test.each([
  ['garden', 'garden'],
  [3, '3'],
  [false, 'false'],
  [null, 'none'],
  [['sun', 'shade'], 'sun, shade'],
  [{ from: 2024, in: ['a', 'b'] }, 'from: 2024, in: a, b'],
  ['x'.repeat(100), `${'x'.repeat(80)}…`],
])('the label %j reads %s', (value, words) => expect(labelWords(value)).toBe(words))

describe('the meter', () => {
  const heights = (path: string) => path.slice(1).split(' L').map((point) => Number(point.split(' ')[1]))

  test('falls for what fades, and stays for what does not', () => {
    const falling = heights(curve(0.9, 30))
    expect(falling.every((height, at) => at === 0 || height >= (falling[at - 1] ?? 0))).toBe(true)
    expect(falling.at(-1)).toBeGreaterThan(falling[0] ?? 0)
    expect(new Set(heights(curve(0.9, null))).size).toBe(1)
  })

  test('lies on the ground once a fact has ended', () => {
    const ending = heights(curve(0.9, null, 100))
    expect([ending[0], ending.at(-1)]).toEqual([heights(curve(0.9, null))[0], 16])
  })

  test('stays within its bounds, whatever comes', () => {
    for (const half of [0, -5, 1e9, null]) for (const height of heights(curve(1, half))) expect(height >= 0 && height <= 16).toBe(true)
  })
})

test.each([
  ['fact', { fact: 'x' }],
  ['message', { message: 'x' }],
  ['summary', { words: 'said' }],
  ['file', { words: 'said' }],
  ['entry', { words: 'said' }],
] as const)('a %s that was remembered is forgotten by the right name', (kind, target) => expect(targetOf({ kind, id: 'x', text: 'said' })).toEqual(target))

test.each([
  ['', {}], [' ', {}], ['{"a":1}', { a: 1 }], ['[1]', null], ['"a"', null], ['null', null], ['{', null],
])('labels %j are read as %j', (text, labels) => expect(readLabels(text)).toEqual(labels))
