import type { VRMHumanBoneName } from '@pixiv/three-vrm'
import { type AnimationClip, type KeyframeTrack, type Object3D, Quaternion, Vector3 } from 'three'
import { disposeOf } from '../load'
import { selfContainedManager } from '../selfContained'
import { type Curve, type Motion, onTheSpot } from './motion'
import { type Rest, restOf } from './rest'

/** Reads a motion from Mixamo or any skeleton with the same bone names. The file need not contain a mesh. */
export async function readFbx(bytes: ArrayBuffer): Promise<Motion> {
  const { FBXLoader } = await import('three/addons/loaders/FBXLoader.js')
  const root = new FBXLoader(selfContainedManager()).parse(bytes, '')
  try {
    return motionOf(root)
  } finally {
    disposeOf(root)
  }
}

export function motionOf(root: Object3D): Motion {
  const clip = root.animations.reduce<AnimationClip | null>((best, next) => (best && best.tracks.length >= next.tracks.length ? best : next), null)
  if (!clip || clip.tracks.length === 0) throw new Error('it contains no animation')
  const rest = restOf(root)
  if (!rest) throw new Error('the names of its bones are not known')
  const turns = new Map<VRMHumanBoneName, Curve>()
  let hips: Curve | null = null
  const hipsHeight = heightOf(rest)
  for (const [bone, node] of rest.bones) {
    const turned = trackOf(clip, node, 'quaternion')
    if (turned) turns.set(bone, turnsOf(turned, node, rest))
    const moved = bone === 'hips' ? trackOf(clip, node, 'position') : undefined
    if (moved && hipsHeight > 0) hips = onTheSpot(wayOf(moved, node, rest), hipsHeight)
  }
  if (turns.size === 0) throw new Error('it moves no bones')
  return { seconds: clip.duration, turns, hips, hipsHeight, weights: new Map() }
}

function trackOf(clip: AnimationClip, node: Object3D, property: string): KeyframeTrack | undefined {
  return clip.tracks.find(({ name }) => name === `${node.name}.${property}`)
}

/**
 * Converts local bone rotations to rotations from the T-pose: relative to the parent, with parent and bone
 * both in their T-pose orientation.
 */
function turnsOf(track: KeyframeTrack, node: Object3D, { straight }: Rest): Curve {
  const before = (node.parent && straight.get(node.parent)) ?? new Quaternion()
  const after = (straight.get(node) ?? new Quaternion()).clone().invert()
  const values = new Float32Array(track.values.length)
  const turn = new Quaternion()
  for (let i = 0; i < values.length; i += 4) turn.fromArray(track.values, i).premultiply(before).multiply(after).toArray(values, i)
  return { times: Float32Array.from(track.times), values, stepped: false }
}

function wayOf(track: KeyframeTrack, node: Object3D, { facing }: Rest): Curve {
  const values = new Float32Array(track.values.length)
  const place = new Vector3()
  for (let i = 0; i < values.length; i += 3) {
    place.fromArray(track.values, i)
    if (node.parent) place.applyMatrix4(node.parent.matrixWorld)
    place.applyQuaternion(facing).toArray(values, i)
  }
  return { times: Float32Array.from(track.times), values, stepped: false }
}

/** Returns the height of the hips above the ground; in some files the hips are at the origin instead. */
function heightOf({ bones }: Rest): number {
  const height = (bone: VRMHumanBoneName) => {
    const node = bones.get(bone)
    return node ? new Vector3().setFromMatrixPosition(node.matrixWorld).y : 0
  }
  const hips = height('hips')
  const lowest = Math.min(height('leftFoot'), height('rightFoot'), height('leftToes'), height('rightToes'))
  return hips > 0 && lowest > -0.1 * hips ? hips : hips - lowest
}
