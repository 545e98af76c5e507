import type { VRM, VRMHumanBoneName } from '@pixiv/three-vrm'
import { AnimationClip, InterpolateDiscrete, type KeyframeTrack, NumberKeyframeTrack, QuaternionKeyframeTrack, VectorKeyframeTrack } from 'three'
import type { Curve, Motion } from './motion'

/**
 * Returns the track target for an expression's weight. Each weight has an object of its own, since not only
 * animations move the face.
 */
export type WeightPlace = (expression: string) => string | null

/**
 * Retargets a motion to a body. Bones that the body lacks are left out, and hip movement is scaled to its leg
 * length.
 */
export function clipFor(name: string, motion: Motion, vrm: VRM, place: WeightPlace): AnimationClip {
  // A VRM 0 body faces the other way: half a turn around the vertical axis changes these signs.
  const backwards = vrm.meta.metaVersion === '0'
  const tracks: KeyframeTrack[] = []
  for (const [bone, curve] of motion.turns) {
    const node = vrm.humanoid.getNormalizedBoneNode(bone)
    if (!node) continue
    const values = backwards ? curve.values.map((value, i) => (i % 2 === 0 ? -value : value)) : curve.values
    tracks.push(stepped(new QuaternionKeyframeTrack(`${node.uuid}.quaternion`, curve.times, values), curve))
  }
  const hips = vrm.humanoid.getNormalizedBoneNode('hips')
  if (motion.hips && hips && motion.hipsHeight > 0) {
    const scale = hipsHeightOf(vrm) / motion.hipsHeight
    const [x, , z] = restOfHips(vrm)
    const values = motion.hips.values.map((value, i) => (i % 3 === 1 ? value * scale : (backwards ? -value : value) * scale + (i % 3 === 0 ? x : z)))
    tracks.push(stepped(new VectorKeyframeTrack(`${hips.uuid}.position`, motion.hips.times, values), motion.hips))
  }
  for (const [expression, curve] of motion.weights) {
    const target = place(expression)
    if (target) tracks.push(stepped(new NumberKeyframeTrack(target, curve.times, curve.values), curve))
  }
  return new AnimationClip(name, motion.seconds, tracks)
}

function stepped(track: KeyframeTrack, curve: Curve): KeyframeTrack {
  return curve.stepped ? track.setInterpolation(InterpolateDiscrete) : track
}

function restOfHips(vrm: VRM): [number, number, number] {
  return vrm.humanoid.normalizedRestPose.hips?.position ?? [0, 1, 0]
}

export function hipsHeightOf(vrm: VRM): number {
  return restOfHips(vrm)[1]
}

/**
 * Fills in the bones that a clip does not animate, which would fall back to the T-pose: they keep the pose in
 * which the other clip begins.
 */
export function completed(clip: AnimationClip, by: AnimationClip): AnimationClip {
  const known = new Set(clip.tracks.map(({ name }) => name))
  for (const track of by.tracks) {
    if (known.has(track.name) || !/\.(quaternion|position)$/.test(track.name)) continue
    const size = track.getValueSize()
    const Track = track.constructor as new (name: string, times: number[], values: number[]) => KeyframeTrack
    clip.tracks.push(new Track(track.name, [0], Array.from(track.values.slice(0, size))))
  }
  return clip
}

/**
 * The bones used for breathing, the only part of the idle animation that continues beneath another animation.
 */
export const BREATHING: VRMHumanBoneName[] = ['spine', 'chest', 'upperChest', 'neck', 'leftShoulder', 'rightShoulder']
