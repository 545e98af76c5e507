interface Work {
  /** How many frames a second are wanted at the moment. */
  fps: () => number
  /** The longest step in seconds: what was out of sight for long does not jump. */
  longest: () => number
  frame: (dt: number) => void
  /** What a frame took from one to the next, against what it should take. */
  took?: (ms: number, due: number) => void
}

/** Frames come a little early or late. */
const SLACK_MS = 3
/** Who asks for each frame of the page keeps it awake: one that is far away is slept towards, and asked for so long before. */
const AHEAD_MS = 25

/** Draws at the pace that is needed, and not at all while nobody can see it. */
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

  /** For tests, which step by hand. */
  setPaused(paused: boolean): void {
    this.paused = paused
    this.follow()
  }

  /** The next frame of the page is one of hers, too, however seldom they come. */
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
    // A frame may have ended it.
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
