import type { Act } from '@/api/protocol.gen'
import { NO_BLOCKS, readBlocks } from '@/markdown/blocks'
import { insideFence, mend } from '@/markdown/mend'

/** A part of her message: text, or what she did between two texts. */
export type Piece = { kind: 'text'; key: string; source: string } | { kind: 'acts'; key: string; acts: Act[] }

/** Where the text was cut for each act, as far as nothing that still comes can change it. */
export interface Cuts {
  source: string
  settled: { at: number; cut: number }[]
}

export const NO_CUTS: Cuts = { source: '', settled: [] }

/**
 * Her text with her acts where they happened, between its blocks: an act in the middle of a code block, a list
 * or a table stands after it. What `before` knows of a text that goes on is not worked out again.
 */
export function cutIntoPieces(before: Cuts, content: string, acts: Act[]): { pieces: Piece[]; cuts: Cuts } {
  const source = lineFeeds(content)
  const placed = acts.map((act) => ({ act, at: place(content, act.at) })).sort((a, b) => a.at - b.at)
  const grows = source.startsWith(before.source)
  const settled: Cuts['settled'] = []
  const pieces: Piece[] = []
  let start = 0
  placed.forEach(({ act, at }, index) => {
    const known = grows ? before.settled[index] : undefined
    const cut = known?.at === at ? known.cut : cutFor(source, start, Math.max(start, at))
    if (settled.length === index && source.slice(cut).trim() !== '') settled.push({ at, cut })
    addText(pieces, source.slice(start, cut), start)
    const last = pieces.at(-1)
    if (last?.kind === 'acts') addAct(last, act)
    else pieces.push({ kind: 'acts', key: act.id, acts: [act] })
    start = cut
  })
  addText(pieces, source.slice(start), start)
  return { pieces, cuts: { source, settled } }
}

function addText(pieces: Piece[], source: string, start: number): void {
  if (source.trim() !== '') pieces.push({ kind: 'text', key: `text ${start}`, source })
}

/** What an act put on the screen is not to begin anew because a line above it comes or goes. */
function addAct(piece: Extract<Piece, { kind: 'acts' }>, act: Act): void {
  if (act.command && !piece.acts.some(({ command }) => command)) piece.key = act.id
  piece.acts.push(act)
}

/** As the reader of Markdown counts them. */
function lineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}

function place(content: string, at: number): number {
  const within = Number.isFinite(at) ? Math.min(Math.max(0, at), content.length) : content.length
  return lineFeeds(content.slice(0, within)).length
}

function cutFor(source: string, start: number, at: number): number {
  if (isWhole(source.slice(start, at), source.slice(at))) return at
  let end = start
  for (const block of readBlocks(NO_BLOCKS, source.slice(start), false).list) {
    end += block.raw.length
    if (end >= at) return end
  }
  return source.length
}

/** Whether a text may end here: no block that it began goes on in what follows. */
function isWhole(text: string, rest: string): boolean {
  if (text.trim() === '') return true
  if (insideFence(text) || isMathsOpen(text)) return false
  const block = readBlocks(NO_BLOCKS, text, false).list.at(-1)
  switch (block?.token.type) {
    case 'paragraph':
      if (/\n\s*\n$/.test(text)) return true
      // A line that begins so may be the head of a table.
      return !/^\s*\|/.test(text.slice(text.lastIndexOf('\n', text.length - 2) + 1)) && mend(text).trimEnd() === text.trimEnd()
    case 'code':
    case 'heading':
    case 'hr':
      return /\n\s*$|[`~]{3}$/.test(text) || rest.startsWith('\n')
    default:
      // What is indented belongs to the item before it.
      return (/\n\s*\n$/.test(text) || /^\s*\n\s*\n/.test(rest) || (text.endsWith('\n') && rest.startsWith('\n'))) && !/^\s*\n?[ \t]{2,}\S/.test(rest)
  }
}

function isMathsOpen(text: string): boolean {
  return text.split('$$').length % 2 === 0 || text.lastIndexOf('\\[') > text.lastIndexOf('\\]')
}
