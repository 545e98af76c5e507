// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { codeFiles } from '@/testkit/code'
import { ancestors, buildTree, marks, rowsOf, searched, tickOf, ticked } from './tree'

const FILES = codeFiles('README.md', 'src/main.rs', 'src/harbour/lisbon.rs', 'src/harbour/brest.rs', 'tests/tide10.rs', 'tests/tide9.rs', '.gitignore', 'constructor')
const tree = buildTree(FILES)
const lines = (...open: string[]) => rowsOf(tree, new Set(open)).map(({ path, depth }) => `${'  '.repeat(depth)}${path}`)

describe('the tree', () => {
  test('shows folders first, by name, and only what is open', () => {
    expect(lines()).toEqual(['src', 'tests', '.gitignore', 'constructor', 'README.md'])
    expect(lines('src')).toEqual(['src', '  src/harbour', '  src/main.rs', 'tests', '.gitignore', 'constructor', 'README.md'])
    // An open folder inside a closed one is not shown.
    expect(lines('src/harbour')).toEqual(lines())
  })

  test('counts as people do', () => expect(lines('tests').slice(1, 4)).toEqual(['tests', '  tests/tide9.rs', '  tests/tide10.rs']))

  test('tells each line its place', () => {
    const row = rowsOf(tree, new Set(['src'])).find(({ path }) => path === 'src/main.rs')
    expect(row).toMatchObject({ position: 2, of: 2, depth: 1, kind: 'file' })
  })

  test('of nothing has no lines', () => expect(rowsOf(buildTree([]), new Set())).toEqual([]))

  test('is searched by name', () => {
    expect(searched(FILES, 'lis').map(({ path }) => path)).toEqual(['src/harbour/lisbon.rs'])
    expect(searched(FILES, 'nothing like it')).toEqual([])
  })

  test.each([
    ['a.rs', []],
    ['src/a/b.rs', ['src', 'src/a']],
  ])('%s is reached through %j', (path, folders) => expect(ancestors(path)).toEqual(folders))

  test('marks what would change, and the folders that lead there', () => {
    const found = marks([{ path: 'src/harbour/lags.rs', kind: 'added' }, { path: 'src/main.rs', kind: 'deleted' }])
    expect([...found]).toEqual([['src/harbour/lags.rs', 'added'], ['src', 'changed'], ['src/harbour', 'changed'], ['src/main.rs', 'deleted']])
  })
})

describe('what she may change', () => {
  test.each([
    [[], 'src', 'all'],
    [['src'], 'src/main.rs', 'all'],
    [['src/harbour'], 'src', 'some'],
    [['src'], 'tests', 'none'],
    // A name with the same prefix is a different path.
    [['src'], 'src2', 'none'],
  ] as const)('with %j chosen, %s is ticked: %s', (chosen, path, tick) => expect(tickOf(path, chosen)).toBe(tick))

  test.each([
    ['a folder of all is left out', [], 'tests', ['.gitignore', 'README.md', 'constructor', 'src']],
    ['a file deep inside is left out, and what is beside it stays', ['src'], 'src/harbour/brest.rs', ['src/harbour/lisbon.rs', 'src/main.rs']],
    ['what was chosen itself goes', ['src', 'tests'], 'src', ['tests']],
    ['a folder of which some was chosen is chosen', ['src/main.rs'], 'src', ['src']],
    ['the last of a folder makes it whole', ['src/main.rs', 'src/harbour/brest.rs'], 'src/harbour/lisbon.rs', ['src']],
    ['the last of all makes it all', ['.gitignore', 'README.md', 'constructor', 'src'], 'tests', []],
  ])('%s', (_, chosen, path, after) => expect(ticked(tree, chosen, path)).toEqual(after))
})
