import { query, request } from './http'
import type {
  ApplyRequest,
  CheckpointId,
  CodeFileList,
  CodeFileView,
  CodeHistory,
  CodeRootList,
  Proposal,
  ProposalId,
  ProposalList,
  SaveFileRequest,
} from './protocol.gen'

const at = (id: ProposalId, door = '') => `/api/code/proposals/${encodeURIComponent(id)}${door}`

export function listRoots(): Promise<CodeRootList> {
  return request('GET', '/api/code/root')
}

export function openRoot(path: string): Promise<unknown> {
  return request('POST', '/api/code/root', { body: { path } })
}

/** Takes it off the list. The folder itself is left alone. */
export function forgetRoot(path: string): Promise<unknown> {
  return request('DELETE', `/api/code/root${query({ path })}`)
}

export function includePaths(paths: string[]): Promise<unknown> {
  return request('POST', '/api/code/include', { body: { paths } })
}

export function listFiles(): Promise<CodeFileList> {
  return request('GET', '/api/code/files')
}

export function readFile(path: string): Promise<CodeFileView> {
  return request('GET', `/api/code/file${query({ path })}`)
}

export function saveFile(body: SaveFileRequest): Promise<unknown> {
  return request('PUT', '/api/code/file', { body })
}

/** Without the differences: those come with each. */
export function listProposals(): Promise<ProposalList> {
  return request('GET', '/api/code/proposals')
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

export function readHistory(): Promise<CodeHistory> {
  return request('GET', '/api/code/history')
}

export function restoreCheckpoint(id: CheckpointId): Promise<unknown> {
  return request('POST', `/api/code/checkpoints/${encodeURIComponent(id)}/restore`)
}
