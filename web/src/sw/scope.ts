// The part of the service worker API that is used. The compiler knows either the types of a page or those of
// a worker, not both.

interface Lasting extends Event {
  waitUntil: (work: Promise<unknown>) => void
}

export interface Fetching extends Lasting {
  request: Request
  respondWith: (answer: Promise<Response>) => void
}

export interface WorkerScope {
  location: Location
  clients: { claim: () => Promise<void> }
  skipWaiting: () => Promise<void>
  addEventListener: {
    (name: 'install' | 'activate', listener: (event: Lasting) => void): void
    (name: 'fetch', listener: (event: Fetching) => void): void
    (name: 'message', listener: (event: MessageEvent<unknown>) => void): void
  }
}

/** Data from the build: the files needed for the first paint, and a version for this set of them. */
export interface ShellFiles {
  version: string
  /** The entry script of the page. */
  entry: string
  files: string[]
}
