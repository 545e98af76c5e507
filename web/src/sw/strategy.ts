/**
 * What the service worker does with a request.
 *
 * - `page`: the server's page; where it does not answer, the one that was kept.
 * - `asset`: its name has the hash of what is in it, so that the copy is as good as the file.
 * - `file`: from the server as long as it answers, else the copy.
 * - `none`: nothing. The browser asks the server as if there were no worker.
 */
export type Strategy = 'page' | 'asset' | 'file' | 'none'

export interface Asked {
  method: string
  /** As in `Request.mode`. */
  mode: string
  url: string
  /** Only a part of it is wanted. */
  range: boolean
}

/** Nothing that is said to her, or by her, is ever kept here. */
const NEVER = ['/api', '/v1', '/ws', '/mcp', '/frame', '/metrics', '/.well-known', '/lan', '/sw.js']
const BODY = '/avatar.vrm'
const FILE = /^\/[\w-]+\.(?:js|svg|png|webmanifest)$/

const liesIn = (path: string, place: string) => path === place || path.startsWith(`${place}/`)

export function strategyOf({ method, mode, url, range }: Asked, origin: string): Strategy {
  const { origin: from, pathname } = new URL(url)
  if (method !== 'GET' || from !== origin || range || NEVER.some((place) => liesIn(pathname, place))) return 'none'
  if (pathname.startsWith('/assets/')) return 'asset'
  if (pathname === BODY || FILE.test(pathname)) return 'file'
  return mode === 'navigate' ? 'page' : 'none'
}

/** Whether somebody stands in for the server who only says that it is away. */
export function isAway(status: number): boolean {
  return status === 502 || status === 503 || status === 504
}
