// @vitest-environment node
import { expect, test } from 'vitest'
import { changed, hunk, proposal } from '@/testkit/code'
import { allChanges, allOrNone, applyRequest, changeKey, type Choices, withChoice } from './choices'

const TWO = changed('a.rs', [hunk(1, 1, '+x'), hunk(2, 9, '-y')])
const ONE = changed('b.rs', [hunk(7, 1, '+z')])
const PICTURE = changed('moon.png', [], { kind: 'binary' })
const PROPOSAL = proposal('p', [TWO, ONE, PICTURE])
const no = (...keys: string[]): Choices => Object.fromEntries(keys.map((key) => [key, 'no' as const]))

test.each([
  ['nothing was said', {}, {}],
  ['a hunk is left out', no(changeKey('a.rs', 2)), { files: [{ path: 'a.rs', hunks: [1] }, { path: 'b.rs' }, { path: 'moon.png' }] }],
  ['a file is left out', no(changeKey('b.rs', 7)), { files: [{ path: 'a.rs' }, { path: 'moon.png' }] }],
  ['a file without hunks is left out', no(changeKey('moon.png', null)), { files: [{ path: 'a.rs' }, { path: 'b.rs' }] }],
  ['everything is left out', no(...allChanges(PROPOSAL).map(({ key }) => key)), null],
  ['everything was said yes to', withChoice({}, allChanges(PROPOSAL), 'yes'), {}],
])('where %s, what is sent says so', (_, choices, request) => expect(applyRequest(PROPOSAL, choices)).toEqual(request))

test.each([
  ['is taken as it is written', {}, { files: [{ path: 'a.rs', hunks: [1], edited: [{ id: 2, text: 'mine\n' }] }, { path: 'b.rs' }, { path: 'moon.png' }] }],
  ['and left out is not sent', no(changeKey('a.rs', 2)), { files: [{ path: 'a.rs', hunks: [1] }, { path: 'b.rs' }, { path: 'moon.png' }] }],
])('a hunk that somebody wrote anew %s', (_, choices, request) => expect(applyRequest(PROPOSAL, choices, { [changeKey('a.rs', 2)]: 'mine\n' })).toEqual(request))

test('a file is taken as a whole, and left out as a whole', () => {
  const all = allOrNone(no(changeKey('a.rs', 2)), TWO)
  expect(all).toEqual({ [changeKey('a.rs', 1)]: 'yes', [changeKey('a.rs', 2)]: 'yes' })
  expect(Object.values(allOrNone(all, TWO))).toEqual(['no', 'no'])
  // Changes without a choice are taken, too.
  expect(Object.values(allOrNone({}, TWO))).toEqual(['no', 'no'])
})

test('paths with spaces and numbers are told apart', () => {
  expect(changeKey('1 a.rs', null)).not.toBe(changeKey('a.rs', 1))
})
