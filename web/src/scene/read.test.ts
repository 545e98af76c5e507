// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { isProblem } from '@/widgets/lenient'
import { readScene, type Shape } from './read'

function only(shape: unknown): Shape | undefined {
  const scene = readScene({ shapes: [shape] })
  return isProblem(scene) ? undefined : scene.shapes.shown[0]
}

describe('a shape', () => {
  test.each([
    ['a cube by its name alone', 'cube', { kind: 'box', size: [1, 1, 1], position: [0, 0, 0] }],
    ['one number for its size', { kind: 'sphere', size: 2 }, { size: [2, 2, 2] }],
    ['a size of three', { kind: 'box', size: [1, '2', null] }, { size: [1, 2, 1] }],
    ['a flat size of two', { kind: 'plane', size: [4, 6] }, { size: [4, 1, 6] }],
    ['a position by names', { type: 'cone', position: { x: 1, z: -2 } }, { position: [1, 0, -2] }],
    ['a colour word', { kind: 'box', color: 'Tomato' }, { colour: '#ff6347' }],
    ['a short colour', { kind: 'box', color: '#abc' }, { colour: '#aabbcc' }],
    ['a colour that is none', { kind: 'box', color: 'url(https://evil.example)' }, { colour: null }],
    ['a colour from the prototype', { kind: 'box', color: 'constructor' }, { colour: null }],
    ['sizes beyond sense', { kind: 'box', size: [1e300, -4, NaN], position: [1e9, 0, 0] }, { size: [10_000, 0.001, 1], position: [10_000, 0, 0] }],
  ])('is read from %s', (_, given, wanted) => expect(only(given)).toMatchObject(wanted))

  test.each([['a dragon'], ['constructor'], [{ kind: '__proto__' }], [null], [7]])('is none: %j', (given) => expect(only(given)).toBeUndefined())
})

test('a scene that came as text is read', () => {
  expect(readScene('{"shapes":["cube","cone"],"turntable":false}')).toMatchObject({ shapes: { shown: [{ kind: 'box' }, { kind: 'cone' }] }, turntable: false })
})

test('a scene turns unless it is told not to, and is cut at three hundred shapes', () => {
  expect(readScene({ shapes: ['box'] })).toMatchObject({ turntable: true })
  expect(readScene({ shapes: ['box'], turntable: false })).toMatchObject({ turntable: false })
  expect(readScene({ shapes: ['box'], turntable: 'false' })).toMatchObject({ turntable: false })
  expect(readScene({ shapes: ['box', 'a dragon'] })).toMatchObject({ shapes: { unread: 1 } })
  expect(readScene({ shapes: new Array(1000).fill('box') })).toMatchObject({ shapes: { more: 700 } })
})
