import type { BodyState, Expression } from '@/api/protocol.gen'
import { blink, type Blink, firstBlink, shut } from './blink'
import { follow } from './ease'
import { blinkShare, NEUTRAL, withExpression, stepExpressionAtOnce, type ExpressionState, stepExpression, isChanging } from './expression'
import { isDirected, type Direction, type Gaze, stepGaze, glanceAt, STRAIGHT } from './gaze'
import { type Mouth, stepMouth, SHAPES, SHUT } from './lips'
import { nod, stepNods, type Nods, NO_NODS } from './nods'
import { idleSpeed, posture, type BoneRotations } from './posture'
import type { Random } from './random'
import { AWAKE, AWAKE_FOR, fallsAsleep, type Sleep, stepSleep, woken } from './sleep'

/** The input of a frame. */
export interface BehaviourInput {
  pointer: Direction | null
  pointerMoved: boolean
  /** True while the user is writing. */
  listening: boolean
  state: BodyState
  mood: number
  energy: number
  /** The mouth shape to show; null while the avatar is silent. */
  mouth: Mouth | null
  /** True if the avatar must stand still. */
  still: boolean
}

/** The values applied on top of the animations. */
export interface BehaviourOutput {
  turns: BoneRotations
  weights: Record<string, number>
  eyes: Direction
  /** The speed factor of the idle animation. */
  pace: number
}

const LEAN_RATE = 4

/**
 * The idle behaviour of the avatar: blinking, gaze, expression, nods, posture and sleep. It is independent of
 * rendering.
 */
export class IdleBehaviour {
  private readonly random: Random
  private blinks: Blink
  private gaze: Gaze = STRAIGHT
  private feeling: ExpressionState = NEUTRAL
  private mouth: Mouth = SHUT
  private sleep: Sleep = AWAKE
  private nods: Nods = NO_NODS
  private lean = 0
  private before: BehaviourInput | null = null

  constructor(random: Random) {
    this.random = random
    this.blinks = firstBlink(random)
  }

  express(expression: Expression, intensity: number): void {
    this.wake()
    this.feeling = withExpression(this.feeling, expression, intensity)
  }

  glance(direction: Direction): void {
    this.wake()
    this.gaze = glanceAt(this.gaze, direction)
  }

  wake(): void {
    this.sleep = woken(this.sleep)
  }

  /** Advances by one frame. Returns true if the avatar becomes sleepy in this frame. */
  step(dt: number, noticed: BehaviourInput): boolean {
    this.before = noticed
    const { still, listening, state, mouth } = noticed
    const slept = this.sleep
    this.sleep = stepSleep(slept, dt, listening || state !== 'idle' || mouth !== null || noticed.pointerMoved)
    if (still) {
      this.sleep = { ...this.sleep, depth: this.asleep ? 1 : 0 }
      this.feeling = stepExpressionAtOnce(this.feeling, dt)
      this.gaze = STRAIGHT
      this.mouth = SHUT
      this.nods = NO_NODS
      this.lean = 0
      return false
    }
    this.blinks = blink(this.blinks, dt, this.random)
    this.feeling = stepExpression(this.feeling, dt)
    this.gaze = stepGaze(this.gaze, dt, { ...noticed, attention: (state === 'thinking' ? 0.35 : 1) * (1 - this.sleep.depth) }, this.random)
    this.mouth = stepMouth(this.mouth, mouth ?? SHUT, dt)
    this.nods = stepNods(this.nods, dt, state === 'answering' || mouth !== null, this.random)
    this.lean = follow(this.lean, listening && state === 'idle' ? 1 : 0, LEAN_RATE, dt)
    return fallsAsleep(slept, this.sleep)
  }

  get asleep(): boolean {
    return this.sleep.alone >= AWAKE_FOR
  }

  /** The current expression, for users who cannot see it. */
  get expression(): Expression {
    return this.feeling.current ?? 'neutral'
  }

  /** True while something moves that should be drawn at the full frame rate. */
  get moving(): boolean {
    return isDirected(this.gaze) || isChanging(this.feeling) || this.nods.wait < 0 || SHAPES.some((shape) => this.mouth[shape] > 0) || this.blinks.wait < 0
  }

  get output(): BehaviourOutput {
    const { mood = 0.5, energy = 0.5, still = false } = this.before ?? {}
    const { depth } = this.sleep
    const lids = still ? 0 : shut(this.blinks) * blinkShare(this.feeling)
    return {
      turns: posture({ mood, energy, lean: this.lean, sleep: depth, nod: nod(this.nods), head: this.gaze.head }),
      weights: { ...this.feeling.weights, ...this.mouth, blink: Math.max(lids, depth * blinkShare(this.feeling)) },
      eyes: this.gaze.eyes,
      pace: idleSpeed(energy, depth),
    }
  }
}
