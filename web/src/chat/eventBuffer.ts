import type { Event } from '@/api/protocol.gen'

/** The update interval of a hidden page, which has no animation frames. */
const HIDDEN_MS = 250

/**
 * Gathers events and delivers them once per frame, so that a fast model does not cause a render per token.
 */
export class EventBuffer {
  private waiting: Event[] = []
  private cancel: (() => void) | null = null
  private readonly deliver: (events: Event[]) => void

  constructor(deliver: (events: Event[]) => void) {
    this.deliver = deliver
  }

  push(event: Event): void {
    this.waiting.push(event)
    if (event.type === 'done' || event.type === 'error') this.flush()
    else this.cancel ??= soon(() => this.flush())
  }

  flush(): void {
    this.cancel?.()
    this.cancel = null
    if (this.waiting.length === 0) return
    const events = this.waiting
    this.waiting = []
    this.deliver(events)
  }
}

function soon(work: () => void): () => void {
  if (document.visibilityState === 'hidden') {
    const timer = setTimeout(work, HIDDEN_MS)
    return () => clearTimeout(timer)
  }
  const frame = requestAnimationFrame(work)
  return () => cancelAnimationFrame(frame)
}
