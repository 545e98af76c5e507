import type { VRM, VRMHumanBoneName } from '@pixiv/three-vrm'
import { type AnimationClip, Euler, Group, type Material, type Mesh, Object3D, Quaternion, Vector3 } from 'three'
import type { BehaviourOutput } from './behaviour/idleBehaviour'
import { clamp } from './behaviour/ease'
import type { BoneRotation } from './behaviour/posture'
import { disposeOf, parseBody } from './load'
import { measure, type Measures } from './measure'
import type { Motion } from './motion/motion'
import { BREATHING, clipFor, completed } from './motion/retarget'
import { standing } from './motion/standing'
import { AnimationPlayer } from './animationPlayer'

/** Receives the weight of one expression from the animations. */
class Weight extends Object3D {
  weight = 0
}

const FAR = 2
const LOOKS = ['lookLeft', 'lookRight', 'lookUp', 'lookDown']
/** Shares of the hips' height, see `planted`. */
const HOVER = 0.05
const LEAP = 0.15

/** A loaded body with its animations and, on top of them, the idle behaviour. */
export class Body {
  readonly vrm: VRM
  readonly measures: Measures
  readonly player: AnimationPlayer
  private readonly weights = new Map<string, Weight>()
  /** The pose in which the animations left the bones that are turned further. */
  private readonly bases = new Map<Object3D, { quaternion: Quaternion; position: Vector3 }>()
  private readonly target = new Object3D()
  private readonly backwards: boolean
  private idle: AnimationClip

  static async read(bytes: ArrayBuffer): Promise<Body> {
    const vrm = await parseBody(bytes)
    try {
      return new Body(vrm)
    } catch (error) {
      disposeOf(vrm.scene)
      throw error
    }
  }

  private constructor(vrm: VRM) {
    this.vrm = vrm
    this.backwards = vrm.meta.metaVersion === '0'
    this.measures = measure(vrm)
    const group = new Group()
    for (const { expressionName } of vrm.expressionManager?.expressions ?? []) {
      const weight = new Weight()
      this.weights.set(expressionName, weight)
      group.add(weight)
    }
    vrm.scene.add(group)
    if (vrm.lookAt) vrm.lookAt.target = this.target
    for (const bone of ['hips', ...BREATHING, 'head'] as VRMHumanBoneName[]) {
      const node = vrm.humanoid.getNormalizedBoneNode(bone)
      if (node) this.bases.set(node, { quaternion: node.quaternion.clone(), position: node.position.clone() })
    }
    this.player = new AnimationPlayer(vrm.scene)
    this.idle = clipFor('idle', standing(), vrm, () => null)
    this.breathe(false)
    this.frame(0, null)
    this.settle()
  }

  /** Retargets a motion to this body. */
  clip(name: string, motion: Motion): AnimationClip {
    const clip = clipFor(name, motion, this.vrm, (expression) => {
      const weight = this.weights.get(expression)
      return weight ? `${weight.uuid}.weight` : null
    })
    return completed(clip, this.idle)
  }

  /** Sets the idle animation. Returns false if it is unchanged. */
  setIdle(clip: AnimationClip, fades: boolean): boolean {
    if (clip === this.idle) return false
    this.idle = clip
    this.breathe(fades)
    return true
  }

  /** Stops all animations and returns to the start of the idle pose. */
  hold(): void {
    this.breathe(false)
  }

  private breathe(fades: boolean): void {
    const breathing = new Set(BREATHING.map((bone) => `${this.vrm.humanoid.getNormalizedBoneNode(bone)?.uuid}.quaternion`))
    this.player.setIdle(this.idle, (track) => breathing.has(track), fades)
  }

  /** Computes one frame: first the animations, then the idle behaviour, then constraints and spring bones. */
  frame(dt: number, shown: BehaviourOutput | null): void {
    const { humanoid, expressionManager, lookAt, nodeConstraintManager, springBoneManager, materials, scene } = this.vrm
    // Animations write only values that change, so the rotations added in the last frame must be undone
    // first.
    for (const [node, { quaternion, position }] of this.bases) {
      node.quaternion.copy(quaternion)
      node.position.copy(position)
    }
    this.player.update(dt, shown?.pace ?? 1)
    for (const [node, { quaternion, position }] of this.bases) {
      quaternion.copy(node.quaternion)
      position.copy(node.position)
    }
    for (const [bone, turn] of Object.entries(shown?.turns ?? {})) this.turn(bone as VRMHumanBoneName, turn)
    this.stand()
    humanoid.update()
    scene.updateMatrixWorld(true)
    for (const name of this.weights.keys()) expressionManager?.setValue(name, 0)
    this.look(shown)
    lookAt?.update(dt)
    // If an animation moves the eyes, the computed gaze yields to it, or both would add up. Shut eyes have no
    // gaze.
    const shut = (this.weights.get('blink')?.weight ?? 0) + (shown?.weights['blink'] ?? 0)
    const free = 1 - Math.max(shut, ...LOOKS.map((name) => this.weights.get(name)?.weight ?? 0))
    for (const [name, { weight }] of this.weights) {
      const own = (expressionManager?.getValue(name) ?? 0) * (LOOKS.includes(name) ? clamp(free, 0, 1) : 1)
      expressionManager?.setValue(name, own + weight + (shown?.weights[name] ?? shown?.weights[name.toLowerCase()] ?? 0))
    }
    expressionManager?.update()
    nodeConstraintManager?.update()
    springBoneManager?.update(dt)
    for (const material of materials ?? []) (material as Material & { update?: (dt: number) => void }).update?.(dt)
  }

  /** Resets hair and cloth, which would otherwise swing wildly after a long time out of sight. */
  settle(): void {
    this.vrm.scene.updateMatrixWorld(true)
    this.vrm.springBoneManager?.reset()
  }

  private turn(bone: VRMHumanBoneName, [pitch, yaw, roll]: BoneRotation): void {
    const node = this.vrm.humanoid.getNormalizedBoneNode(bone)
    if (!node) return
    const flip = this.backwards ? -1 : 1
    node.quaternion.premultiply(new Quaternion().setFromEuler(new Euler(pitch * flip, yaw, -roll * flip, 'YXZ')))
  }

  /** Keeps the feet on the ground, whatever leg length an animation was made for. */
  private stand(): void {
    const { humanoid } = this.vrm
    const hips = humanoid.getNormalizedBoneNode('hips')
    if (!hips) return
    humanoid.normalizedHumanBonesRoot.updateMatrixWorld(true)
    let lowest = Infinity
    for (const bone of ['leftFoot', 'rightFoot', 'leftToes', 'rightToes'] as const) {
      const node = humanoid.getNormalizedBoneNode(bone)
      if (node) lowest = Math.min(lowest, node.matrixWorld.elements[13])
    }
    hips.position.y -= planted(lowest - this.measures.soles, this.measures.hips)
  }

  private look(shown: BehaviourOutput | null): void {
    const { eyes } = this.measures
    const { x, y } = shown?.eyes ?? { x: 0, y: 0 }
    this.target.position.set(Math.sin(x) * Math.cos(y) * FAR, eyes + Math.sin(y) * FAR, Math.cos(x) * Math.cos(y) * FAR)
    this.target.updateMatrixWorld()
  }

  setOutlines(shown: boolean): void {
    this.vrm.scene.traverse((part) => {
      for (const material of [(part as Partial<Mesh>).material ?? []].flat()) if ('isOutline' in material && material.isOutline) material.visible = shown
    })
  }

  dispose(): void {
    this.player.dispose()
    this.vrm.scene.removeFromParent()
    disposeOf(this.vrm.scene)
  }
}

/**
 * Returns how much of a lift to undo: feet never sink below the ground or hover just above it, but a leap is
 * left alone.
 */
export function planted(lift: number, hipsHeight: number): number {
  const part = lift / hipsHeight
  if (part <= HOVER) return lift
  return part >= LEAP ? 0 : (lift * (LEAP - part)) / (LEAP - HOVER)
}
