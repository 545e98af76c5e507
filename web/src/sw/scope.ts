// What of a service worker's world is used. The compiler knows either that of a page or that of a worker, not both.

interface Lasting extends Event {
  waitUntil: (work: Promise<unknown>) => void
}

export interface Fetching extends Lasting {
  request: Request
  respondWith: (answer: Promise<Response>) => void
}

export interface Scope {
  location: Location
  clients: { claim: () => Promise<void> }
  skipWaiting: () => Promise<void>
  addEventListener: {
    (name: 'install' | 'activate', listener: (event: Lasting) => void): void
    (name: 'fetch', listener: (event: Fetching) => void): void
    (name: 'message', listener: (event: MessageEvent<unknown>) => void): void
  }
}

/** What the build knows: which files the first look needs, and a name for this state of them. */
export interface Shell {
  version: string
  /** The script with which the page begins. */
  entry: string
  files: string[]
}
