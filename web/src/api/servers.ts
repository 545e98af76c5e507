import { request } from './http'
import type { MadeSource, McpAddRequest, McpApproveRequest, McpLog, McpServerList, McpSignInStart } from './protocol.gen'

const at = (name: string, path = '') => `/api/mcp/servers/${encodeURIComponent(name)}${path}`

export function listServers(): Promise<McpServerList> {
  return request('GET', '/api/mcp/servers')
}

export function addServer(body: McpAddRequest): Promise<McpServerList> {
  return request('POST', '/api/mcp/servers', { body })
}

export function removeServer(name: string): Promise<unknown> {
  return request('DELETE', at(name))
}

export function approveServer(name: string, body: McpApproveRequest): Promise<McpServerList> {
  return request('POST', at(name, '/approve'), { body })
}

export function serverAction(name: string, to: 'start' | 'stop' | 'restore'): Promise<McpServerList> {
  return request('POST', at(name, `/${to}`))
}

/** Starts the sign-in and returns the page to sign in on. */
export function beginSignIn(name: string): Promise<McpSignInStart> {
  return request('POST', at(name, '/sign-in'))
}

export function signOut(name: string): Promise<McpServerList> {
  return request('DELETE', at(name, '/sign-in'))
}

export function readServerLog(name: string): Promise<McpLog> {
  return request('GET', at(name, '/logs'))
}

export function readSource(name: string): Promise<MadeSource> {
  return request('GET', at(name, '/source'))
}

export function readVersion(name: string, id: string): Promise<MadeSource> {
  return request('GET', at(name, `/versions/${encodeURIComponent(id)}`))
}

/** Makes an earlier version the current one. */
export function restoreVersion(name: string, id: string): Promise<McpServerList> {
  return request('POST', at(name, `/versions/${encodeURIComponent(id)}/restore`))
}
