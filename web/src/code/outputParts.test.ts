// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { outputParts, unescaped } from './outputParts'

const known = (path: string) => ['src/main.rs', 'a.py', 'web/app.ts', 'src/a-b.rs'].includes(path)
const found = (text: string) => outputParts(text, '/home/ada/tides', known).flatMap(({ location }) => (location ? [`${location.path} ${location.line}`] : []))

test.each([
  [' --> src/main.rs:5:23', ['src/main.rs 5']],
  ['  File "a.py", line 12, in <module>', ['a.py 12']],
  ['web/app.ts(3,1): error TS2322', ['web/app.ts 3']],
  ['/home/ada/tides/src/main.rs:9', ['src/main.rs 9']],
  ['./src/main.rs:2 and src/a-b.rs:3', ['src/main.rs 2', 'src/a-b.rs 3']],
  ['other/main.rs:5', []],
  ['/etc/passwd.conf:1', []],
  ['src/main.rs without a line, 12:30:05', []],
  ['src/main.rs:0', []],
])('%j names %j', (text, list) => expect(found(text)).toEqual(list))

test('nothing of the text is lost', () => {
  const text = 'before src/main.rs:5:23 between a.py:1 after'
  expect(outputParts(text, '/r', known).map((part) => part.text).join('')).toBe(text)
  expect(outputParts('', '/r', known)).toEqual([{ text: '' }])
})

test('a long line without a location is read in no time', () => {
  expect(found(`${'a/'.repeat(50_000)}:`)).toEqual([])
  expect(found('a.'.repeat(50_000))).toEqual([])
})

describe('what a terminal would act on', () => {
  test.each([
    ['\u001b[31merror\u001b[0m: no', 'error: no'],
    ['10 %\r50 %\r100 %\ndone', '100 %\ndone'],
    ['line\r\nnext\r\n', 'line\nnext\n'],
    ['\u001b]0;title\u0007text', 'text'],
    ['plain', 'plain'],
  ])('%j is read as %j', (text, plain) => expect(unescaped(text)).toBe(plain))
})
