interface Work {
  /** The frame rate currently wanted, in frames per second. */
  fps: () => number
  /** The longest step in seconds, so that nothing jumps after a long time out of sight. */
  longest: () => number
  frame: (dt: number) => void
  /** Receives the time between two frames and the intended time. */
  took?: (ms: number, due: number) => void
}

/** The tolerance for frames that come slightly early. */
const SLACK_MS = 3
/**
 * The time before a frame at which it is requested. Requesting every animation frame keeps the page busy, so
 * a timer covers the wait until then.
 */
const AHEAD_MS = 25

/** Calls the frame function at the wanted rate, and not at all while the avatar is out of sight. */
export class Loop {
  private readonly work: Work
  private handle = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private runs = false
  private last = 0
  private hurried = false
  private seen = false
  private paused = false

  constructor(work: Work) {
    this.work = work
  }

  setSeen(seen: boolean): void {
    if (seen === this.seen) return
    this.seen = seen
    this.follow()
  }

  /** Pauses the loop for tests, which step by hand. */
  setPaused(paused: boolean): void {
    this.paused = paused
    this.follow()
  }

  /** Makes the next animation frame a frame of this loop, however low its rate is. */
  hurry(): void {
    if (!this.runs) return
    this.stop()
    this.hurried = true
    this.ask()
  }

  private follow(): void {
    this.last = 0
    if (!this.seen || this.paused) this.stop()
    else if (!this.runs) this.ask()
  }

  private readonly ask = (): void => {
    this.runs = true
    this.handle = requestAnimationFrame(this.tick)
  }

  private readonly tick = (now: number): void => {
    const due = 1000 / this.work.fps()
    const passed = now - this.last
    if (this.last === 0 || this.hurried || passed >= due - SLACK_MS) {
      if (this.last !== 0 && !this.hurried) this.work.took?.(passed, due)
      this.hurried = false
      const dt = this.last === 0 ? 0 : Math.min(this.work.longest(), passed / 1000)
      this.last = now
      this.work.frame(dt)
    }
    // The frame function may have stopped the loop.
    if (this.runs) this.next(now)
  }

  private next(now: number): void {
    const wait = this.last + 1000 / this.work.fps() - now - AHEAD_MS
    if (wait > AHEAD_MS) this.timer = setTimeout(this.ask, wait)
    else this.ask()
  }

  stop(): void {
    clearTimeout(this.timer)
    cancelAnimationFrame(this.handle)
    this.runs = false
  }
}
