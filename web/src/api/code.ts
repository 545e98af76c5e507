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

const at = (id: ProposalId, path = '') => `/api/code/proposals/${encodeURIComponent(id)}${path}`

export function listRoots(): Promise<CodeRootList> {
  return request('GET', '/api/code/root')
}

/** Opens a folder and returns the updated list, with this folder as the active one. */
export function openRoot(path: string): Promise<CodeRootList> {
  return request('POST', '/api/code/root', { body: { path } })
}

/** Removes a folder from the list. The folder itself is left alone. */
export function forgetRoot(path: string): Promise<unknown> {
  return request('DELETE', `/api/code/root${query({ path })}`)
}

/** Lists the subfolders of a folder on the machine; with an empty path, those of the user's home folder. */
export function listFolders(path: string): Promise<FolderList> {
  return request('GET', `/api/code/folders${query({ path })}`)
}

// Each request names its folder: the active folder is kept on the server, and another page may have switched
// it.

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

/** Lists the proposals without their diffs, which come with each proposal. */
export function listProposals(root: string): Promise<ProposalList> {
  return request('GET', `/api/code/proposals${query({ root })}`)
}

export function readProposal(id: ProposalId): Promise<Proposal> {
  return request('GET', at(id))
}

export function applyProposal(id: ProposalId, body: ApplyRequest): Promise<Proposal> {
  return request('POST', at(id, '/apply'), { body })
}

/** The actions on a proposal other than applying it. */
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
