import { request } from './http'
import type { Download, LocalServer, ModelsReport, PullRequest } from './protocol.gen'

export function readModels(): Promise<ModelsReport> {
  return request('GET', '/api/models')
}

/** Starts a download and returns it, under the name that the model will have locally. */
export function pullModel(body: PullRequest): Promise<Download> {
  return request('POST', '/api/models/pull', { body })
}

export function cancelPull(name: string): Promise<unknown> {
  return request('POST', '/api/models/cancel', { body: { name } })
}

export function removeModel(name: string): Promise<unknown> {
  return request('POST', '/api/models/remove', { body: { name } })
}

export function useModel(name: string): Promise<unknown> {
  return request('POST', '/api/models/use', { body: { name } })
}

export function detectServers(): Promise<LocalServer[]> {
  return request('POST', '/api/models/detect')
}
