import '@/testkit/browser'
import { describe, expect, test } from 'vitest'
import { captions, dwell } from './captionText'

describe('captions', () => {
  test.each<[string, string, string[]]>([
    ['nothing', '', []],
    ['a sentence', 'The moon is a little further away than yesterday.', ['The moon is a little further away than yesterday.']],
    ['a short word goes with what follows', 'Sure. The tide turns at two in the afternoon.', ['Sure. The tide turns at two in the afternoon.']],
    ['a short answer alone', 'Yes.', ['Yes.']],
    ['marks of Markdown are not said', '## Tides\n\n**High water** is at [eight](https://example.org/a.b), and again at four.', ['Tides High water is at eight, and again at four.']],
    ['code is not read out', 'This adds two numbers, as you asked me to:\n\n```js\nadd(1. 2)\n```\n\nTry it with your own two numbers first.', ['This adds two numbers, as you asked me to:', 'Try it with your own two numbers first.']],
    ['lines without a full stop end with the line', '- Boots for the long way down to the sea\n- A lamp for the long way back up again', ['Boots for the long way down to the sea', 'A lamp for the long way back up again']],
    ['another script', '月は昨日より少し遠くにあります。そして今夜は曇りです。', ['月は昨日より少し遠くにあります。そして今夜は曇りです。']],
  ])('%s', (_what, text, wanted) => expect(captions(text, true)).toEqual(wanted))

  test('a long sentence is cut where one would breathe', () => {
    const long = 'When the sun stands low and the water has gone out, the whole bay lies open in front of you, and one can walk from one end to the other, dry shod, in less than an hour if one hurries.'
    const made = captions(long, true)
    expect(made.length).toBeGreaterThan(1)
    for (const part of made) expect(part.length).toBeLessThanOrEqual(120)
    expect(made.join(' ')).toBe(long)
    expect(made[0]).toMatch(/,$/)
  })

  test('a word without end is cut all the same', () => {
    const made = captions(`${'x'.repeat(1000)}.`, true)
    expect(made.join('')).toBe(`${'x'.repeat(1000)}.`)
    for (const part of made) expect(part.length).toBeLessThanOrEqual(120)
  })

  test('of a text that goes on stay as they are', () => {
    const text = `Sure. Here is what I found about it.\n\n- one\n- two and **some more** of it\n\n\`\`\`py\nprint("a. b. c")\n\`\`\`\n\nIt is [late](https://example.org/x.y?z), e.g. past ten. ${'And so the night goes on, '.repeat(9)}and ends. Good night!`
    let before: string[] = []
    for (let end = 0; end <= text.length; end += 1) {
      const made = captions(text.slice(0, end), false)
      expect(made.slice(0, before.length)).toEqual(before)
      before = made
    }
    expect(captions(text, true).slice(0, before.length)).toEqual(before)
  })

  test('a sentence that has not ended is not shown', () => {
    expect(captions('The moon is a little further away than', false)).toEqual([])
    expect(captions('The moon is a little further away today', true)).toHaveLength(1)
  })

  test('stand long enough to be read, and shorter where she is far ahead', () => {
    expect(dwell('Yes.', 0)).toBe(1400)
    expect(dwell('x'.repeat(100), 0)).toBe(4200)
    expect(dwell('x'.repeat(100), 9)).toBe(2100)
  })
})
