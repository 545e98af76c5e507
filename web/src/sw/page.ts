import { reload } from '@/shell/leave'
import { useStore } from '@/store'

/** True if the page was without a server for a time: its files may have come from the worker's cache. */
let wasAway = false
let greetings = 0

/**
 * Registers the worker that caches the page for when the server is down. A browser may lack workers, or not
 * allow them here.
 */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  window.addEventListener('load', () => void register().catch(() => {}))
}

async function register(): Promise<void> {
  const { serviceWorker } = navigator
  await serviceWorker.register('/sw.js', { updateViaCache: 'none' })
  const registration = await serviceWorker.getRegistration()
  // A page that has just loaded is as new as the waiting worker, so that it may take over.
  registration?.waiting?.postMessage('take over')
}

/** Handles the server's greeting: it is reachable, and may have been upgraded meanwhile. */
export async function serverAnswered(): Promise<void> {
  greetings += 1
  // The first greeting comes from the server that delivered the page.
  if (greetings === 1 && !wasAway) return
  if (!(await isOld())) return
  void navigator.serviceWorker?.getRegistration().then((registration) => registration?.update())
  // The page found no server until now, so the user has not begun anything and it can simply reload.
  if (greetings === 1) return renew()
  const { notify, withdraw } = useStore.getState()
  withdraw(NEWER)
  notify({ tone: 'plain', text: 'Perigee has been updated. What you have written is kept.', about: NEWER, action: { label: 'Reload', run: () => void renew() } })
}

export function serverUnreachable(): void {
  wasAway = true
}

const NEWER = 'newer'

/** Returns the address of the page's entry script. */
export function entryOf(page: string): string | null {
  return /<script[^>]+type="module"[^>]*\ssrc="([^"]+)"/.exec(page)?.[1] ?? null
}

/**
 * Returns true if the server would deliver a different page. If it cannot be reached, the present one counts
 * as current.
 */
async function isOld(): Promise<boolean> {
  try {
    const answer = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } })
    const [theirs, ours] = [answer.ok ? entryOf(await answer.text()) : null, document.querySelector('script[type=module][src]')?.getAttribute('src') ?? null]
    return theirs !== null && ours !== null && theirs !== ours
  } catch {
    return false
  }
}

/**
 * The longest wait for the worker to take over; doing so in the middle of a reload would delay the reload.
 */
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
