// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { blockHtml, type Blocks, NO_BLOCKS, readBlocks } from './blocks'

const REPLY = `The moon keeps **one face** to us.
It breaks lines where the model does.

## A heading

1. one
2. two

   with a paragraph

> a quote
> of two lines

| a | b |
|---|---|
| 1 | 2 |

\`\`\`rust
fn main() {

    println!("blank lines inside");
}
\`\`\`

$$
e^{i\\pi} + 1 = 0
$$

- loose

- list

A [reference][r] and its definition.

[r]: https://example.org

Setext
===

    indented code

The end with $x^2$ and \`code\`.
`

const html = (blocks: Blocks) => blocks.list.map(blockHtml).join('')

describe('a reply in blocks', () => {
  test('loses no character', () => {
    const blocks = readBlocks(NO_BLOCKS, REPLY, false)
    expect(blocks.list.map((block) => block.raw).join('')).toBe(REPLY)
  })

  test('reads the same at its end, whether it was streamed or stored', () => {
    let streamed = NO_BLOCKS
    for (let end = 1; end <= REPLY.length; end += 1) streamed = readBlocks(streamed, REPLY.slice(0, end), true)
    expect(html(readBlocks(streamed, REPLY, false))).toBe(html(readBlocks(NO_BLOCKS, REPLY, false)))
  })

  test('reads the same while it is streamed as if it had come at once', () => {
    let streamed = NO_BLOCKS
    for (let end = 1; end <= REPLY.length; end += 1) {
      const text = REPLY.slice(0, end)
      streamed = readBlocks(streamed, text, true)
      // A link definition changes the text before it, which is rendered correctly only once the reply is
      // finished.
      if (text.includes('[r]:')) return
      expect(html(streamed), `after ${end} characters`).toBe(html(readBlocks(NO_BLOCKS, text, true)))
    }
  })

  test('keeps finished blocks as they are', () => {
    const first = readBlocks(NO_BLOCKS, 'one\n\ntwo\n\nthree\n\nfour', true)
    const second = readBlocks(first, 'one\n\ntwo\n\nthree\n\nfour and more', true)
    expect(second.list[0]).toBe(first.list[0])
    expect(second.list[1]).toBe(first.list[1])
  })

  test('begins anew when the text is another', () => {
    const first = readBlocks(NO_BLOCKS, 'one\n\ntwo\n\nthree\n\nfour', true)
    expect(html(readBlocks(first, 'other\n\ntext', true))).toBe('<p>other</p>\n<p>text</p>\n')
  })

  test('takes no longer per token for a long reply than for a short one', () => {
    const paragraph = 'Some words that fill a line of a long reply.\n\n'
    let blocks = NO_BLOCKS
    let text = ''
    for (let count = 0; count < 2000; count += 1) {
      text += paragraph
      blocks = readBlocks(blocks, text, true)
    }
    expect(blocks.list).toHaveLength(2000)
    expect(text.length - blocks.settledEnd).toBeLessThanOrEqual(2 * paragraph.length)
  })

  test('reads Windows lines', () => {
    expect(html(readBlocks(NO_BLOCKS, 'a\r\n\r\nb', false))).toBe('<p>a</p>\n<p>b</p>\n')
  })
})
