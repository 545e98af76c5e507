import { request } from './http'
import type { LanCode, LanReport } from './protocol.gen'

export function readLan(): Promise<LanReport> {
  return request('GET', '/api/lan')
}

/** Creates a code that lets one phone sign in. */
export function newLanCode(): Promise<LanCode> {
  return request('POST', '/api/lan/code')
}
