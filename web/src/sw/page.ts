import { reload } from '@/shell/leave'
import { useStore } from '@/store'

/** The page lived through a time without a server: what it is made of may have come from the worker's copies. */
let wasAway = false
let greetings = 0

/** The worker that keeps the page for when the server is away. A browser may have none, or let none in here. */
export function keepOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  window.addEventListener('load', () => void register().catch(() => {}))
}

async function register(): Promise<void> {
  const { serviceWorker } = navigator
  await serviceWorker.register('/sw.js', { updateViaCache: 'none' })
  const registration = await serviceWorker.getRegistration()
  // A page that has just come is as new as the worker that waits to serve it.
  registration?.waiting?.postMessage('take over')
}

/** The server greets: it is there, and may have become another one meanwhile. */
export async function greeted(): Promise<void> {
  greetings += 1
  // The first one comes from whoever gave the page.
  if (greetings === 1 && !wasAway) return
  if (!(await isOld())) return
  void navigator.serviceWorker?.getRegistration().then((registration) => registration?.update())
  // Nothing was begun yet on a page that found nobody.
  if (greetings === 1) return renew()
  const { notify, withdraw } = useStore.getState()
  withdraw(NEWER)
  notify({ tone: 'plain', text: 'A newer Perigee is here. What you have written is kept.', about: NEWER, action: { label: 'Reload', run: () => void renew() } })
}

export function foundNobody(): void {
  wasAway = true
}

const NEWER = 'newer'

/** The script with which a page begins. */
export function entryOf(page: string): string | null {
  return /<script[^>]+type="module"[^>]*\ssrc="([^"]+)"/.exec(page)?.[1] ?? null
}

/** Whether the server would give another page than this one. Where it says nothing, this one is good. */
async function isOld(): Promise<boolean> {
  try {
    const answer = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } })
    const [theirs, ours] = [answer.ok ? entryOf(await answer.text()) : null, document.querySelector('script[type=module][src]')?.getAttribute('src') ?? null]
    return theirs !== null && ours !== null && theirs !== ours
  } catch {
    return false
  }
}

/** A worker that takes over in the middle of a reload holds it up. */
const PATIENCE_MS = 2000

async function renew(): Promise<void> {
  const { serviceWorker } = navigator
  const waiting = (await serviceWorker?.getRegistration())?.waiting
  if (waiting) {
    const taken = new Promise((resolve) => {
      serviceWorker.addEventListener('controllerchange', resolve, { once: true })
      setTimeout(resolve, PATIENCE_MS)
    })
    waiting.postMessage('take over')
    await taken
  }
  reload()
}
