import type { Fetching, WorkerScope, ShellFiles } from './scope'
import { isServerDown, strategyOf } from './strategy'

declare const __SHELL__: ShellFiles

const scope = self as unknown as WorkerScope
const { version, entry, files } = __SHELL__
const PREFIX = 'perigee-'
const CACHE = `${PREFIX}${version}`
const PAGE = '/'

/**
 * Caches everything needed for the first paint. The page is stored with its own headers, so that its nonce
 * and the one in its policy match.
 */
async function keepShell(): Promise<void> {
  const cache = await caches.open(CACHE)
  const page = await fetch(PAGE, { cache: 'no-store' })
  // The server may have been upgraded between the requests for the worker and the page, which then would not
  // match.
  if (!page.ok || !(await page.clone().text()).includes(entry)) throw new Error('the page is of another version')
  await cache.put(PAGE, page)
  await Promise.all(files.map((file) => keep(cache, file)))
}

async function keep(cache: Cache, file: string): Promise<void> {
  // Files with a hash in their name need not be fetched again for a new version.
  const known = file.startsWith('/assets/') ? await caches.match(file, { ignoreVary: true }) : undefined
  const answer = known ?? (await fetch(file, { cache: 'no-cache' }))
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`)
  await cache.put(file, answer)
}

async function forgetOthers(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)))
}

async function held(request: Request | string): Promise<Response | undefined> {
  const cache = await caches.open(CACHE)
  return cache.match(request, { ignoreVary: true })
}

/** Caches a response. Failures are ignored: the disk may be full. */
async function copy(request: Request, answer: Response): Promise<void> {
  const cache = await caches.open(CACHE)
  // Only one avatar and one picture of each kind is in use at a time, so earlier copies are not needed.
  await cache.delete(request, { ignoreSearch: true, ignoreVary: true })
  await cache.put(request, answer).catch(() => {})
}

async function page(request: Request): Promise<Response> {
  try {
    const answer = await fetch(request)
    if (!isServerDown(answer.status)) return answer
    return (await held(PAGE)) ?? answer
  } catch (error) {
    const kept = await held(PAGE)
    if (kept) return kept
    throw error
  }
}

async function asset(event: Fetching): Promise<Response> {
  const kept = await held(event.request)
  if (kept) return kept
  const answer = await fetch(event.request)
  if (answer.ok) event.waitUntil(copy(event.request, answer.clone()))
  return answer
}

async function file(event: Fetching): Promise<Response> {
  const { request } = event
  try {
    const answer = await fetch(request)
    if (answer.ok) event.waitUntil(copy(request, answer.clone()))
    // A user whose access was revoked must not see a cached copy later either.
    else if (answer.status === 401 || answer.status === 403) event.waitUntil(caches.open(CACHE).then((cache) => cache.delete(request, { ignoreSearch: true, ignoreVary: true })))
    return answer
  } catch (error) {
    const kept = await held(request)
    if (kept) return kept
    throw error
  }
}

scope.addEventListener('install', (event) => event.waitUntil(keepShell()))
scope.addEventListener('activate', (event) => event.waitUntil(forgetOthers().then(() => scope.clients.claim())))
scope.addEventListener('message', ({ data }) => {
  if (data === 'take over') void scope.skipWaiting()
})
scope.addEventListener('fetch', (event) => {
  const { method, mode, url, headers } = event.request
  switch (strategyOf({ method, mode, url, range: headers.has('range') }, scope.location.origin)) {
    case 'page':
      return event.respondWith(page(event.request))
    case 'asset':
      return event.respondWith(asset(event))
    case 'file':
      return event.respondWith(file(event))
    case 'none':
  }
})
