import { Marked, type Token, type Tokens } from 'marked'

const marked = new Marked({ gfm: true })

/**
 * Returns the text of Markdown without its markup, for places too small to render it: one line per block or
 * list item.
 */
export function withoutMarkdown(text: string): string {
  return blocks(marked.lexer(text))
}

function blocks(tokens: Token[]): string {
  return tokens
    .map(block)
    .filter((words) => words !== '')
    .join('\n')
}

function block(token: Token): string {
  switch (token.type) {
    case 'space':
    case 'checkbox':
    case 'hr':
      return ''
    case 'code':
      return (token as Tokens.Code).text
    case 'list':
      return items(token as Tokens.List)
    case 'table':
      return [(token as Tokens.Table).header, ...(token as Tokens.Table).rows].map((row) => row.map((cell) => inline(cell.tokens)).join(' · ')).join('\n')
    case 'blockquote':
      return blocks((token as Tokens.Blockquote).tokens)
    case 'def':
      return token.raw.trim()
    default:
      return inline([token]).trim()
  }
}

/** Numbers are kept, since one may be part of the text: *1. FC Köln*. */
function items({ items: list, ordered, start }: Tokens.List): string {
  return list.map((item, index) => `${ordered ? `${Number(start) + index}. ` : ''}${blocks(item.tokens)}`).join('\n')
}

function inline(tokens: Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'br') return '\n'
      if ('tokens' in token && token.tokens) return inline(token.tokens)
      // A single line break is no end of a line.
      return 'text' in token ? String(token.text).replace(/\s*\n\s*/g, ' ') : token.raw
    })
    .join('')
}
