// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { fields, lines, link, list, no, number, pick, partialList, unquoted, textOf, yes } from './lenient'

describe('a number', () => {
  test.each([
    [3, 3],
    [-0.5, -0.5],
    ['3', 3],
    [' 12 % ', 12],
    ['1,200.5', 1200.5],
    ['$3', 3],
    ['€ 120', 120],
    ['−4', -4],
    ['1e3', 1000],
    ['17 °C', 17],
    [1e308, 1e308],
    ['NaN', null],
    ['Infinity', null],
    ['1e999', null],
    [NaN, null],
    [Infinity, null],
    ['', null],
    ['12 apples', null],
    ['1,2,3', null],
    ['0x10', null],
    ['9'.repeat(5000), null],
    [true, null],
    [null, null],
    [[3], null],
    [{ valueOf: () => 3 }, null],
  ])('%j is read as %j', (value, read) => expect(number(value)).toBe(read))
})

describe('words', () => {
  test.each([
    ['  two words ', 'two words'],
    [0, '0'],
    [false, 'no'],
    [NaN, ''],
    [null, ''],
    [undefined, ''],
    [['a', 2, null, ['deep']], 'a, 2'],
    [{ text: 'inside' }, 'inside'],
    [{ text: { text: 'too deep' } }, ''],
    [{}, ''],
    [() => 'code', ''],
    ['<b>kept as it is</b>', '<b>kept as it is</b>'],
  ])('of %j are %j', (value, read) => expect(textOf(value)).toBe(read))

  test('end where they become too long, and never inside of a character', () => {
    expect(textOf('a'.repeat(50), 10)).toBe(`${'a'.repeat(10)}…`)
    expect(textOf(`${'a'.repeat(9)}🌙🌙`, 10)).toBe(`${'a'.repeat(9)}…`)
  })
})

describe('an address', () => {
  test.each([
    ['https://example.org/a b', 'https://example.org/a%20b'],
    ['http://example.org', 'http://example.org/'],
    ['javascript:alert(1)', null],
    ['JaVaScRiPt:alert(1)', null],
    [' \u0001javascript:alert(1)', null],
    ['data:text/html,<script>alert(1)</script>', null],
    ['file:///etc/passwd', null],
    ['//evil.example', null],
    ['/api/auth/logout', null],
    ['https://user:password@example.org', null],
    ['mailto:a@b.example', null],
    [7, null],
    ['https://', null],
  ])('%j becomes %j', (value, read) => expect(link(value)).toBe(read))
})

test('only an object’s own fields count', () => {
  expect(pick(fields({}), 'constructor', '__proto__', 'toString')).toBeUndefined()
  expect(pick(fields(JSON.parse('{"__proto__": {"title": "x"}}')), 'title')).toBeUndefined()
  expect(pick(fields({ a: null, b: 0 }), 'a', 'b')).toBe(0)
  expect(fields([1])).toBeNull()
})

test('a list is found where models put it', () => {
  expect(list([1, 2])).toEqual([1, 2])
  expect(list({ items: [1] }, 'items')).toEqual([1])
  expect(list('["a"]')).toEqual(['a'])
  expect(list('one\n\n two ')).toEqual(['one', 'two'])
  expect(list({ items: { length: 3 } }, 'items')).toEqual([])
  expect(list(null)).toEqual([])
  expect(lines(['a', '', null, { text: 'b' }])).toEqual({ shown: ['a', 'b'], more: 0, unread: 0 })
})

test('beyond the cap things are counted, not read', () => {
  let asked = 0
  const read = partialList(new Array(10_000).fill('x'), 5, (value) => {
    asked += 1
    return value
  })
  expect(read).toEqual({ shown: ['x', 'x', 'x', 'x', 'x'], more: 9995, unread: 0 })
  expect(asked).toBe(5)
})

test('what makes no sense is counted, and what is empty is not', () => {
  expect(lines(['a', {}, ' ', null, [], 'b'])).toEqual({ shown: ['a', 'b'], more: 0, unread: 2 })
})

test('quoted JSON is read once, and broken JSON stays text', () => {
  expect(unquoted('{"a":1}')).toEqual({ a: 1 })
  expect(unquoted('{"a":')).toBe('{"a":')
  expect(unquoted('"[1]"')).toBe('"[1]"')
  expect([yes('Done'), yes(1), yes('no'), yes({})]).toEqual([true, true, false, false])
  expect([no(false), no('False '), no(0), no('off'), no(undefined), no(null), no('')]).toEqual([true, true, true, true, false, false, false])
})
