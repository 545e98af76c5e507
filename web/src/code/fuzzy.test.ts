// @vitest-environment node
import { expect, test } from 'vitest'
import { best, fuzzy } from './fuzzy'

const PATHS = ['src/store/index.ts', 'src/store/boot.ts', 'src/history/index.tsx', 'docs/stories.md', 'src/harbour/', 'web/src/chart/Chart.tsx', 'Cargo.toml', 'src/cargo/mod.rs']

test.each([
  ['stidx', 'src/store/index.ts'],
  ['index', 'src/store/index.ts'],
  ['har', 'src/harbour/'],
  ['chart', 'web/src/chart/Chart.tsx'],
  ['cargo', 'Cargo.toml'],
  ['store boot', 'src/store/boot.ts'],
  ['HISTORY', 'src/history/index.tsx'],
])('%j means %s first', (query, path) => {
  expect(best(PATHS, (text) => text, query, 3)[0]?.item).toBe(path)
})

test.each([
  ['ab', 'a/b', [0, 2]],
  ['b', 'b/b', [2]],
  ['', 'a', []],
  ['boot', 'src/store/boot.ts', [10, 11, 12, 13]],
])('%j in %s points at %j', (query, path, at) => expect(fuzzy(path, query)?.at).toEqual(at))

test.each(['zz', 'xedni', 'storez'])('%j is not found', (query) => expect(fuzzy('src/store/index.ts', query)).toBeNull())

test('with nothing typed all come, in their order', () => {
  expect(best(['b', 'a', 'c'], (text) => text, '  ', 2).map(({ item }) => item)).toEqual(['b', 'a'])
})

test('ten thousand paths are searched without a pause', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => `src/part${index % 100}/module${index}.rs`)
  expect(best(many, (text) => text, 'p7m4207', 5)[0]?.item).toBe('src/part7/module4207.rs')
})
