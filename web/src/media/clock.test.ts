import { expect, test } from 'vitest'
import { clock, isOver, positionAt } from './clock'
import { readPlayer } from './read'

function player(state: Record<string, unknown>) {
  const read = readPlayer({ state: { title: 'x', playing: true, positionMs: 60_000, durationMs: 180_000, ...state } })
  if (!('kind' in read) || read.kind !== 'player') throw new Error('no player')
  return read
}

test('the clock runs from when it was told, and not beyond the end', () => {
  expect(positionAt(player({ at: 1000 }), 11_000)).toBe(70_000)
  expect(positionAt(player({ at: 1000 }), 500_000)).toBe(180_000)
  expect(isOver(player({ at: 1000 }), 500_000)).toBe(true)
})

test('it stands still while paused, and where the moment is not known', () => {
  expect(positionAt(player({ at: 1000, playing: false }), 11_000)).toBe(60_000)
  expect(positionAt(player({}), 11_000)).toBe(60_000)
  expect(isOver(player({}), 1e12)).toBe(false)
})

test.each([
  [0, '0:00'],
  [187_000, '3:07'],
  [3_729_000, '1:02:09'],
])('%d ms is %s', (ms, shown) => expect(clock(ms)).toBe(shown))
