import { expect, test } from 'vitest'
import { spoken } from './Announcer'

test.each([
  ['## The **moon**', 'The moon'],
  ['- one\n- two', 'one\ntwo'],
  ['See [this](https://example.org/a_b) and ![that](x.png).', 'See this and that.'],
  ['```rust\nlet a = 1;\n```', 'let a = 1;'],
  ['[not a link] (at all)', '[not a link] (at all)'],
])('%j is heard as %j', (text, heard) => expect(spoken(text)).toBe(heard))

test.each([['['], ['[x]('], ['![a]'], ['\n'], [' '], ['`'], ['[a\n']])('a great many of %j are no burden', (sign) => {
  const began = performance.now()
  spoken(sign.repeat(100_000))
  expect(performance.now() - began).toBeLessThan(1000)
})
