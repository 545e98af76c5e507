// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { closeUnfinished } from './closeUnfinished'

describe('the unfinished end of a reply', () => {
  test.each([
    ['plain words', 'plain words'],
    ['**bol', '**bol**'],
    ['**bold** and *ital', '**bold** and *ital*'],
    ['**bold*', '**bold**'],
    ['a `code', 'a `code`'],
    ['a `', 'a '],
    ['~~gone', '~~gone~~'],
    ['see [the page](https://exam', 'see the page'],
    ['see [the pa', 'see the pa'],
    ['see [the page](https://example.org) now', 'see [the page](https://example.org) now'],
    ['- [ ] task', '- [ ] task'],
    ['2 * 3 = 6', '2 * 3 = 6'],
    ['* item', '* item'],
    ['a list\n-', 'a list\n'],
    ['a list\n3', 'a list\n'],
    ['words\n``', 'words\n'],
    ['words **', 'words '],
    ['```rust\nlet x = `a', '```rust\nlet x = `a'],
    ['```rust\ncode\n``', '```rust\ncode\n'],
    ['**one** two\n\n**thr', '**one** two\n\n**thr**'],
    ['snake_case_name', 'snake_case_name'],
  ])('%j is shown as %j', (tail, shown) => expect(closeUnfinished(tail)).toBe(shown))
})
