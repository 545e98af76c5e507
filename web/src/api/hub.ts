import { retryDelay, waitToRetry } from './retry'
import type { ClientMessage, Push } from './protocol.gen'

/**
 * The pause after which a socket is replaced: after a laptop has slept this long, its socket may only look
 * alive. Timers of a hidden page run once a minute.
 */
const SLEPT_MS = 150_000
const TICK_MS = 10_000

export interface HubListener {
  push: (push: Push) => void
  /** `again` counts the attempts since the connection broke. */
  line: (state: { open: true } | { open: false; again: number }) => void
}

/**
 * The `/ws` connection, which reports changes made elsewhere. It reconnects by itself and requests the events
 * it missed.
 */
export class Hub {
  private socket: WebSocket | null = null
  private lastSeq: number | null = null
  private stopped = new AbortController()
  private readonly listener: HubListener

  constructor(listener: HubListener) {
    this.listener = listener
  }

  start(): void {
    this.stopped = new AbortController()
    void this.stay(this.stopped.signal)
    this.watchForSleep(this.stopped.signal)
  }

  stop(): void {
    this.stopped.abort()
    this.socket?.close()
    this.lastSeq = null
  }

  /** Reports whether this page is visible. Speech plays on the page that was visible last. */
  setVisible(visible: boolean): void {
    const message: ClientMessage = { action: 'presence', visible }
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message))
  }

  private async stay(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const greeted = await this.connection(signal)
      if (signal.aborted) return
      if (greeted) attempt = 0
      this.listener.line({ open: false, again: attempt })
      await waitToRetry(retryDelay(attempt), signal).catch(() => {})
    }
  }

  /** Runs one socket from opening to closing. Resolves to true if the server sent at least one message. */
  private connection(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const address = new URL('/ws', window.location.href)
      address.protocol = address.protocol.replace('http', 'ws')
      if (this.lastSeq !== null) address.searchParams.set('lastSeq', String(this.lastSeq))
      const socket = new WebSocket(address)
      this.socket = socket
      let greeted = false
      socket.onmessage = (message: MessageEvent<unknown>) => {
        if (typeof message.data !== 'string' || signal.aborted) return
        const push = JSON.parse(message.data) as Push & { seq?: number }
        if (typeof push.seq === 'number') this.lastSeq = push.seq
        if (!greeted) {
          greeted = true
          this.setVisible(!document.hidden)
          this.listener.line({ open: true })
        }
        this.listener.push(push)
      }
      socket.onclose = () => resolve(greeted)
    })
  }

  private watchForSleep(signal: AbortSignal): void {
    let seen = Date.now()
    const timer = setInterval(() => {
      const now = Date.now()
      if (now - seen > SLEPT_MS) this.socket?.close()
      seen = now
    }, TICK_MS)
    signal.addEventListener('abort', () => clearInterval(timer))
  }
}
