import type { VRM, VRMHumanBoneName } from '@pixiv/three-vrm'
import { AnimationClip, InterpolateDiscrete, type KeyframeTrack, NumberKeyframeTrack, QuaternionKeyframeTrack, VectorKeyframeTrack } from 'three'
import type { Curve, Motion } from './motion'

/** Where the weights of an animation go: each has a place of its own, since her face is moved by more than animations. */
export type WeightPlace = (expression: string) => string | null

/** A motion as one body makes it. Bones that it lacks are left out, and its hips rise as high as its legs are long. */
export function clipFor(name: string, motion: Motion, vrm: VRM, place: WeightPlace): AnimationClip {
  // A body of the first kind faces the other way: half a turn around the upright axis changes these signs.
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

/** A clip that says nothing of a bone would let it fall back into the T-pose: it holds it as another clip begins. */
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

/** What breathes: only this goes on beneath another animation. */
export const BREATHING: VRMHumanBoneName[] = ['spine', 'chest', 'upperChest', 'neck', 'leftShoulder', 'rightShoulder']
