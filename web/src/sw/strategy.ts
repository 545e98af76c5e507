/**
 * The way in which the service worker handles a request.
 * - `page`: the server's page; if the server does not respond, the cached one.
 * - `asset`: the name contains a hash of the content, so the cached copy is as good as the file.
 * - `file`: from the server as long as it responds, else the cached copy.
 * - `none`: nothing. The browser asks the server as if there were no worker.
 */
export type Strategy = 'page' | 'asset' | 'file' | 'none'

export interface Asked {
  method: string
  /** The value of `Request.mode`. */
  mode: string
  url: string
  /** True if only a part of the file is requested. */
  range: boolean
}

/** Paths that are never cached: nothing of a conversation is ever stored here. */
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

/** Returns true for the statuses with which a proxy reports that the server is down. */
export function isServerDown(status: number): boolean {
  return status === 502 || status === 503 || status === 504
}
