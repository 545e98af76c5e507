import type { DiffHunk, DiffLineKind } from '@/api/protocol.gen'
import { plain } from '@/tools/words'

/** A line of a hunk with its numbers, and the stretch of it that is other than in the line it took the place of. */
export interface HunkLine {
  kind: DiffLineKind
  text: string
  old: number | null
  new: number | null
  /** From and to, by letters. */
  mark: [number, number] | null
  noNewline: boolean
}

export function numbered(hunk: DiffHunk): HunkLine[] {
  let old = hunk.oldStart
  let fresh = hunk.newStart
  // Where each line ends so, it is how the file is written; where only some do, it is seen.
  const carriage = hunk.lines.every(({ text }) => text.endsWith('\r'))
  const lines = hunk.lines.map(({ kind, text, noNewline }): HunkLine => ({
    kind,
    // Signs that are not seen are written out: a person decides by what they see.
    text: plain(carriage ? text.slice(0, -1) : text),
    old: kind === 'added' ? null : old++,
    new: kind === 'removed' ? null : fresh++,
    mark: null,
    noNewline: noNewline ?? false,
  }))
  for (const { removed, added } of replaced(lines)) {
    removed.forEach((before, index) => {
      const after = added[index]
      if (!after) return
      const change = middle(before.text, after.text)
      if (!change) return
      before.mark = change.before
      after.mark = change.after
    })
  }
  return lines
}

/** Lines that went, each with those that came in their place. */
function replaced(lines: HunkLine[]): { removed: HunkLine[]; added: HunkLine[] }[] {
  const found: { removed: HunkLine[]; added: HunkLine[] }[] = []
  let at = 0
  while (at < lines.length) {
    const removed = run(lines, at, 'removed')
    const added = run(lines, at + removed.length, 'added')
    if (removed.length > 0 && added.length > 0) found.push({ removed, added })
    at += Math.max(1, removed.length + added.length)
  }
  return found
}

function run(lines: HunkLine[], from: number, kind: DiffLineKind): HunkLine[] {
  let end = from
  while (lines[end]?.kind === kind) end += 1
  return lines.slice(from, end)
}

/** Of a line that is all new there is nothing to point at. */
const LEAST_SHARED = 0.3

function middle(before: string, after: string): { before: [number, number]; after: [number, number] } | null {
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && before[start] === after[start]) start += 1
  let end = 0
  while (end < shortest - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1
  // A letter that is written as two must not be cut.
  if (start > 0 && /[\uD800-\uDBFF]/.test(before.charAt(start - 1))) start -= 1
  if (end > 0 && /[\uDC00-\uDFFF]/.test(before.charAt(before.length - end))) end -= 1
  const shared = before.slice(0, start).trim().length + before.slice(before.length - end).trim().length
  if (shared < LEAST_SHARED * Math.max(before.trim().length, after.trim().length)) return null
  return { before: [start, before.length - end], after: [start, after.length - end] }
}

export interface Pair {
  left: HunkLine | null
  right: HunkLine | null
}

/** Side by side: what went stands beside what came in its place. */
export function paired(lines: HunkLine[]): Pair[] {
  const pairs: Pair[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] as HunkLine
    if (line.kind === 'same') {
      pairs.push({ left: line, right: line })
      at += 1
      continue
    }
    const removed = run(lines, at, 'removed')
    const added = run(lines, at + removed.length, 'added')
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) pairs.push({ left: removed[index] ?? null, right: added[index] ?? null })
    at += removed.length + added.length
  }
  return pairs
}

/** How the lines of a hunk end, where all of them end alike. */
const endOf = ({ lines }: DiffHunk) => (lines.length > 0 && lines.every(({ text }) => text.endsWith('\r')) ? '\r\n' : '\n')

/** The lines of a hunk as they would be, to be written in: without the newline of the last. */
export function newText(hunk: DiffHunk): string {
  const lines = hunk.lines.filter(({ kind }) => kind !== 'removed').map(({ text }) => text)
  return lines.map((text) => (endOf(hunk) === '\r\n' ? text.slice(0, -1) : text)).join('\n')
}

/** What was written before, to be written in again. */
export const asShown = (written: string) => written.replaceAll('\r\n', '\n').replace(/\n$/, '')

/** What was written, as it is sent: with the ends of lines that the file has. */
export function asWritten(hunk: DiffHunk, text: string): string {
  const bare = hunk.lines.findLast(({ kind }) => kind !== 'removed')?.noNewline ?? false
  const ended = text === '' || bare ? text : `${text}\n`
  return ended.replaceAll('\n', endOf(hunk))
}

/** The hunk with what somebody wrote in the place of her lines. */
export function rewritten(hunk: DiffHunk, written: string): DiffHunk {
  const before = hunk.lines.filter(({ kind }) => kind !== 'added')
  const ends = written.endsWith('\n')
  const after = written === '' ? [] : (ends ? written.slice(0, -1) : written).split('\n')
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && before[start]?.text === after[start]) start += 1
  let end = 0
  while (end < shortest - start && before.at(-1 - end)?.text === after.at(-1 - end)) end += 1
  const lines: DiffHunk['lines'] = [
    ...before.slice(0, start).map((line) => ({ ...line, kind: 'same' as const })),
    ...before.slice(start, before.length - end).map((line) => ({ ...line, kind: 'removed' as const })),
    ...after.slice(start, after.length - end).map((text, index) => ({ kind: 'added' as const, text, ...(!ends && start + index === after.length - 1 ? { noNewline: true } : {}) })),
    ...before.slice(before.length - end).map((line) => ({ ...line, kind: 'same' as const })),
  ]
  return { ...hunk, newLines: after.length, lines }
}

/** Whether a line of the file as it would be is in this hunk. */
export function holdsLine({ newStart, newLines }: DiffHunk, line: number): boolean {
  return line >= newStart && line < newStart + Math.max(1, newLines)
}
