import type { DiffHunk, DiffLineKind } from '@/api/protocol.gen'
import { plain } from '@/tools/wording'

/**
 * A line of a hunk with its line numbers, and the range that differs from the line that it replaces or is
 * replaced by.
 */
export interface HunkLine {
  kind: DiffLineKind
  text: string
  old: number | null
  new: number | null
  /** The start and end of the changed range, as character indices. */
  mark: [number, number] | null
  noNewline: boolean
}

export function numbered(hunk: DiffHunk): HunkLine[] {
  let old = hunk.oldStart
  let fresh = hunk.newStart
  // If every line ends in a carriage return, that is the file's line ending. If only some do, it is shown.
  const carriage = hunk.lines.every(({ text }) => text.endsWith('\r'))
  const lines = hunk.lines.map(({ kind, text, noNewline }): HunkLine => ({
    kind,
    // Invisible characters are written out, since the user decides by what is visible.
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

/** Returns removed lines, each run with the added lines that replace it. */
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

/**
 * The least share of a line that must be unchanged for its change to be marked; in an entirely new line a
 * mark would say nothing.
 */
const LEAST_SHARED = 0.3

function middle(before: string, after: string): { before: [number, number]; after: [number, number] } | null {
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && before[start] === after[start]) start += 1
  let end = 0
  while (end < shortest - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1
  // A surrogate pair must not be split.
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

/** Pairs the lines for the split view: removed ones beside those that replace them. */
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

/** Returns the line ending of a hunk: `\r\n` if all of its lines have it. */
const endOf = ({ lines }: DiffHunk) => (lines.length > 0 && lines.every(({ text }) => text.endsWith('\r')) ? '\r\n' : '\n')

/** Returns the new lines of a hunk for editing, without the last newline. */
export function newText(hunk: DiffHunk): string {
  const lines = hunk.lines.filter(({ kind }) => kind !== 'removed').map(({ text }) => text)
  return lines.map((text) => (endOf(hunk) === '\r\n' ? text.slice(0, -1) : text)).join('\n')
}

/** Converts an earlier edit for editing again. */
export const asShown = (written: string) => written.replaceAll('\r\n', '\n').replace(/\n$/, '')

/** Converts an edit for sending, with the line endings of the file. */
export function asWritten(hunk: DiffHunk, text: string): string {
  const bare = hunk.lines.findLast(({ kind }) => kind !== 'removed')?.noNewline ?? false
  const ended = text === '' || bare ? text : `${text}\n`
  return ended.replaceAll('\n', endOf(hunk))
}

/** Returns the hunk with the user's text in place of the model's lines. */
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

/** Returns true if a line of the new file is in this hunk. */
export function holdsLine({ newStart, newLines }: DiffHunk, line: number): boolean {
  return line >= newStart && line < newStart + Math.max(1, newLines)
}
