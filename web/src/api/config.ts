import { request } from './http'
import type { ConfigPatch, ConfigReport, Health, ProcessInfo } from './protocol.gen'

export function readConfig(): Promise<ConfigReport> {
  return request('GET', '/api/config')
}

export function patchConfig(body: ConfigPatch): Promise<ConfigReport> {
  return request('PATCH', '/api/config', { body })
}

export function readProcesses(): Promise<ProcessInfo[]> {
  return request('GET', '/api/processes')
}

export type ProcessAct = 'pause' | 'resume' | 'run'

export function actOnProcess(id: string, act: ProcessAct): Promise<ProcessInfo> {
  return request('POST', `/api/processes/${encodeURIComponent(id)}/${act}`)
}

export function readHealth(): Promise<Health> {
  return request('GET', '/api/health')
}
