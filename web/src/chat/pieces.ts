import type { Act } from '@/api/protocol.gen'
import { NO_BLOCKS, readBlocks } from '@/markdown/blocks'
import { insideFence, closeUnfinished } from '@/markdown/closeUnfinished'

/** A piece of a reply: text, or the tool calls between two texts. */
export type Piece = { kind: 'text'; key: string; source: string } | { kind: 'acts'; key: string; acts: Act[] }

/** The cut of the text for each tool call, as far as no further text can change it. */
export interface Cuts {
  source: string
  settled: { at: number; cut: number }[]
}

export const NO_CUTS: Cuts = { source: '', settled: [] }

/**
 * Splits the reply into its text and its tool calls, placed between the blocks where they happened. A tool
 * call in the middle of a code block, a list or a table is placed after it. Cuts known from `before` are
 * reused if the text has only grown.
 */
export function cutIntoPieces(before: Cuts, content: string, acts: Act[]): { pieces: Piece[]; cuts: Cuts } {
  const source = lineFeeds(content)
  const placed = acts.map((act) => ({ act, at: insertionPoint(content, act.at) })).sort((a, b) => a.at - b.at)
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

/** Keeps content that a tool call opened from being remounted when a line above it comes or goes. */
function addAct(piece: Extract<Piece, { kind: 'acts' }>, act: Act): void {
  if (act.command && !piece.acts.some(({ command }) => command)) piece.key = act.id
  piece.acts.push(act)
}

/** Normalises line endings as the Markdown parser does. */
function lineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}

function insertionPoint(content: string, at: number): number {
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

/** Returns true if the text may end here: none of its blocks continues in the rest. */
function isWhole(text: string, rest: string): boolean {
  if (text.trim() === '') return true
  if (insideFence(text) || isMathsOpen(text)) return false
  const block = readBlocks(NO_BLOCKS, text, false).list.at(-1)
  switch (block?.token.type) {
    case 'paragraph':
      if (/\n\s*\n$/.test(text)) return true
      // A line that begins with `|` may be the head of a table.
      return !/^\s*\|/.test(text.slice(text.lastIndexOf('\n', text.length - 2) + 1)) && closeUnfinished(text).trimEnd() === text.trimEnd()
    case 'code':
    case 'heading':
    case 'hr':
      return /\n\s*$|[`~]{3}$/.test(text) || rest.startsWith('\n')
    default:
      // Indented text belongs to the preceding list item.
      return (/\n\s*\n$/.test(text) || /^\s*\n\s*\n/.test(rest) || (text.endsWith('\n') && rest.startsWith('\n'))) && !/^\s*\n?[ \t]{2,}\S/.test(rest)
  }
}

function isMathsOpen(text: string): boolean {
  return text.split('$$').length % 2 === 0 || text.lastIndexOf('\\[') > text.lastIndexOf('\\]')
}
