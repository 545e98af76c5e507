import { Vector3 } from 'three'
import type { AnimationInfo, BodyState } from '@/api/protocol.gen'
import type { Cue } from '@/body/cues'
import type { Theme } from '@/widgets/theme'
import { Alive, type Noticed } from './alive/alive'
import type { Direction } from './alive/gaze'
import type { Random } from './alive/random'
import { Body } from './body'
import { Effort } from './effort'
import type { Framing } from './framing'
import { Loop } from './loop'
import type { Quality, QualityName } from './quality'
import { Repertoire } from './repertoire'
import { Stage } from './stage'
import { voice } from './voice'

/** Callbacks to the view that shows the avatar. */
export interface Told {
  /** Receives a one-word description of the avatar's state for users who cannot see it, or an empty text. */
  onShows: (shows: string) => void
  /** Receives the name of an animation that does not exist. */
  onUnknown: (name: string) => void
  onBroken: (name: string, why: string) => void
  /** Receives the new rendering quality. */
  onQuality: (name: QualityName) => void
}

/** The assumed distance between reader and page in pixels, from which gaze angles are computed. */
const READER = 650
const LISTENS_FOR = 2.5
const STILL_FPS = 2
const ASLEEP_FPS = 15
const IDLE_FPS = 30
const BUSY_FPS = 60
/** The longest step of spring bones in seconds: longer ones would make hair and cloth jump. */
const STEP = 0.1
/** The interval at which a still picture is redrawn to measure whether the machine is still too slow. */
const TRIAL_MS = 15_000

/** The avatar on a canvas: body, animations and idle behaviour. */
export class Presence {
  readonly stage: Stage
  readonly loop: Loop
  readonly alive: Alive
  body: Body | null = null
  private readonly told: Told
  private repertoire: Repertoire | null = null
  private animations: AnimationInfo[] = []
  private noticed: Noticed = { pointer: null, pointerMoved: false, listening: false, state: 'idle', mood: 0.5, energy: 0.5, mouth: null, still: false }
  private pointer: { x: number; y: number } | null = null
  private listens = 0
  /** A looping animation that continues until another one is played. */
  private held: string | null = null
  private wanted: string | null = null
  private wearing = 0
  /** The number of bodies shown so far. */
  dressed = 0
  private out = 0
  readonly effort: Effort
  private asksStill = false
  private drawn = { face: '', at: 0 }
  private shows = ''

  /** Opens the canvas. Returns null if WebGL is not available. */
  static open(canvas: HTMLCanvasElement, random: Random, told: Told): Presence | null {
    const stage = Stage.open(canvas)
    return stage ? new Presence(stage, random, told) : null
  }

  private constructor(stage: Stage, random: Random, told: Told) {
    this.stage = stage
    this.told = told
    this.alive = new Alive(random)
    this.effort = new Effort(stage.software, (quality) => this.take(quality))
    this.take(this.effort.quality)
    this.loop = new Loop({
      fps: () => this.fps,
      longest: () => (this.noticed.still ? 1 : Math.max(STEP, 1.5 / this.fps)),
      frame: (dt) => this.frame(dt),
      took: (ms, due) => this.effort.took(ms, due),
    })
  }

  /** Shows another body. If it cannot be read, the current one stays and the reason is thrown. */
  async wear(bytes: ArrayBuffer): Promise<void> {
    this.wearing += 1
    const mine = this.wearing
    const body = await Body.read(bytes)
    const { animations } = this
    const repertoire = new Repertoire(body, animations, this.told.onBroken, null)
    await repertoire.learnIdle(false)
    if (mine !== this.wearing) {
      body.dispose()
      return
    }
    const before = this.body
    this.body = body
    this.dressed += 1
    this.repertoire = repertoire
    this.wanted = null
    body.setOutlines(this.effort.quality.outlines)
    this.stage.show(body.vrm.scene, body.measures)
    before?.dispose()
    this.settleBase()
    this.frame(0)
    body.settle()
    // The animations may have changed meanwhile.
    if (animations !== this.animations) void this.learn(body)
  }

  setAnimations(animations: AnimationInfo[]): void {
    const same = animations.length === this.animations.length && animations.every(({ url }, index) => url === this.animations[index]?.url)
    if (same) return
    this.animations = animations
    if (this.body) void this.learn(this.body)
  }

  /** Loads the animations for the current body. */
  private async learn(body: Body): Promise<void> {
    const repertoire = new Repertoire(body, this.animations, this.told.onBroken, this.repertoire)
    this.repertoire = repertoire
    await repertoire.learnIdle(!this.noticed.still)
    if (this.repertoire !== repertoire) return
    this.stage.stale = true
    this.wanted = null
    this.settleBase()
  }

  /** Resizes the canvas and redraws soon, since a resized canvas is empty. */
  setSize(width: number, height: number): void {
    this.stage.setSize(width, height)
    this.loop.hurry()
  }

  setFraming(framing: Framing): void {
    this.stage.setFraming(framing, this.noticed.still)
  }

  setTheme(theme: Theme): void {
    this.stage.setTheme(theme)
  }

  setState(state: BodyState): void {
    this.noticed = { ...this.noticed, state }
    this.alive.wake()
    this.settleBase()
  }

  setTraits(mood: number, energy: number): void {
    this.noticed = { ...this.noticed, mood, energy }
  }

  /** Sets whether reduced motion is requested. */
  setStill(asks: boolean): void {
    this.asksStill = asks
    this.stand()
  }

  /** Makes the avatar stand still if reduced motion is requested or the machine is too slow to animate. */
  private stand(): void {
    const still = this.asksStill || this.effort.quality.fps === 0
    if (still === this.noticed.still) return
    this.noticed = { ...this.noticed, still }
    this.stage.stale = true
    if (still) this.body?.hold()
    this.wanted = null
    this.settleBase()
  }

  /** Sets the position of the pointer, in pixels of the window. */
  point(x: number, y: number): void {
    this.pointer = { x, y }
    this.noticed = { ...this.noticed, pointerMoved: true }
    this.alive.wake()
  }

  /** Called when the user types; the avatar then listens for 2.5 s. */
  listen(): void {
    this.listens = LISTENS_FOR
    this.alive.wake()
  }

  wake(): void {
    this.alive.wake()
  }

  cue(cue: Cue): void {
    this.alive.wake()
    if (cue.action === 'expression') {
      this.alive.feel(cue.expression, cue.intensity)
      this.loop.hurry()
    }
    if (cue.action === 'look') this.alive.glance(this.towards(cue))
    else if (cue.action === 'play') void this.play(cue.animation)
  }

  private async play(name: string): Promise<void> {
    const { repertoire, body, noticed } = this
    if (!repertoire || !body) return
    if (!repertoire.has(name)) {
      this.told.onUnknown(name)
      return
    }
    const idle = name.toLowerCase() === 'idle'
    this.held = repertoire.loops(name) && !idle ? name : null
    this.settleBase()
    if (this.held || idle || noticed.still) return
    const clip = await repertoire.clip(name)
    if (clip && body === this.body) body.player.playOnce(clip)
  }

  /** Chooses the animation that plays while no other is requested. */
  private settleBase(): void {
    const { repertoire, body, noticed } = this
    const wanted = noticed.still ? null : (this.held ?? this.lasting())
    if (!repertoire || !body || wanted === this.wanted) return
    this.wanted = wanted
    if (wanted === null || !repertoire.has(wanted)) body.player.setBase(null)
    else
      void repertoire.clip(wanted).then((clip) => {
        if (this.wanted === wanted && body === this.body) body.player.setBase(clip)
      })
  }

  private lasting(): string | null {
    if (this.noticed.state === 'thinking') return 'think'
    if (this.alive.asleep) return this.repertoire?.loops('sleepy') ? 'sleepy' : null
    return this.noticed.listening && this.noticed.state === 'idle' ? 'listen' : null
  }

  private get fps(): number {
    if (this.noticed.still) return STILL_FPS
    const wanted = this.body?.player.busy || this.alive.stirred || this.stage.moving ? BUSY_FPS : this.alive.asleep ? ASLEEP_FPS : IDLE_FPS
    return Math.min(wanted, this.effort.quality.fps)
  }

  frame(dt: number): void {
    let left = dt
    do {
      this.live(Math.min(left, STEP))
      left -= STEP
    } while (left > 0)
    if (this.noticed.still && !this.changed) return
    this.effort.draws(
      () => this.draw(dt),
      () => this.stage.finish(),
    )
  }

  /** True if a still picture would look different if drawn again, or is due for a trial. */
  private get changed(): boolean {
    return this.stage.stale || this.drawn.face !== this.face || (!this.asksStill && performance.now() - this.drawn.at > TRIAL_MS)
  }

  private get face(): string {
    return Object.values(this.alive.shown.weights).join()
  }

  /** Advances all movement by `dt` seconds without drawing. */
  live(dt: number): void {
    const { body } = this
    if (!body) return
    this.listens = Math.max(0, this.listens - dt)
    const { pointer, pointerMoved } = this.noticed
    const seen = this.pointer && pointerMoved ? this.towards(this.pointer) : pointer
    this.noticed = { ...this.noticed, listening: this.listens > 0, pointer: seen, mouth: voice.mouth() }
    const sleepy = this.alive.step(dt, this.noticed)
    if (sleepy && !this.repertoire?.loops('sleepy') && this.repertoire?.has('sleepy')) void this.play('sleepy')
    this.settleBase()
    this.noticed.pointerMoved = false
    body.frame(this.noticed.still ? 0 : dt, this.alive.shown)
    this.tellShown()
  }

  draw(dt: number): void {
    const { body } = this
    if (!body) return
    const hips = body.vrm.humanoid.getRawBoneNode('hips')
    const at = hips ? new Vector3().setFromMatrixPosition(hips.matrixWorld) : new Vector3()
    this.stage.draw(dt, at, Math.max(0, at.y - body.measures.hips))
    if (this.noticed.still) this.drawn = { face: this.face, at: performance.now() }
  }

  /**
   * Starts or stops drawing as the avatar comes into or out of sight. After 500 ms out of sight, hair and
   * cloth are reset.
   */
  setSeen(seen: boolean): void {
    this.stage.stale = true
    if (!seen) this.out = performance.now()
    else if (performance.now() - this.out > 500) this.body?.settle()
    this.loop.setSeen(seen)
  }

  /** Fixes the quality regardless of how well the machine keeps up; `auto` adapts it. */
  setQuality(name: QualityName | 'auto'): void {
    this.effort.set(name)
  }

  private take(quality: Quality): void {
    this.stage.setQuality(quality)
    this.body?.setOutlines(quality.outlines)
    this.stand()
    this.told.onQuality(quality.name)
  }

  /** Returns the direction of a point on the page, as seen from the avatar's eyes. */
  private towards({ x, y }: { x: number; y: number }): Direction {
    const face = this.stage.pixelOf(new Vector3(0, this.body?.measures.eyes ?? 1, 0))
    return { x: Math.atan2(x - face.x, READER), y: Math.atan2(face.y - y, READER) }
  }

  private tellShown(): void {
    const { felt, asleep } = this.alive
    const shows = asleep ? 'asleep' : felt !== 'neutral' ? felt : this.noticed.state === 'thinking' ? 'thinking' : ''
    if (shows === this.shows) return
    this.shows = shows
    this.told.onShows(shows)
  }

  dispose(): void {
    this.wearing += 1
    this.repertoire = null
    this.loop.setSeen(false)
    this.body?.dispose()
    this.body = null
    this.stage.dispose()
  }
}
