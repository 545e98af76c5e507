// @vitest-environment node
import { expect, test } from 'vitest'
import { clock } from './clock'

test.each([
  [0, '0:00'],
  [187_000, '3:07'],
  [3_729_000, '1:02:09'],
])('%d ms is %s', (ms, shown) => expect(clock(ms)).toBe(shown))
