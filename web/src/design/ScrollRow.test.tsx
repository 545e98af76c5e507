import '@/testkit/browser'
import { act as settle } from 'react'
import { afterEach, expect, test } from 'vitest'
import { clear, draw } from '@/testkit/draw'
import { hiddenEnds, ScrollRow } from './ScrollRow'

afterEach(clear)

test.each([
  ['fits', 0, 300, 'none'],
  ['fits but for a pixel', 0, 301, 'none'],
  ['goes on at its end', 0, 500, 'end'],
  ['goes on at both', 100, 500, 'both'],
  ['came to its end', 200, 500, 'start'],
  ['is read from the right', -200, 500, 'start'],
] as const)('a row that %s fades there', (_, scrollLeft, scrollWidth, fade) => {
  expect(hiddenEnds({ scrollLeft, scrollWidth, clientWidth: 300 })).toBe(fade)
})

test('its fading follows the hand', async () => {
  await draw(<ScrollRow label="Kinds">{null}</ScrollRow>)
  const row = document.querySelector<HTMLElement>('[aria-label=Kinds]')
  if (!row) throw new Error('there is no row')
  expect(row.dataset['fade']).toBe('none')
  Object.defineProperties(row, { scrollWidth: { value: 500 }, clientWidth: { value: 300 }, scrollLeft: { value: 50 } })
  await settle(async () => void row.dispatchEvent(new Event('scroll')))
  expect(row.dataset['fade']).toBe('both')
})
