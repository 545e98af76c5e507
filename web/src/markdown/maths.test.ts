// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { blockHtml, NO_BLOCKS, readBlocks } from './blocks'

function html(source: string): string {
  return readBlocks(NO_BLOCKS, source, false).list.map(blockHtml).join('')
}

const inline = (source: string) => [...html(source).matchAll(/<code class="language-maths-inline">(.*?)<\/code>/g)].map((match) => match[1])

describe('dollar signs', () => {
  test.each([
    ['a formula', 'so $x^2 + y^2 = r^2$ holds', ['x^2 + y^2 = r^2']],
    ['one letter', 'where $n$ is large', ['n']],
    ['a call', 'the value $f(x)$', ['f(x)']],
    ['two formulas', '$a_1$ and $b_2$', ['a_1', 'b_2']],
    ['a command', 'angle $\\theta$', ['\\theta']],
    ['parentheses', 'then \\(a + b\\) follows', ['a + b']],
    ['double signs within a line', 'then $$a + b$$ follows', ['a + b']],
    ['two prices', 'it costs between $80 and $120, by the way', []],
    ['a price range', 'from $5–$10', []],
    ['a price and a word', 'pay $5 or 6$ each', []],
    ['a budget', 'We have $1,000 and they have $2,000.', []],
    ['a variable of a shell', 'set $HOME and $PATH', []],
    ['an escaped sign', 'only \\$5 and \\$6', []],
    ['code', '`$x$`', []],
    ['a sign before a digit', '$a$5', []],
  ])('%s', (_name, source, found) => expect(inline(source)).toEqual(found))

  test('make a block of their own', () => {
    expect(html('$$\n\\frac{a}{b}\n$$')).toBe('<pre><code class="language-maths">\\frac{a}{b}</code></pre>\n')
    expect(html('\\[ a < b \\]')).toBe('<pre><code class="language-maths">a &lt; b</code></pre>\n')
    expect(html('text\n$$\na\n$$\nmore')).toContain('language-maths')
  })

  test('do not swallow a reply that never closes them', () => {
    expect(html('$$\na\n\nnext paragraph')).toContain('<p>next paragraph</p>')
  })
})
