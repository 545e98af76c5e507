import { diffLines } from '@/memory/diff'

export interface DiffWords {
  kind: 'same' | 'gone' | 'new'
  text: string
}

/** The placeholder for a line feed while words are compared as lines. */
const BREAK = '\u0000'

/** Compares two texts by words: a description is one long line, in which often only a few words are new. */
export function diffWords(before: string, after: string): DiffWords[] {
  const cut = (text: string) => (text.match(/\s+|\S+/g) ?? []).map((part) => part.replaceAll('\n', BREAK)).join('\n')
  const parts = diffLines(cut(before), cut(after)).map(({ kind, text }) => ({ kind, text: text.replaceAll(BREAK, '\n') }))
  const found: DiffWords[] = []
  let gone = ''
  let fresh = ''
  const close = () => {
    if (gone !== '') found.push({ kind: 'gone', text: gone })
    if (fresh !== '') found.push({ kind: 'new', text: fresh })
    gone = ''
    fresh = ''
  }
  parts.forEach(({ kind, text }, at) => {
    // White space between two changed words is part of the change, so that it reads as one.
    const between = kind === 'same' && text.trim() === '' && (gone !== '' || fresh !== '') && parts[at + 1] !== undefined && parts[at + 1]?.kind !== 'same'
    if (kind === 'gone' || between) gone += text
    if (kind === 'new' || between) fresh += text
    if (kind !== 'same' || between) return
    close()
    const last = found.at(-1)
    if (last?.kind === 'same') last.text += text
    else found.push({ kind, text })
  })
  close()
  return found
}
