import { firstJudgement, judged, type Quality, type QualityName, RUNGS, rungOf, SOFTWARE_START } from './quality'

/** How often it is measured what a picture takes: waiting for one holds up a graphics card a little. */
const OFTEN_MS = 300
const SELDOM_MS = 2000
/** So long after a change it is not yet clear whether it was for the better. */
const YOUNG_MS = 3000

/** How much is put into a picture: what was asked for, or as much as this machine keeps up with. */
export class Effort {
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
    return this.software ? SOFTWARE_START : RUNGS.length - 1
  }

  get quality(): Quality {
    return RUNGS[this.judgement.rung] as Quality
  }

  /** So from now on, however well this machine keeps up; `auto` follows how well it does. */
  set(name: QualityName | 'auto'): void {
    const fixed = name !== 'auto'
    if (!fixed && !this.fixed) return
    this.fixed = fixed
    this.judgement = firstJudgement(fixed ? rungOf(name) : this.start)
    this.onChange(this.quality)
  }

  /** Draws, and now and then waits for what comes of it: only so is it known what it takes, wherever that happens. */
  draws(picture: () => void, wait: () => void): void {
    const begun = performance.now()
    picture()
    if (this.fixed || begun - this.measured < (this.judgement.since < YOUNG_MS ? OFTEN_MS : SELDOM_MS)) return
    wait()
    this.measured = begun
    this.cost = performance.now() - begun
  }

  /** A frame came so long after the one before it, and should have come so. */
  took(took: number, due: number): void {
    const { cost, judgement } = this
    this.cost = null
    if (this.fixed) return
    this.judgement = judged(judgement, { took, due, cost }, this.software)
    if (this.judgement.rung !== judgement.rung) this.onChange(this.quality)
  }
}
