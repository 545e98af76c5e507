import type { ApplyRequest, DiffHunk, EditedHunk, FileChoice, Proposal, ProposalFile } from '@/api/protocol.gen'

/** What was said to the changes of a proposal. What nothing was said to is taken along. */
export type Choices = Readonly<Record<string, 'yes' | 'no'>>

/** What somebody wrote in the place of a hunk, by its change. */
export type Edits = Readonly<Record<string, string>>

/** A change that is said yes or no to: a hunk, or a file that has none. */
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

export function takenOf(choices: Choices, changes: Change[]): number {
  return changes.filter(({ key }) => isTaken(choices, key)).length
}

/** Says the same to each of these. */
export function said(choices: Choices, changes: Change[], answer: 'yes' | 'no'): Choices {
  return { ...choices, ...Object.fromEntries(changes.map(({ key }) => [key, answer])) }
}

/** All of a file where something of it was left out, else nothing of it. */
export function allOrNone(choices: Choices, file: ProposalFile): Choices {
  const changes = changesOf(file)
  const all = changes.every(({ key }) => choices[key] === 'yes')
  return said(choices, changes, all ? 'no' : 'yes')
}

/** What is sent. Null where nothing is left that could land. */
export function applyRequest(proposal: Proposal, choices: Choices, edits: Edits = {}): ApplyRequest | null {
  const changes = allChanges(proposal)
  const taken = takenOf(choices, changes)
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
