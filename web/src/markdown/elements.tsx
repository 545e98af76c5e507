import { createElement, Fragment, type ReactNode } from 'react'
import { MoonCursor } from '@/design/Moon'
import { CodeBlock } from './CodeBlock'
import { Maths } from './Maths'
import { BLOCK_MATHS, INLINE_MATHS } from './maths'
import { SAFE_LINK } from './sanitise'

export interface Surroundings {
  /** True if this block is the end of a reply that is still being written. */
  writing: boolean
  /**
   * True if lines wrap only at the width of the page, as in a document; otherwise single line breaks are
   * kept.
   */
  flowing: boolean
}

/**
 * The heading levels of a reply, below those of the page and of the companion's name. Few replies begin at
 * the first level.
 */
const HEADINGS: Record<string, string> = { h1: 'h3', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6', h6: 'h6' }
const DIRECTED = new Set(['p', 'li', 'h3', 'h4', 'h5', 'h6', 'td', 'th', 'blockquote', 'ul', 'ol', 'summary', 'dt', 'dd'])

/** Returns React elements for sanitised nodes: no HTML text is inserted into the page. */
export function elements(nodes: DocumentFragment, around: Surroundings): ReactNode {
  const end = around.writing ? writingEnd(nodes) : null
  return children(nodes, { ...around, end })
}

interface Walk extends Surroundings {
  /** The element at whose end the text is being written, where the cursor is shown. */
  end: Node | null
}

function children(parent: Node, walk: Walk): ReactNode[] {
  const made: ReactNode[] = []
  parent.childNodes.forEach((node, index) => {
    const stop = isInlineMaths(node.previousSibling) ? leadingStop(node) : ''
    if (stop === '') {
      made.push(element(node, index, walk))
      return
    }
    // A line may break after a formula, so the punctuation that follows is kept with it.
    const formula = made.pop()
    made.push(
      <span key={`held ${index}`} className="whitespace-nowrap">
        {formula}
        {stop}
      </span>,
      node.nodeValue?.slice(stop.length),
    )
  })
  if (walk.end === parent) made.push(<MoonCursor key="cursor" />)
  return made
}

function isInlineMaths(node: Node | null): boolean {
  return node instanceof Element && node.className === INLINE_MATHS
}

function leadingStop(node: Node): string {
  return node.nodeType === Node.TEXT_NODE ? (/^[.,;:!?)\]’”]+/.exec(node.nodeValue ?? '')?.[0] ?? '') : ''
}

function element(node: Node, key: number, walk: Walk): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return isLayout(node) ? null : node.nodeValue
  if (!(node instanceof Element)) return null
  const tag = node.tagName.toLowerCase()
  switch (tag) {
    case 'pre':
      return preformatted(node, key, walk)
    case 'code':
      if (node.className === INLINE_MATHS) return <Maths key={key} tex={node.textContent} display={false} />
      return (
        <code key={key} dir="ltr">
          {children(node, walk)}
        </code>
      )
    case 'a':
      return link(node, key, walk)
    case 'table':
      return (
        <div key={key} className="table-scroll" tabIndex={0} role="region" aria-label="Table">
          <table>{children(node, walk)}</table>
        </div>
      )
    case 'th':
      // An empty header cell, such as the corner of a table, is no heading.
      return createElement(node.textContent.trim() === '' && !node.firstElementChild ? 'td' : 'th', { key, ...attributes(node, tag) }, ...children(node, walk))
    case 'input':
      return <input key={key} type="checkbox" checked={node.hasAttribute('checked')} readOnly tabIndex={-1} aria-label="Task" />
    case 'br':
      return walk.flowing && node.previousSibling?.nodeValue?.endsWith('\n') ? null : createElement(tag, { key })
    case 'hr':
    case 'wbr':
      return createElement(tag, { key })
    default:
      return createElement(HEADINGS[tag] ?? tag, { key, ...attributes(node, tag) }, ...children(node, walk))
  }
}

/** Returns true for whitespace between the parts of a table, where text nodes are not allowed. */
function isLayout(text: Node): boolean {
  return /^(?:TABLE|THEAD|TBODY|TFOOT|TR)$/.test(text.parentElement?.tagName ?? '') && !text.nodeValue?.trim()
}

function attributes(node: Element, tag: string): Record<string, string | number | boolean> {
  const kept: Record<string, string | number | boolean> = {}
  const shown = HEADINGS[tag] ?? tag
  const direction = node.getAttribute('dir')
  if (direction) kept['dir'] = direction
  else if (DIRECTED.has(shown)) kept['dir'] = 'auto'
  const lang = node.getAttribute('lang')
  if (lang) kept['lang'] = lang
  const title = node.getAttribute('title')
  if (title) kept['title'] = title
  if (tag === 'ol' && node.hasAttribute('start')) kept['start'] = Number(node.getAttribute('start')) || 1
  if (tag === 'details' && node.hasAttribute('open')) kept['open'] = true
  if (tag === 'td' || tag === 'th') {
    kept['colSpan'] = Number(node.getAttribute('colspan')) || 1
    kept['rowSpan'] = Number(node.getAttribute('rowspan')) || 1
    const align = node.getAttribute('align')
    if (align) kept['align'] = align
  }
  return kept
}

function link(node: Element, key: number, walk: Walk): ReactNode {
  const href = node.getAttribute('href') ?? ''
  if (!SAFE_LINK.test(href)) return <Fragment key={key}>{children(node, walk)}</Fragment>
  return (
    <a key={key} href={href} title={node.getAttribute('title') ?? href} target="_blank" rel="noopener noreferrer" dir="auto">
      {children(node, walk)}
    </a>
  )
}

function preformatted(node: Element, key: number, walk: Walk): ReactNode {
  const code = node.querySelector('code') ?? node
  const text = code.textContent.replace(/\n$/, '')
  if (code.className === BLOCK_MATHS) return <Maths key={key} tex={text} display />
  const language = code.className.replace(/^language-/, '')
  return <CodeBlock key={key} code={text} language={language} writing={walk.end !== null && node.contains(walk.end)} />
}

const INLINE = new Set(['A', 'B', 'STRONG', 'EM', 'I', 'CODE', 'DEL', 'S', 'U', 'MARK', 'SPAN', 'SUB', 'SUP', 'KBD', 'INPUT', 'BR'])

/**
 * Returns the innermost block element at the end: after `**bold**` the cursor belongs in the paragraph, not
 * in the bold text.
 */
function writingEnd(root: Node): Node {
  let end: Node = root
  for (;;) {
    const last = lastElement(end)
    if (!last || INLINE.has(last.tagName)) return end
    end = last
  }
}

function lastElement(node: Node): Element | null {
  for (let child = node.lastChild; child; child = child.previousSibling) {
    if (child instanceof Element) return child
    if (child.nodeValue?.trim()) return null
  }
  return null
}
