import { Marked, type Token, type TokensList } from 'marked'
import { blockMaths, inlineMaths } from './maths'
import { closeUnfinished } from './closeUnfinished'

const marked = new Marked({ gfm: true, breaks: true })

marked.use({
  extensions: [blockMaths, inlineMaths],
  renderer: {
    // An external image would cause a request to another server, with whatever data its address carries.
    image({ href, text }) {
      const label = text || href
      return /^https?:/i.test(href) ? `<a href="${attribute(href)}">${content(label)}</a>` : content(label)
    },
    // A single line break in the source is marked by a newline before the `<br>`, so that flowing texts can
    // ignore it.
    br({ raw }) {
      return raw.startsWith('\n') ? '\n<br>' : '<br>'
    },
    code({ text, lang }) {
      const name = /^[\w+#.-]+/.exec(lang ?? '')?.[0] ?? ''
      const language = name === 'math' || name === 'latex-display' ? 'maths' : name
      const marker = language === '' ? '' : ` class="language-${attribute(language.toLowerCase())}"`
      return `<pre><code${marker}>${content(text)}</code></pre>\n`
    },
  },
})

function content(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}

function attribute(text: string): string {
  return content(text).replace(/"/g, '&quot;')
}

/** A top-level block of a reply: a paragraph, a list, a table, a code block. */
export interface Block {
  raw: string
  token: Token
}

/** A reply split into blocks. All but the last two of a stream are final and are not parsed again. */
export interface Blocks {
  source: string
  list: Block[]
  /** The number of final blocks from the start, and the end of them in `source`. */
  settled: number
  settledEnd: number
  /** The link definitions seen so far, which may affect earlier blocks. */
  links: TokensList['links']
}

export const NO_BLOCKS: Blocks = { source: '', list: [], settled: 0, settledEnd: 0, links: {} }

/**
 * Splits `source` into blocks. If it continues the source of `before`, only the unfinished end is parsed
 * again, so that a long reply costs no more per token than a short one.
 */
export function readBlocks(before: Blocks, source: string, streaming: boolean): Blocks {
  const text = source.replace(/\r\n?/g, '\n')
  if (!streaming) return whole(text)
  const grows = before.settled > 0 && text.startsWith(before.source)
  const base = grows ? before : NO_BLOCKS
  const tail = text.slice(base.settledEnd)
  const { list, links } = lex(tail, base.links)
  const settling = Math.max(0, list.length - 2)
  const settledNow = list.slice(0, settling)
  const settledEnd = base.settledEnd + settledNow.reduce((sum, block) => sum + block.raw.length, 0)
  // The end is mended for display only: final blocks are always parsed from the original text.
  const shown = lex(closeUnfinished(text.slice(settledEnd)), links).list
  return {
    source: text,
    list: [...base.list.slice(0, base.settled), ...settledNow, ...shown],
    settled: base.settled + settling,
    settledEnd,
    links,
  }
}

function whole(text: string): Blocks {
  const { list, links } = lex(text, {})
  return { source: text, list, settled: list.length, settledEnd: text.length, links }
}

function lex(text: string, known: TokensList['links']): { list: Block[]; links: TokensList['links'] } {
  const lexer = new marked.Lexer({ ...marked.defaults })
  Object.assign(lexer.tokens.links, known)
  const tokens = lexer.lex(text)
  const list: Block[] = []
  for (const token of tokens) {
    const previous = list.at(-1)
    // Blank lines belong to the preceding block, so that the raw texts add up to the source.
    if (token.type === 'space' && previous) previous.raw += token.raw
    else list.push({ raw: token.raw, token })
  }
  return { list, links: { ...tokens.links } }
}

/** Returns the HTML of one block, not yet sanitised. */
export function blockHtml(block: Block): string {
  return marked.parser([block.token])
}
