import { firstJudgement, judged, type Quality, type QualityName, LEVELS, levelOf, SOFTWARE_START } from './quality'

/**
 * The interval between measurements of the drawing time: waiting for a picture holds up the graphics card a
 * little.
 */
const OFTEN_MS = 300
const SELDOM_MS = 2000
/** The time after a change during which its effect is not yet clear. */
const YOUNG_MS = 3000

/** The rendering quality: either fixed by the user or adapted to the machine. */
export class QualityControl {
  private readonly software: boolean
  private readonly onChange: (quality: Quality) => void
  private judgement
  private fixed = false
  private cost: number | null = null
  private measured = 0

  constructor(software: boolean, onChange: (quality: Quality) => void) {
    this.software = software
    this.onChange = onChange
    this.judgement = firstJudgement(this.start)
  }

  private get start(): number {
    return this.software ? SOFTWARE_START : LEVELS.length - 1
  }

  get quality(): Quality {
    return LEVELS[this.judgement.rung] as Quality
  }

  /** Fixes the quality regardless of how well the machine keeps up; `auto` adapts it. */
  set(name: QualityName | 'auto'): void {
    const fixed = name !== 'auto'
    if (!fixed && !this.fixed) return
    this.fixed = fixed
    this.judgement = firstJudgement(fixed ? levelOf(name) : this.start)
    this.onChange(this.quality)
  }

  /**
   * Draws, and at intervals waits for the finished picture: only this measures the true cost, on a CPU or a
   * GPU.
   */
  draw(picture: () => void, wait: () => void): void {
    const begun = performance.now()
    picture()
    if (this.fixed || begun - this.measured < (this.judgement.since < YOUNG_MS ? OFTEN_MS : SELDOM_MS)) return
    wait()
    this.measured = begun
    this.cost = performance.now() - begun
  }

  /** Records a frame: its distance from the previous one and the intended distance, in milliseconds. */
  recordFrame(took: number, due: number): void {
    const { cost, judgement } = this
    this.cost = null
    if (this.fixed) return
    this.judgement = judged(judgement, { took, due, cost }, this.software)
    if (this.judgement.rung !== judgement.rung) this.onChange(this.quality)
  }
}
