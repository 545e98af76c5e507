import type { FileDecision, ProposalFile } from '@/api/protocol.gen'
import { plural } from '@/design/format'

type Decided = Pick<ProposalFile, 'decision'>

/** The label beside a file that was not accepted completely. */
export const FILE_DECISIONS: Partial<Record<FileDecision, string>> = { none: 'skipped', some: 'in part' }

/** Returns the files that were accepted at least in part: all, as long as there is no decision. */
export function acceptedFiles<T extends Decided>(files: T[]): T[] {
  return files.filter(({ decision }) => decision !== 'none')
}

/** Returns true if a part was left out when the proposal was applied. */
export function isPartial(files: Decided[]): boolean {
  return files.some(({ decision }) => decision === 'none' || decision === 'some')
}

/** Returns `3 files`, or `2 of 3 files`. */
export function fileCount(files: Decided[]): string {
  const taken = acceptedFiles(files).length
  return taken === files.length ? plural(taken, 'file') : `${taken} of ${plural(files.length, 'file')}`
}

/** Describes in a sentence how much of it is on the disk. */
export function inYourFiles(files: Decided[]): string {
  const taken = acceptedFiles(files).length
  const part = files.some(({ decision }) => decision === 'some') ? ', in part' : ''
  if (taken === files.length) return `It is in your files${part}.`
  return `${fileCount(files)} ${taken === 1 ? 'is' : 'are'} in your files${part}.`
}
