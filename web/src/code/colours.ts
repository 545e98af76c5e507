import { useEffect, useMemo, useState } from 'react'
import { coloured, loadGrammar } from '@/markdown/highlight'
import type { HunkLine } from './hunks'
import { nameOf } from './tree'

const NAMES: [RegExp, string][] = [
  [/^(?:Docker|Container)file/i, 'dockerfile'],
  [/^(?:GNU)?Makefile/i, 'makefile'],
  [/^CMakeLists\.txt$/i, 'cmake'],
  [/^\.(?:bash|zsh|profile)/, 'bash'],
]

const ENDINGS: Record<string, string> = { cjs: 'javascript', mts: 'typescript', cts: 'typescript', cxx: 'cpp', hh: 'cpp', hxx: 'cpp', pyi: 'python', htm: 'html', exs: 'elixir', lock: 'toml', webmanifest: 'json', conf: 'ini', cfg: 'ini' }

/** Returns the language of a file by its name, as the highlighter knows it. */
export function languageOf(path: string): string {
  const name = nameOf(path)
  const whole = NAMES.find(([sign]) => sign.test(name))?.[1]
  if (whole) return whole
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : ''
  return Object.hasOwn(ENDINGS, ending) ? (ENDINGS[ending] ?? '') : ending
}

/**
 * Splits highlighted HTML into lines: a span that crosses the end of a line is closed there and reopened on
 * the next.
 */
export function splitLines(html: string): string[] {
  const open: string[] = []
  return html.split('\n').map((line) => {
    const before = open.join('')
    for (const [tag] of line.matchAll(/<\/?span[^>]*>/g)) {
      if (tag.startsWith('</')) open.pop()
      else open.push(tag)
    }
    return before + line + '</span>'.repeat(open.length)
  })
}

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ESCAPED[sign] ?? sign)
}

/** Returns the HTML of a line with a range of its characters marked. */
export function marked(html: string, [from, to]: [number, number], mark = 'changed'): string {
  if (to <= from) return html
  let made = ''
  let at = 0
  let inside = false
  const step = (part: string, letters: number) => {
    if (!inside && at >= from && at < to) {
      made += `<mark class="${mark}">`
      inside = true
    }
    if (inside && at >= to) {
      made += '</mark>'
      inside = false
    }
    made += part
    at += letters
  }
  for (const [part] of html.matchAll(/<[^>]*>|&[#\w]+;|[^<&]|[<&]/g)) {
    if (!part.startsWith('<') || part === '<') {
      step(part, 1)
      continue
    }
    // A mark must not cross the boundary of a span.
    if (inside) made += '</mark>'
    inside = false
    made += part
  }
  return inside ? `${made}</mark>` : made
}

/**
 * Returns the lines of a hunk as HTML, highlighted if the language is supported and once its grammar is
 * loaded.
 */
export function useHunkColours(lines: HunkLine[], language: string): string[] {
  const ready = useGrammar(language)
  // `ready` is no input of the highlighting, but marks the moment from which it works.
  return useMemo(() => hunkColours(lines, language), [lines, language, ready])
}

function useGrammar(language: string): boolean {
  const [ready, setReady] = useState(false)
  useEffect(() => {
    let gone = false
    void loadGrammar(language).then((known) => {
      if (known && !gone) setReady(true)
    }, () => {})
    return () => {
      gone = true
    }
  }, [language])
  return ready
}

/** Highlights the old and the new side separately, since only each by itself is valid source text. */
function hunkColours(lines: HunkLine[], language: string): string[] {
  const side = (kind: 'added' | 'removed') => {
    const own = lines.filter((line) => line.kind !== kind)
    const html = coloured(own.map(({ text }) => text).join('\n'), language)
    const split = html === null ? own.map(({ text }) => escaped(text)) : splitLines(html)
    return new Map(own.map((line, index) => [line, split[index] ?? escaped(line.text)]))
  }
  const before = side('added')
  const after = side('removed')
  return lines.map((line) => {
    const html = (line.kind === 'removed' ? before : after).get(line) ?? escaped(line.text)
    return line.mark ? marked(html, line.mark) : html
  })
}
