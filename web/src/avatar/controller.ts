import { Vector3 } from 'three'
import type { AnimationInfo, BodyState } from '@/api/protocol.gen'
import type { Cue } from '@/body/cues'
import type { Theme } from '@/widgets/theme'
import { IdleBehaviour, type BehaviourInput } from './behaviour/idleBehaviour'
import type { Direction } from './behaviour/gaze'
import type { Random } from './behaviour/random'
import { Body } from './body'
import { QualityControl } from './qualityControl'
import type { Framing } from './framing'
import { Loop } from './loop'
import type { Quality, QualityName } from './quality'
import { AnimationLibrary } from './animationLibrary'
import { AvatarRenderer } from './renderer'
import { voice } from './voice'

/** Callbacks to the view that shows the avatar. */
export interface AvatarCallbacks {
  /** Receives a one-word description of the avatar's state for users who cannot see it, or an empty text. */
  onDescription: (shows: string) => void
  /** Receives the name of an animation that does not exist. */
  onUnknown: (name: string) => void
  onBroken: (name: string, reason: string) => void
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
export class AvatarController {
  readonly renderer: AvatarRenderer
  readonly loop: Loop
  readonly behaviour: IdleBehaviour
  body: Body | null = null
  private readonly callbacks: AvatarCallbacks
  private library: AnimationLibrary | null = null
  private animations: AnimationInfo[] = []
  private input: BehaviourInput = { pointer: null, pointerMoved: false, listening: false, state: 'idle', mood: 0.5, energy: 0.5, mouth: null, still: false }
  private pointer: { x: number; y: number } | null = null
  private listenSeconds = 0
  /** A looping animation that continues until another one is played. */
  private loopingAnimation: string | null = null
  private baseName: string | null = null
  private loadNumber = 0
  /** The number of bodies shown so far. */
  dressed = 0
  private out = 0
  readonly qualityControl: QualityControl
  private reducedMotion = false
  private drawn = { face: '', at: 0 }
  private description = ''

  /** Opens the canvas. Returns null if WebGL is not available. */
  static open(canvas: HTMLCanvasElement, random: Random, callbacks: AvatarCallbacks): AvatarController | null {
    const stage = AvatarRenderer.open(canvas)
    return stage ? new AvatarController(stage, random, callbacks) : null
  }

  private constructor(stage: AvatarRenderer, random: Random, callbacks: AvatarCallbacks) {
    this.renderer = stage
    this.callbacks = callbacks
    this.behaviour = new IdleBehaviour(random)
    this.qualityControl = new QualityControl(stage.software, (quality) => this.applyQuality(quality))
    this.applyQuality(this.qualityControl.quality)
    this.loop = new Loop({
      fps: () => this.fps,
      longest: () => (this.input.still ? 1 : Math.max(STEP, 1.5 / this.fps)),
      frame: (dt) => this.frame(dt),
      took: (ms, due) => this.qualityControl.recordFrame(ms, due),
    })
  }

  /** Shows another body. If it cannot be read, the current one stays and the reason is thrown. */
  async showBody(bytes: ArrayBuffer): Promise<void> {
    this.loadNumber += 1
    const mine = this.loadNumber
    const body = await Body.read(bytes)
    const { animations } = this
    const repertoire = new AnimationLibrary(body, animations, this.callbacks.onBroken, null)
    await repertoire.loadIdle(false)
    if (mine !== this.loadNumber) {
      body.dispose()
      return
    }
    const before = this.body
    this.body = body
    this.dressed += 1
    this.library = repertoire
    this.baseName = null
    body.setOutlines(this.qualityControl.quality.outlines)
    this.renderer.show(body.vrm.scene, body.measures)
    before?.dispose()
    this.updateBaseAnimation()
    this.frame(0)
    body.settle()
    // The animations may have changed meanwhile.
    if (animations !== this.animations) void this.loadAnimations(body)
  }

  setAnimations(animations: AnimationInfo[]): void {
    const same = animations.length === this.animations.length && animations.every(({ url }, index) => url === this.animations[index]?.url)
    if (same) return
    this.animations = animations
    if (this.body) void this.loadAnimations(this.body)
  }

  /** Loads the animations for the current body. */
  private async loadAnimations(body: Body): Promise<void> {
    const repertoire = new AnimationLibrary(body, this.animations, this.callbacks.onBroken, this.library)
    this.library = repertoire
    await repertoire.loadIdle(!this.input.still)
    if (this.library !== repertoire) return
    this.renderer.stale = true
    this.baseName = null
    this.updateBaseAnimation()
  }

  /** Resizes the canvas and redraws soon, since a resized canvas is empty. */
  setSize(width: number, height: number): void {
    this.renderer.setSize(width, height)
    this.loop.hurry()
  }

  setFraming(framing: Framing): void {
    this.renderer.setFraming(framing, this.input.still)
  }

  setTheme(theme: Theme): void {
    this.renderer.setTheme(theme)
  }

  setState(state: BodyState): void {
    this.input = { ...this.input, state }
    this.behaviour.wake()
    this.updateBaseAnimation()
  }

  setTraits(mood: number, energy: number): void {
    this.input = { ...this.input, mood, energy }
  }

  /** Sets whether reduced motion is requested. */
  setStill(asks: boolean): void {
    this.reducedMotion = asks
    this.updateStill()
  }

  /** Makes the avatar stand still if reduced motion is requested or the machine is too slow to animate. */
  private updateStill(): void {
    const still = this.reducedMotion || this.qualityControl.quality.fps === 0
    if (still === this.input.still) return
    this.input = { ...this.input, still }
    this.renderer.stale = true
    if (still) this.body?.hold()
    this.baseName = null
    this.updateBaseAnimation()
  }

  /** Sets the position of the pointer, in pixels of the window. */
  setPointer(x: number, y: number): void {
    this.pointer = { x, y }
    this.input = { ...this.input, pointerMoved: true }
    this.behaviour.wake()
  }

  /** Called when the user types; the avatar then listens for 2.5 s. */
  listen(): void {
    this.listenSeconds = LISTENS_FOR
    this.behaviour.wake()
  }

  wake(): void {
    this.behaviour.wake()
  }

  cue(cue: Cue): void {
    this.behaviour.wake()
    if (cue.action === 'expression') {
      this.behaviour.express(cue.expression, cue.intensity)
      this.loop.hurry()
    }
    if (cue.action === 'look') this.behaviour.glance(this.towards(cue))
    else if (cue.action === 'play') void this.play(cue.animation)
  }

  private async play(name: string): Promise<void> {
    const { library, body, input } = this
    if (!library || !body) return
    if (!library.has(name)) {
      this.callbacks.onUnknown(name)
      return
    }
    const idle = name.toLowerCase() === 'idle'
    this.loopingAnimation = library.loops(name) && !idle ? name : null
    this.updateBaseAnimation()
    if (this.loopingAnimation || idle || input.still) return
    const clip = await library.clip(name)
    if (clip && body === this.body) body.player.playOnce(clip)
  }

  /** Chooses the animation that plays while no other is requested. */
  private updateBaseAnimation(): void {
    const { library, body, input } = this
    const wanted = input.still ? null : (this.loopingAnimation ?? this.stateAnimation())
    if (!library || !body || wanted === this.baseName) return
    this.baseName = wanted
    if (wanted === null || !library.has(wanted)) body.player.setBase(null)
    else
      void library.clip(wanted).then((clip) => {
        if (this.baseName === wanted && body === this.body) body.player.setBase(clip)
      })
  }

  private stateAnimation(): string | null {
    if (this.input.state === 'thinking') return 'think'
    if (this.behaviour.asleep) return this.library?.loops('sleepy') ? 'sleepy' : null
    return this.input.listening && this.input.state === 'idle' ? 'listen' : null
  }

  private get fps(): number {
    if (this.input.still) return STILL_FPS
    const wanted = this.body?.player.busy || this.behaviour.moving || this.renderer.moving ? BUSY_FPS : this.behaviour.asleep ? ASLEEP_FPS : IDLE_FPS
    return Math.min(wanted, this.qualityControl.quality.fps)
  }

  frame(dt: number): void {
    let left = dt
    do {
      this.advance(Math.min(left, STEP))
      left -= STEP
    } while (left > 0)
    if (this.input.still && !this.changed) return
    this.qualityControl.draw(
      () => this.draw(dt),
      () => this.renderer.finish(),
    )
  }

  /** True if a still picture would look different if drawn again, or is due for a trial. */
  private get changed(): boolean {
    return this.renderer.stale || this.drawn.face !== this.face || (!this.reducedMotion && performance.now() - this.drawn.at > TRIAL_MS)
  }

  private get face(): string {
    return Object.values(this.behaviour.output.weights).join()
  }

  /** Advances all movement by `dt` seconds without drawing. */
  advance(dt: number): void {
    const { body } = this
    if (!body) return
    this.listenSeconds = Math.max(0, this.listenSeconds - dt)
    const { pointer, pointerMoved } = this.input
    const seen = this.pointer && pointerMoved ? this.towards(this.pointer) : pointer
    this.input = { ...this.input, listening: this.listenSeconds > 0, pointer: seen, mouth: voice.mouth() }
    const sleepy = this.behaviour.step(dt, this.input)
    if (sleepy && !this.library?.loops('sleepy') && this.library?.has('sleepy')) void this.play('sleepy')
    this.updateBaseAnimation()
    this.input.pointerMoved = false
    body.frame(this.input.still ? 0 : dt, this.behaviour.output)
    this.reportDescription()
  }

  draw(dt: number): void {
    const { body } = this
    if (!body) return
    const hips = body.vrm.humanoid.getRawBoneNode('hips')
    const at = hips ? new Vector3().setFromMatrixPosition(hips.matrixWorld) : new Vector3()
    this.renderer.draw(dt, at, Math.max(0, at.y - body.measures.hips))
    if (this.input.still) this.drawn = { face: this.face, at: performance.now() }
  }

  /**
   * Starts or stops drawing as the avatar comes into or out of sight. After 500 ms out of sight, hair and
   * cloth are reset.
   */
  setSeen(seen: boolean): void {
    this.renderer.stale = true
    if (!seen) this.out = performance.now()
    else if (performance.now() - this.out > 500) this.body?.settle()
    this.loop.setSeen(seen)
  }

  /** Fixes the quality regardless of how well the machine keeps up; `auto` adapts it. */
  setQuality(name: QualityName | 'auto'): void {
    this.qualityControl.set(name)
  }

  private applyQuality(quality: Quality): void {
    this.renderer.setQuality(quality)
    this.body?.setOutlines(quality.outlines)
    this.updateStill()
    this.callbacks.onQuality(quality.name)
  }

  /** Returns the direction of a point on the page, as seen from the avatar's eyes. */
  private towards({ x, y }: { x: number; y: number }): Direction {
    const face = this.renderer.pixelOf(new Vector3(0, this.body?.measures.eyes ?? 1, 0))
    return { x: Math.atan2(x - face.x, READER), y: Math.atan2(face.y - y, READER) }
  }

  private reportDescription(): void {
    const { expression, asleep } = this.behaviour
    const shows = asleep ? 'asleep' : expression !== 'neutral' ? expression : this.input.state === 'thinking' ? 'thinking' : ''
    if (shows === this.description) return
    this.description = shows
    this.callbacks.onDescription(shows)
  }

  dispose(): void {
    this.loadNumber += 1
    this.library = null
    this.loop.setSeen(false)
    this.body?.dispose()
    this.body = null
    this.renderer.dispose()
  }
}
