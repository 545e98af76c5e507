// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importCycle, importsOf } from '@/testkit/imports'

const SRC = join(process.cwd(), 'src')
const paths = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
const sources = new Map(paths.filter((path) => /\.tsx?$/.test(path)).map((path) => [path, readFileSync(join(SRC, path), 'utf8')]))

test('no file imports itself by way of others, not even for a type or on demand', () => {
  expect(sources.size).toBeGreaterThan(500)
  expect(importCycle(sources)).toBeNull()
})

test('no part of a store imports a store', () => {
  const slices = [...sources.keys()].filter((path) => /slice\.ts$/i.test(path))
  expect(slices.length).toBeGreaterThan(30)
  for (const slice of slices) expect(importsOf(slice, sources).filter((path) => /(?:^|\/)(?:store\/index|store\/state|store|use\w+Store)\.ts$/.test(path))).toEqual([])
})

describe('an import', () => {
  const of = (source: string) => importsOf('a/a.ts', new Map([['a/a.ts', source], ['a/b.tsx', ''], ['b/index.ts', ''], ['a/index.ts', ''], ['a/c/d.ts', '']]))

  test.each([
    ["import { b } from './b'", 'a/b.tsx'],
    ["import type { B } from './b'", 'a/b.tsx'],
    ["import {\n  b,\n  type B,\n} from '@/a/b'", 'a/b.tsx'],
    ["import './b'", 'a/b.tsx'],
    ["export * from '../b'", 'b/index.ts'],
    ["import { index } from '.'", 'a/index.ts'],
    ["const Part = part(() => import('./c/d'))", 'a/c/d.ts'],
    ["type D = typeof import('@/a/c/d')", 'a/c/d.ts'],
  ])('is found in %j', (source, path) => expect(of(source)).toEqual([path]))

  test.each(["import { useState } from 'react'", "import x from '@scope/b'", "import './a.css'", "const from = './b'"])('of no other file is found in %j', (source) =>
    expect(of(source)).toEqual([]),
  )

  test('that leads back is found, however long the way', () => {
    const files = new Map([
      ['a.ts', "import './b'"],
      ['b.ts', "import './c'\nimport './d'"],
      ['c.ts', ''],
      ['d.ts', "import type { B } from './b'"],
    ])
    expect(importCycle(files)).toEqual(['b.ts', 'd.ts', 'b.ts'])
    expect(importCycle(new Map([...files, ['d.ts', "import './c'"]]))).toBeNull()
  })
})
