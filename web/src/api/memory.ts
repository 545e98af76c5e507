import { query, request } from './http'
import type {
  Fact,
  FactCategory,
  FactHistory,
  FactId,
  FactList,
  FactPatch,
  ForgetReport,
  ForgetRequest,
  MemoryFileList,
  MemoryFileView,
  MemoryImportReply,
  MergeFactsRequest,
  NewFactRequest,
  Personality,
  PersonalityPatch,
  RecallReply,
  SaveVectorRequest,
  Timeline,
  VectorEntry,
  VectorEntryList,
} from './protocol.gen'

/** `past`: facts that no longer hold, for any reason. */
export type FactGroup = 'current' | 'unconfirmed' | 'past'

export interface FactFilter {
  q: string
  category: FactCategory | ''
  status: FactGroup
}

export function listFacts(filter: FactFilter, cursor: string | null, limit: number, signal: AbortSignal): Promise<FactList> {
  return request('GET', `/api/memory${query({ ...filter, limit, cursor })}`, { signal })
}

export function addFact(body: NewFactRequest): Promise<Fact> {
  return request('POST', '/api/memory', { body })
}

export function readFact(id: FactId): Promise<Fact> {
  return request('GET', `/api/memory/${encodeURIComponent(id)}`)
}

export function patchFact(id: FactId, body: FactPatch): Promise<Fact> {
  return request('PATCH', `/api/memory/${encodeURIComponent(id)}`, { body })
}

export function factHistory(id: FactId): Promise<FactHistory> {
  return request('GET', `/api/memory/${encodeURIComponent(id)}/history`)
}

export function undoFact(id: FactId): Promise<Fact> {
  return request('POST', `/api/memory/${encodeURIComponent(id)}/undo`)
}

export function mergeFacts(body: MergeFactsRequest): Promise<Fact> {
  return request('POST', '/api/memory/merge', { body })
}

export function recall(q: string, signal: AbortSignal): Promise<RecallReply> {
  return request('GET', `/api/memory/recall${query({ q })}`, { signal })
}

export function forget(body: ForgetRequest): Promise<ForgetReport> {
  return request('POST', '/api/memory/forget', { body })
}

export function readTimeline(before: string | null): Promise<Timeline> {
  return request('GET', `/api/memory/timeline${query({ before })}`)
}

export function memoryExportAddress(format: 'json' | 'markdown'): string {
  return `/api/memory/export${query({ format })}`
}

export function importMemory(file: File): Promise<MemoryImportReply> {
  return request('POST', `/api/memory/import${query({ name: file.name })}`, { file })
}

export function listMemoryFiles(): Promise<MemoryFileList> {
  return request('GET', '/api/memory/files')
}

const fileAddress = (name: string) => `/api/memory/files/${encodeURIComponent(name)}`

export function readMemoryFile(name: string): Promise<MemoryFileView> {
  return request('GET', fileAddress(name))
}

export function writeMemoryFile(name: string, content: string): Promise<MemoryFileView> {
  return request('PUT', fileAddress(name), { body: { content } })
}

export function deleteMemoryFile(name: string): Promise<unknown> {
  return request('DELETE', fileAddress(name))
}

/** Restores a file to its content after this change. */
export function restoreMemoryFile(name: string, id: string): Promise<MemoryFileView> {
  return request('POST', `${fileAddress(name)}/restore`, { body: { id } })
}

export function listEntries(q: string, offset: number, limit: number, signal: AbortSignal): Promise<VectorEntryList> {
  return request('GET', `/api/vector${query({ q, limit, offset: offset === 0 ? null : offset })}`, { signal })
}

export function addEntry(body: SaveVectorRequest): Promise<VectorEntry> {
  return request('POST', '/api/vector', { body })
}

export function saveEntry(id: string, body: SaveVectorRequest): Promise<VectorEntry> {
  return request('PUT', `/api/vector/${encodeURIComponent(id)}`, { body })
}

export function deleteEntry(id: string): Promise<unknown> {
  return request('DELETE', `/api/vector/${encodeURIComponent(id)}`)
}

export function readPersonality(): Promise<Personality> {
  return request('GET', '/api/personality')
}

export function patchPersonality(body: PersonalityPatch): Promise<Personality> {
  return request('PATCH', '/api/personality', { body })
}

export function resetPersonality(): Promise<Personality> {
  return request('POST', '/api/personality/reset')
}

export function undoPersonality(): Promise<Personality> {
  return request('POST', '/api/personality/undo')
}
