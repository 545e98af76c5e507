import { diffLines } from '@/memory/diff'

export interface DiffWords {
  kind: 'same' | 'gone' | 'new'
  text: string
}

/** Stands for a line feed while words are compared as lines are. */
const BREAK = '\u0000'

/** What changed in a sentence, by words: a description is one long line, of which often a few words are new. */
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
    // A gap between two words that changed is a part of the change: it is read as one.
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
