import type { TokenizerAndRendererExtension } from 'marked'

/** The class names that carry formulas through the sanitiser; `elements.tsx` typesets them. */
export const INLINE_MATHS = 'language-maths-inline'
export const BLOCK_MATHS = 'language-maths'

const SIGNS = /[\\^_{}=<>+*/|≤≥≠≈∈∑∫√π]/
const SHORT = /^[-\w'()[\],.!:; ]{1,16}$/
const WORD = /[A-Za-z]{4,}/

/**
 * Returns true if the text between two dollar signs is a formula and not the text between two prices: no
 * space inside the signs, no digit after the closing one, and formula-like content.
 */
function isFormula(body: string, after: string): boolean {
  if (body === '' || /^\s|\s$/.test(body) || /^\d/.test(after)) return false
  if (/^[\d.,]+\s+[A-Za-z]{2,}/.test(body)) return false
  if (SIGNS.test(body)) return !/\n\s*\n/.test(body)
  return SHORT.test(body) && /[A-Za-z]/.test(body) && !WORD.test(body)
}

const INLINE_DOLLAR = /^\$((?:\\[^\n]|[^\\$\n])+?)\$(?!\$)/
const INLINE_DOUBLE = /^\$\$((?:\\[^\n]|[^\\$])+?)\$\$/
const INLINE_PAREN = /^\\\(([\s\S]+?)\\\)/
const BLOCK_DOLLAR = /^ {0,3}\$\$[ \t]*\n?((?:(?!\$\$|\n[ \t]*\n)[\s\S])+?)\n?[ \t]*\$\$[ \t]*(?:\n|$)/
const BLOCK_BRACKET = /^ {0,3}\\\[[ \t]*\n?((?:(?!\\\]|\n[ \t]*\n)[\s\S])+?)\n?[ \t]*\\\][ \t]*(?:\n|$)/

function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}

export const blockMaths: TokenizerAndRendererExtension = {
  name: 'blockMaths',
  level: 'block',
  start: (source) => source.match(/^ {0,3}(?:\$\$|\\\[)/m)?.index,
  tokenizer(source) {
    const match = BLOCK_DOLLAR.exec(source) ?? BLOCK_BRACKET.exec(source)
    const body = match?.[1]?.trim()
    if (!match || !body) return undefined
    return { type: 'blockMaths', raw: match[0], text: body }
  },
  renderer: (token) => `<pre><code class="${BLOCK_MATHS}">${escape(String(token['text']))}</code></pre>\n`,
}

export const inlineMaths: TokenizerAndRendererExtension = {
  name: 'inlineMaths',
  level: 'inline',
  start: (source) => source.match(/\$|\\\(/)?.index,
  tokenizer(source) {
    const sure = INLINE_DOUBLE.exec(source) ?? INLINE_PAREN.exec(source)
    if (sure?.[1]?.trim()) return { type: 'inlineMaths', raw: sure[0], text: sure[1].trim() }
    const guess = INLINE_DOLLAR.exec(source)
    if (!guess?.[1] || !isFormula(guess[1], source.slice(guess[0].length))) return undefined
    return { type: 'inlineMaths', raw: guess[0], text: guess[1] }
  },
  renderer: (token) => `<code class="${INLINE_MATHS}">${escape(String(token['text']))}</code>`,
}
