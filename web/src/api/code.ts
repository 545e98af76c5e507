import { query, request } from './http'
import type {
  ApplyRequest,
  CheckpointId,
  CodeFileList,
  CodeFileView,
  CodeHistory,
  CodeRootList,
  FolderList,
  IncludeRequest,
  Proposal,
  ProposalId,
  ProposalList,
  SaveFileRequest,
} from './protocol.gen'

const at = (id: ProposalId, door = '') => `/api/code/proposals/${encodeURIComponent(id)}${door}`

export function listRoots(): Promise<CodeRootList> {
  return request('GET', '/api/code/root')
}

/** The list as it is then, with the folder that was opened as the one in use. */
export function openRoot(path: string): Promise<CodeRootList> {
  return request('POST', '/api/code/root', { body: { path } })
}

/** Takes it off the list. The folder itself is left alone. */
export function forgetRoot(path: string): Promise<unknown> {
  return request('DELETE', `/api/code/root${query({ path })}`)
}

/** The folders in a folder of the machine; without a path, in the user's own. */
export function listFolders(path: string): Promise<FolderList> {
  return request('GET', `/api/code/folders${query({ path })}`)
}

// Whoever asks says which folder is meant: the one in use is the server's, and another page may have turned to another.

export function includePaths(root: string, paths: string[]): Promise<unknown> {
  const body: IncludeRequest = { paths, root }
  return request('POST', '/api/code/include', { body })
}

export function listFiles(root: string): Promise<CodeFileList> {
  return request('GET', `/api/code/files${query({ root })}`)
}

export function readFile(root: string, path: string): Promise<CodeFileView> {
  return request('GET', `/api/code/file${query({ path, root })}`)
}

export function saveFile(body: SaveFileRequest & { root: string }): Promise<unknown> {
  return request('PUT', '/api/code/file', { body })
}

/** Without the differences: those come with each. */
export function listProposals(root: string): Promise<ProposalList> {
  return request('GET', `/api/code/proposals${query({ root })}`)
}

export function readProposal(id: ProposalId): Promise<Proposal> {
  return request('GET', at(id))
}

export function applyProposal(id: ProposalId, body: ApplyRequest): Promise<Proposal> {
  return request('POST', at(id, '/apply'), { body })
}

/** What can become of one, beside that it lands. */
export type ProposalStep = 'reject' | 'undo' | 'redo' | 'rebase'

export function stepProposal(id: ProposalId, step: ProposalStep): Promise<Proposal> {
  return request('POST', at(id, `/${step}`))
}

export function readHistory(root: string): Promise<CodeHistory> {
  return request('GET', `/api/code/history${query({ root })}`)
}

export function restoreCheckpoint(id: CheckpointId): Promise<unknown> {
  return request('POST', `/api/code/checkpoints/${encodeURIComponent(id)}/restore`)
}
