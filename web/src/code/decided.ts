import type { FileDecision, ProposalFile } from '@/api/protocol.gen'
import { plural } from '@/design/format'

type Decided = Pick<ProposalFile, 'decision'>

/** What is said beside a file of which not all was taken. */
export const DECISIONS: Partial<Record<FileDecision, string>> = { none: 'skipped', some: 'in part' }

/** The files of which something was taken: all, as long as nobody has decided. */
export function kept<T extends Decided>(files: T[]): T[] {
  return files.filter(({ decision }) => decision !== 'none')
}

/** Whether something of it was left out when it landed. */
export function isPartial(files: Decided[]): boolean {
  return files.some(({ decision }) => decision === 'none' || decision === 'some')
}

/** `3 files`, or `2 of 3 files`. */
export function fileCount(files: Decided[]): string {
  const taken = kept(files).length
  return taken === files.length ? plural(taken, 'file') : `${taken} of ${plural(files.length, 'file')}`
}

/** How much of it is on the disk, in a sentence. */
export function inYourFiles(files: Decided[]): string {
  const taken = kept(files).length
  const part = files.some(({ decision }) => decision === 'some') ? ', in part' : ''
  if (taken === files.length) return `It is in your files${part}.`
  return `${fileCount(files)} ${taken === 1 ? 'is' : 'are'} in your files${part}.`
}
