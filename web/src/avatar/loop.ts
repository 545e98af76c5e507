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

/** Draws at the pace that is needed, and not at all while nobody can see it. */
export class Loop {
  private readonly work: Work
  private handle = 0
  private last = 0
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

  private follow(): void {
    this.last = 0
    if (this.seen && !this.paused) this.handle ||= requestAnimationFrame(this.tick)
    else this.stop()
  }

  private readonly tick = (now: number): void => {
    this.handle = requestAnimationFrame(this.tick)
    const due = 1000 / this.work.fps()
    const passed = now - this.last
    if (this.last !== 0 && passed < due - SLACK_MS) return
    if (this.last !== 0) this.work.took?.(passed, due)
    const dt = this.last === 0 ? 0 : Math.min(this.work.longest(), passed / 1000)
    this.last = now
    this.work.frame(dt)
  }

  stop(): void {
    cancelAnimationFrame(this.handle)
    this.handle = 0
  }
}
