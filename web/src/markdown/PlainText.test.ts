import { expect, test } from 'vitest'
import { pieces } from './PlainText'

test('what a person types keeps its shape, but for fenced code', () => {
  expect(pieces('# not a heading\n- not a list\n```ts\nconst a = 1\n```\nafter')).toEqual([
    { kind: 'text', text: '# not a heading\n- not a list' },
    { kind: 'code', text: 'const a = 1', language: 'ts' },
    { kind: 'text', text: 'after' },
  ])
  expect(pieces('no code here')).toEqual([{ kind: 'text', text: 'no code here' }])
  expect(pieces('```\nnever closed\n')).toEqual([{ kind: 'code', text: 'never closed\n', language: '' }])
  expect(pieces('')).toEqual([])
})
