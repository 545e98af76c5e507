// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { isProblem } from './lenient'
import { read, type Widget } from './read'
import { csv, readTable, sorted } from './read/table'
import { readChart, pieSlices } from './read/chart'
import { readCompare, readFormula, readSteps } from './read/lists'
import { SAMPLES } from './samples'

const KINDS = ['steps', 'summary', 'compare', 'timeline', 'formula', 'tabs', 'flashcards', 'checklist', 'table', 'chart', 'emails', 'interactive', 'model3d']
const ACTIONS = ['map', 'scene', 'spotify', 'web_search', 'web_fetch', 'web_research', 'weather', 'notify', 'open', 'pictures']

function content(action: string, payload: unknown): Widget {
  const shown = read(action, payload)
  if (isProblem(shown)) throw new Error(shown.problem)
  return shown.content
}

describe('each sample', () => {
  test.each(SAMPLES.map((sample) => [sample.name, sample] as const))('is read: %s', (_, { action, payload }) => {
    expect(isProblem(read(action, payload))).toBe(false)
  })

  test('there is one of every kind', () => {
    const types = SAMPLES.filter(({ action }) => action === 'widget').map(({ payload }) => payload['type'])
    expect(new Set(types)).toEqual(new Set(KINDS))
    expect(new Set(SAMPLES.map(({ action }) => action))).toEqual(new Set(['widget', ...ACTIONS]))
  })
})

const deep = (levels: number): unknown => Array.from({ length: levels }).reduce<unknown>((inner) => [{ text: inner, items: inner, title: inner, data: inner }], 'x')
const LONG = 'x'.repeat(200_000)
const EVERY_FIELD = [
  'title', 'text', 'data', 'items', 'rows', 'columns', 'series', 'values', 'x', 'points', 'latex', 'variables', 'html', 'shapes', 'lat', 'lon', 'markers',
  'route', 'state', 'trouble', 'results', 'url', 'summary', 'sources', 'current', 'days', 'target', 'kind', 'type', 'position', 'size', 'color', 'temperature',
]
const full = (value: unknown) => Object.fromEntries(EVERY_FIELD.map((name) => [name, value]))

const HOSTILE: [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a number', 17],
  ['not a number', NaN],
  ['true', true],
  ['an empty text', ''],
  ['an empty list', []],
  ['an empty object', {}],
  ['a list of nulls', [null, null]],
  ['lists in lists', [[[[]]]]],
  ['a list of functions', [() => 1]],
  ['a text of code', '<script>alert(1)</script>'],
  ['a very long text', LONG],
  ['ten thousand texts', new Array(10_000).fill('a row')],
  ['ten thousand objects', new Array(10_000).fill({ title: 'a', text: 'b', front: 'c', back: 'd', lat: 1, lon: 2, kind: 'box', url: 'https://example.org' })],
  ['a hundred levels', deep(12)],
  ['a prototype', JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}')],
  ['something that pretends to be a list', { length: 1e9, 0: 'x' }],
  ['enormous numbers', { lat: 1e300, lon: -1e300, values: [1e308, -1e308, '1e999'], size: [1e300, 1e-300, 0], series: [{ values: [1e308, 1e308] }] }],
  ['numbers as words', { lat: 'NaN', lon: 'Infinity', x: ['NaN'], series: [{ values: ['NaN', '-Infinity', 'null'] }] }],
  ['every field a null', full(null)],
  ['every field a number', full(-1)],
  ['every field a text', full('javascript:alert(1)')],
  ['every field a list', full([1, 'a', null, [], {}])],
  ['every field an object', full({ text: 'x', 0: 'y' })],
]

describe('whatever comes', () => {
  const cases = HOSTILE.flatMap(([name, value]) => [...KINDS.map((kind) => [kind, name, value] as const), ...ACTIONS.map((kind) => [kind, name, value] as const)])
  test.each(cases)('%s from %s is shown or refused, and nothing else', (kind, _, value) => {
    const payload = KINDS.includes(kind) ? { type: kind, data: value } : value
    const shown = read(KINDS.includes(kind) ? 'widget' : kind, payload)
    if (isProblem(shown)) expect(shown.problem).toMatch(/^[A-Z].*\.$/)
    else {
      const text = JSON.stringify(shown)
      expect(text).not.toMatch(/:(?:NaN|Infinity)/)
      // The rendered part stays small, however much was sent.
      expect(text.length).toBeLessThan(4_000_000)
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('an unknown kind is named', () => {
    expect(read('widget', { type: 'hologram', data: [] })).toEqual({ problem: 'There is no kind of widget named “hologram”.' })
    expect(read('constructor', {})).toEqual({ problem: 'Nothing can be shown for “constructor”.' })
    expect(read('widget', { type: 'constructor', data: [] })).toHaveProperty('problem')
  })

  test('a picture is nothing but pixels', () => {
    const data = 'iVBORw0KGgo='
    const pictures = [{ mime: 'image/png', data }, { mime: 'image/svg+xml', data }, { mime: 'image/png', data: '"><script>' }, { mime: 'image/png;x', data }]
    const shown = content('pictures', { pictures })
    expect(shown.kind === 'pictures' && shown.pictures).toEqual({ shown: [`data:image/png;base64,${data}`], more: 0, unread: 3 })
  })

  test('links lead to the web or nowhere', () => {
    const urls = ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'https://example.org/']
    const results = content('web_search', { query: 'q', results: urls.map((url) => ({ title: 't', url, text: '' })) })
    expect(results.kind === 'search' && results.results.shown.map(({ url }) => url)).toEqual([null, null, null, 'https://example.org/'])
    const opened = content('open', { target: 'javascript:alert(1)', kind: 'url', opened: false, url: 'javascript:alert(1)' })
    expect(opened.kind === 'opened' && opened.url).toBeNull()
    const player = content('spotify', { state: { title: 't', coverUrl: 'https://elsewhere.example/cover.png' } })
    expect(player.kind === 'player' && player.cover).toBeNull()
  })
})

describe('the forms that are accepted', () => {
  test('steps: words, numbered words, a text of lines, an object around them', () => {
    const titles = (data: unknown) => {
      const steps = readSteps(data)
      return isProblem(steps) ? [] : steps.steps.shown.map(({ title }) => title)
    }
    expect(titles(['one', '2. two', { title: 'three' }, { text: 'four' }, null])).toEqual(['one', 'two', 'three', 'four'])
    expect(titles('one\ntwo')).toEqual(['one', 'two'])
    expect(titles({ steps: ['one'] })).toEqual(['one'])
    expect(titles('["one"]')).toEqual(['one'])
  })

  test('steps are what a widget without a type is', () => {
    expect(content('widget', { data: ['a'] }).kind).toBe('steps')
  })

  test('more than can be shown is counted', () => {
    const steps = readSteps(new Array(1000).fill('step'))
    expect(!isProblem(steps) && steps.steps.more).toBe(800)
  })

  test('a formula loses its dollar signs', () => {
    expect(readFormula('$$x^2$$')).toMatchObject({ latex: 'x^2' })
    expect(readFormula({ latex: '\\[a\\]', variables: { a: 'one' } })).toMatchObject({ latex: 'a', variables: { shown: [{ name: 'a', meaning: 'one' }] } })
  })

  test('a comparison with columns is a table, however its rows are written', () => {
    expect(readCompare({ columns: ['A', 'B'], rows: [{ label: 'x', values: [1, 2, 3] }, ['y', 4]] })).toMatchObject({
      kind: 'compareTable',
      rows: { shown: [{ label: 'x', values: ['1', '2'] }, { label: 'y', values: ['4', ''] }] },
    })
  })

  test('a comparison says how much of it is left out, and keeps its columns apart where one has no name', () => {
    expect(readCompare({ columns: Array.from({ length: 11 }, (_, index) => `c${index}`), rows: [['x', 1], {}] })).toMatchObject({ moreColumns: 3, rows: { unread: 1 } })
    expect(readCompare({ columns: ['A', '', 'C'], rows: [['x', 1, 2, 3]] })).toMatchObject({ columns: ['A', '', 'C'], rows: { shown: [{ values: ['1', '2', '3'] }] } })
  })
})

describe('a table', () => {
  const table = (data: unknown) => {
    const made = readTable(data)
    if (isProblem(made)) throw new Error(made.problem)
    return made
  }

  test('of objects has the columns of all of them', () => {
    const made = table([{ a: 1 }, { b: 2, a: null }])
    expect(made.columns.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(made.rows.map((row) => row.map(({ text }) => text))).toEqual([['1', ''], ['', '2']])
  })

  test('knows which columns are numbers', () => {
    const made = table({ columns: ['name', 'size', 'mixed', 'empty'], rows: [['a', 1, 1, null], ['b', '2,000', 'x', null]] })
    expect(made.columns.map(({ numeric }) => numeric)).toEqual([false, true, false, false])
  })

  test('keeps values under their heads where a column has no name', () => {
    const made = table({ columns: ['', 'Mon', null, 'Wed'], rows: [['sun', 1, 2, 3]] })
    expect(made.columns.map(({ name }) => name)).toEqual(['', 'Mon', '', 'Wed'])
    expect(made.rows[0]?.map(({ text }) => text)).toEqual(['sun', '1', '2', '3'])
  })

  test('whose first row gives the names drops no other', () => {
    const made = table([['a', 'b'], { b: 2, a: 1 }, [3, 4], 5])
    expect(made.rows.map((row) => row.map(({ text }) => text))).toEqual([['1', '2'], ['3', '4'], ['5', '']])
  })

  test('is copied in the words that came, unless they came as numbers', () => {
    const made = table({ columns: ['grade', 'price', 'n'], rows: [['3F', '$1,200', 1234567.5], ['4C', '12 %', 7]] })
    expect(csv(made)).toBe('grade,price,n\n3F,"$1,200",1234567.5\n4C,12 %,7')
  })

  test('is cut at ten thousand rows and forty columns, and says so', () => {
    const made = table({ columns: Array.from({ length: 60 }, (_, index) => `c${index}`), rows: new Array(12_000).fill([1]) })
    expect([made.rows.length, made.moreRows, made.columns.length, made.moreColumns]).toEqual([10_000, 2000, 40, 20])
  })

  test('is sorted by value, with what is empty last either way', () => {
    const { rows } = table({ columns: ['n'], rows: [[10], [9], [null], [-1]] })
    const order = (down: boolean) => sorted(rows, 0, down).map(([cell]) => cell?.text)
    expect(order(false)).toEqual(['-1', '9', '10', ''])
    expect(order(true)).toEqual(['10', '9', '-1', ''])
  })

  test('is copied without formulas for a spreadsheet to run', () => {
    const made = table({ columns: ['a', 'n'], rows: [['=HYPERLINK("x")', -1200.5], ['say "hi", twice', null], ['-5', 3]] })
    expect(csv(made)).toBe('a,n\n"\'=HYPERLINK(""x"")",-1200.5\n"say ""hi"", twice",\n-5,3')
  })
})

describe('a chart', () => {
  const chart = (data: unknown) => {
    const made = readChart(data)
    if (isProblem(made)) throw new Error(made.problem)
    return made
  }

  test('along numbers stands in their order', () => {
    expect(chart({ kind: 'scatter', x: [3, 1, 2], series: [{ values: [30, 10, 20] }] })).toMatchObject({ x: { numbers: [1, 2, 3] }, series: [{ values: [10, 20, 30] }] })
  })

  test('without names under it counts its places', () => {
    expect(chart({ series: [{ values: [5, 'NaN', '7'] }] })).toMatchObject({ chart: 'line', x: { labels: ['1', '2', '3'] }, series: [{ values: [5, null, 7] }] })
  })

  test.each([[{ series: [1, 2] }], [{ values: [1, 2] }], [{ series: [[1, 2]] }], [{ datasets: [{ data: [1, 2] }] }]])('reads %j', (data) => {
    expect(chart(data).series[0]?.values).toEqual([1, 2])
  })

  test('with too many points or series is cut, and says so', () => {
    const made = chart({ series: Array.from({ length: 12 }, () => ({ values: new Array(30_000).fill(1) })) })
    expect([made.series.length, made.moreSeries, made.series[0]?.values.length, made.morePoints]).toEqual([8, 4, 10_000, 20_000])
  })

  test('of a pie has its largest slices, and the rest in one', () => {
    const parts = pieSlices(chart({ kind: 'pie', x: [...'abcdefghij'], series: [{ values: [1, 2, 3, 4, 5, 6, 7, 8, 9, -5] }] }))
    expect(parts.map(({ name }) => name)).toEqual(['i', 'h', 'g', 'f', 'e', 'd', 'c', '2 others'])
    expect(parts.reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(1)
  })
})
