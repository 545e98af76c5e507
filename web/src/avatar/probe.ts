import { Vector3 } from 'three'
import type { QualityName } from './quality'
import type { AvatarController } from './controller'

/**
 * A test's request to a canvas, sent as the detail of a `perigee:probe` event; `answer` is added to the same
 * object.
 */
interface Asked {
  /** Stops or resumes the automatic frames. */
  pause?: boolean
  /** Advances by this many seconds in frames of 1/60 s without drawing. */
  step?: number
  /** Runs one frame as the loop would after this many seconds, drawn or not. */
  frame?: number
  /** Shows this expression alone until the next step. */
  face?: string
  draw?: boolean
  quality?: QualityName
  answer?: object
}

const BONES = ['head', 'hips', 'leftHand', 'rightHand', 'leftFoot', 'rightFoot', 'leftUpperArm', 'rightUpperArm', 'spine', 'neck', 'chest'] as const

/**
 * Answers the probes of tests with bone positions and facial weights, so that they need not inspect pixels.
 * Nothing else uses it.
 */
export function answerProbe(canvas: HTMLCanvasElement, presence: AvatarController): () => void {
  const answer = (event: Event) => {
    const asked = (event as CustomEvent<Asked>).detail
    if (asked.pause !== undefined) presence.loop.setPaused(asked.pause)
    if (asked.quality) presence.setQuality(asked.quality)
    for (let left = asked.step ?? 0; left > 1e-6; left -= 1 / 60) presence.advance(Math.min(left, 1 / 60))
    if (asked.frame !== undefined) presence.frame(asked.frame)
    if (asked.face !== undefined) putOn(presence, asked.face)
    if (asked.draw) presence.draw(1)
    asked.answer = report(presence)
  }
  canvas.addEventListener('perigee:probe', answer)
  return () => canvas.removeEventListener('perigee:probe', answer)
}

function putOn({ body }: AvatarController, face: string): void {
  const manager = body?.vrm.expressionManager
  for (const { expressionName } of manager?.expressions ?? []) manager?.setValue(expressionName, expressionName === face ? 1 : 0)
  manager?.update()
}

function report({ body, renderer, dressed, qualityControl }: AvatarController): object {
  const { render, memory } = renderer.renderer.info
  const drawn = { frame: render.frame, calls: render.calls, geometries: memory.geometries, textures: memory.textures }
  if (!body) return { drawn, quality: qualityControl.quality }
  const { humanoid, expressionManager, lookAt, scene } = body.vrm
  const bones: Record<string, { at: number[]; turn: number[] }> = {}
  for (const bone of BONES) {
    const raw = humanoid.getRawBoneNode(bone)
    const node = humanoid.getNormalizedBoneNode(bone)
    if (raw && node) bones[bone] = { at: raw.getWorldPosition(new Vector3()).toArray(), turn: node.quaternion.toArray() }
  }
  const weights: Record<string, number> = {}
  for (const { expressionName, weight } of expressionManager?.expressions ?? []) weights[expressionName] = weight
  const morphs: Record<string, number> = {}
  scene.traverse((part) => {
    const { morphTargetDictionary: names, morphTargetInfluences: values } = part as { morphTargetDictionary?: Record<string, number>; morphTargetInfluences?: number[] }
    for (const [name, index] of Object.entries(names ?? {})) morphs[name] = Math.max(morphs[name] ?? 0, values?.[index] ?? 0)
  })
  return { drawn, quality: qualityControl.quality, dressed, bones, weights, morphs, measures: body.measures, playing: body.player.weights, eyes: { yaw: lookAt?.yaw ?? 0, pitch: lookAt?.pitch ?? 0 } }
}
