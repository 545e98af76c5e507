import { expect, test } from 'vitest'
import { leave } from './leave'

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '/spotify', ''])('%j is not followed', (url) => {
  const before = window.location.href
  expect(() => leave(url)).toThrow(/not opened/)
  expect(window.location.href).toBe(before)
})

test('an address of the web is', () => {
  const there = `${window.location.origin}/#there`
  leave(there)
  expect(window.location.href).toBe(there)
})
