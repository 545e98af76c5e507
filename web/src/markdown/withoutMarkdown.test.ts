// @vitest-environment node
import { expect, test } from 'vitest'
import { withoutMarkdown } from './withoutMarkdown'

test.each([
  ['I love **dark chocolate**, *really*, and ~~not~~ `coriander`.', 'I love dark chocolate, really, and not coriander.'],
  ['# Harbour\n\nBerth **twelve**.\n', 'Harbour\nBerth twelve.'],
  ['- one\n- two\n  - three', 'one\ntwo\nthree'],
  ['1. FC Köln is my club', '1. FC Köln is my club'],
  ['3. three\n4. four', '3. three\n4. four'],
  ['- [ ] buy milk', 'buy milk'],
  ['| a | b |\n|---|---|\n| 1 | **2** |', 'a · b\n1 · 2'],
  ['> quoted\n> on', 'quoted on'],
  ['see [the map](https://example.org) and ![a cat](cat.png)', 'see the map and a cat'],
  ['```rust\nlet a = 1;\n```', 'let a = 1;'],
  ['snake_case and 2 * 3 * 4 stay', 'snake_case and 2 * 3 * 4 stay'],
  ['<b>no</b> <script>alert(1)</script>', '<b>no</b> <script>alert(1)</script>'],
  ['a \\* star & an &amp;', 'a * star & an &amp;'],
  ['---', ''],
  ['', ''],
])('%j reads as %j', (text, words) => expect(withoutMarkdown(text)).toBe(words))
