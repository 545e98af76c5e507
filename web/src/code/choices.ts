import type { ApplyRequest, DiffHunk, EditedHunk, FileChoice, Proposal, ProposalFile } from '@/api/protocol.gen'

/** The choices on the changes of a proposal. Changes without a choice are included. */
export type Choices = Readonly<Record<string, 'yes' | 'no'>>

/** The user's text in place of a hunk, by the key of its change. */
export type Edits = Readonly<Record<string, string>>

/** A change that can be accepted or skipped: a hunk, or a file without hunks. */
export interface Change {
  key: string
  file: ProposalFile
  hunk: DiffHunk | null
}

export const changeKey = (path: string, hunk: number | null) => `${hunk ?? ''} ${path}`

export function changesOf(file: ProposalFile): Change[] {
  if (file.hunks.length === 0) return [{ key: changeKey(file.path, null), file, hunk: null }]
  return file.hunks.map((hunk) => ({ key: changeKey(file.path, hunk.id), file, hunk }))
}

export function allChanges(proposal: Proposal): Change[] {
  return proposal.files.flatMap(changesOf)
}

export const isTaken = (choices: Choices, key: string) => choices[key] !== 'no'

export function takenCount(choices: Choices, changes: Change[]): number {
  return changes.filter(({ key }) => isTaken(choices, key)).length
}

/** Sets the same choice for each of these changes. */
export function withChoice(choices: Choices, changes: Change[], answer: 'yes' | 'no'): Choices {
  return { ...choices, ...Object.fromEntries(changes.map(({ key }) => [key, answer])) }
}

/** Accepts every change of a file, or skips them all if every one is accepted already. */
export function allOrNone(choices: Choices, file: ProposalFile): Choices {
  const changes = changesOf(file)
  const all = changes.every(({ key }) => isTaken(choices, key))
  return withChoice(choices, changes, all ? 'no' : 'yes')
}

/** Returns the request to apply the choices, or null if nothing is left to apply. */
export function applyRequest(proposal: Proposal, choices: Choices, edits: Edits = {}): ApplyRequest | null {
  const changes = allChanges(proposal)
  const taken = takenCount(choices, changes)
  if (taken === 0) return null
  if (taken === changes.length && !changes.some(({ key }) => edits[key] !== undefined)) return {}
  const files = proposal.files.flatMap((file): FileChoice[] => {
    const own = changesOf(file)
    const kept = own.filter(({ key }) => isTaken(choices, key))
    if (kept.length === 0) return []
    const edited = kept.flatMap(({ key, hunk }): EditedHunk[] => (hunk && edits[key] !== undefined ? [{ id: hunk.id, text: edits[key] }] : []))
    if (kept.length === own.length && edited.length === 0) return [{ path: file.path }]
    const hunks = kept.flatMap(({ key, hunk }) => (hunk && edits[key] === undefined ? [hunk.id] : []))
    return [{ path: file.path, hunks, ...(edited.length > 0 ? { edited } : {}) }]
  })
  return { files }
}
