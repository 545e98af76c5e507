import type { CodeFile, CodeFileView, CodeRoot, DiffHunk, DiffLine, Proposal, ProposalFile } from '@/api/protocol.gen'

const AT = Date.parse('2026-11-14T20:00:00Z')

export const ROOT = '/home/ada/tides'

export function root(path = ROOT, more: Partial<CodeRoot> = {}): CodeRoot {
  return { path, name: path.slice(path.lastIndexOf('/') + 1), include: [], usedAt: AT, index: { state: 'ready', files: 3, symbols: 7 }, ...more }
}

export function codeFiles(...paths: string[]): CodeFile[] {
  return paths.map((path) => ({ path, bytes: 400, included: true }))
}

export function codeFile(path: string, content: string, more: Partial<CodeFileView> = {}): CodeFileView {
  return { path, content, language: '', hash: `hash of ${content}`, bytes: content.length, binary: false, editable: true, symbols: [], ...more }
}

/** Builds a hunk from lines in the format of `diff -u`: each begins with its sign. */
export function hunk(id: number, start: number, ...lines: string[]): DiffHunk {
  const kinds: Record<string, DiffLine['kind']> = { '+': 'added', '-': 'removed', ' ': 'same' }
  const read = lines.map((line): DiffLine => ({ kind: kinds[line.charAt(0)] ?? 'same', text: line.slice(1) }))
  const size = (kind: DiffLine['kind']) => read.filter((line) => line.kind !== kind).length
  return { id, oldStart: start, oldLines: size('added'), newStart: start, newLines: size('removed'), lines: read }
}

export function changed(path: string, hunks: DiffHunk[], more: Partial<ProposalFile> = {}): ProposalFile {
  const lines = hunks.flatMap((one) => one.lines)
  const count = (kind: DiffLine['kind']) => lines.filter((line) => line.kind === kind).length
  return { path, kind: 'changed', added: count('added'), removed: count('removed'), hunks, ...more }
}

export function proposal(id: string, files: ProposalFile[], more: Partial<Proposal> = {}): Proposal {
  return { id, root: ROOT, title: 'A change', status: 'open', createdAt: AT, changedAt: AT, files, stale: [], canUndo: false, canRedo: false, ...more }
}
