/** Returns the wait in milliseconds before the n-th attempt (from 0): doubling, capped, with 20 % jitter. */
export function retryDelay(attempt: number, { first = 500, longest = 10_000 } = {}): number {
  const wait = Math.min(longest, first * 2 ** Math.min(attempt, 16))
  return Math.round(wait * (0.8 + Math.random() * 0.4))
}

const nudge = new EventTarget()

/** Ends every wait at once, when the user asks to retry immediately. */
export function retryNow(): void {
  nudge.dispatchEvent(new Event('now'))
}

/** Waits until the time is up, the network comes back or the page becomes visible again. */
export function waitToRetry(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const tidy = () => {
      clearTimeout(timer)
      window.removeEventListener('online', finish)
      nudge.removeEventListener('now', finish)
      document.removeEventListener('visibilitychange', seen)
      signal?.removeEventListener('abort', abort)
    }
    const finish = () => {
      tidy()
      resolve()
    }
    const seen = () => {
      if (document.visibilityState === 'visible') finish()
    }
    const abort = () => {
      tidy()
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(finish, ms)
    window.addEventListener('online', finish)
    nudge.addEventListener('now', finish)
    document.addEventListener('visibilitychange', seen)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort)
  })
}
