import { request } from './http'
import type { LanCode, LanReport } from './protocol.gen'

export function readLan(): Promise<LanReport> {
  return request('GET', '/api/lan')
}

/** A way in for one phone. */
export function newLanCode(): Promise<LanCode> {
  return request('POST', '/api/lan/code')
}
