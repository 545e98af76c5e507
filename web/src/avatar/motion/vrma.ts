import type { VRMHumanBoneName } from '@pixiv/three-vrm'
import { type VRMAnimation, VRMAnimationLoaderPlugin } from '@pixiv/three-vrm-animation'
import { InterpolateDiscrete, type KeyframeTrack } from 'three'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
import { selfContainedManager } from '../selfContained'
import { type Curve, type Motion, onTheSpot } from './motion'

/** Samples per second for curves with cubic interpolation. */
const FINE = 30

/** Reads a VRM animation. Its look-at is ignored, because the avatar controls its own gaze. */
export async function readVrma(bytes: ArrayBuffer): Promise<Motion> {
  const loader = new GLTFLoader(selfContainedManager())
  loader.register((parser) => new VRMAnimationLoaderPlugin(parser))
  const { userData } = await loader.parseAsync(bytes, '')
  const animation = (userData['vrmAnimations'] as VRMAnimation[] | undefined)?.[0]
  if (!animation) throw new Error('it contains no animation')
  const hipsHeight = animation.restHipsPosition.y
  const hips = animation.humanoidTracks.translation.get('hips')
  const turns = new Map<VRMHumanBoneName, Curve>()
  for (const [bone, track] of animation.humanoidTracks.rotation) turns.set(bone, curveOf(track, 4))
  const weights = new Map<string, Curve>()
  for (const tracks of [animation.expressionTracks.preset, animation.expressionTracks.custom]) {
    for (const [name, track] of tracks) weights.set(name, weightsOf(track))
  }
  if (turns.size === 0 && weights.size === 0) throw new Error('it moves no bones')
  return {
    seconds: animation.duration,
    turns,
    hips: hips && hipsHeight > 1e-3 ? onTheSpot(curveOf(hips, 3), hipsHeight) : null,
    hipsHeight,
    weights,
  }
}

/** Converts a track to a curve. A cubic spline track has three values per key, so it is sampled instead. */
function curveOf(track: KeyframeTrack, size: number): Curve {
  const times = Float32Array.from(track.times)
  const stepped = track.getInterpolation() === InterpolateDiscrete
  if (track.values.length === times.length * size) return { times, values: Float32Array.from(track.values), stepped }
  const begin = times[0] ?? 0
  const count = Math.max(2, Math.ceil(((times.at(-1) ?? 0) - begin) * FINE) + 1)
  const fine: Curve = { times: new Float32Array(count), values: new Float32Array(count * size), stepped: false }
  for (let i = 0; i < count; i++) {
    const part = i / (count - 1)
    const at = begin + ((times.at(-1) ?? 0) - begin) * part
    fine.times[i] = at
    fine.values.set(cubic(track, at, size), i * size)
  }
  return fine
}

/**
 * Evaluates a cubic spline, in which each value is preceded by its in-tangent and followed by its
 * out-tangent.
 */
function cubic({ times, values }: KeyframeTrack, at: number, size: number): number[] {
  let key = 0
  while (key < times.length - 2 && at > (times[key + 1] ?? 0)) key += 1
  const from = times[key] ?? 0
  const span = (times[key + 1] ?? from) - from || 1
  const t = (at - from) / span
  const value = (index: number, part: number, i: number) => values[(index * 3 + part) * size + i] ?? 0
  return Array.from({ length: size }, (_, i) => {
    const [p0, m0, p1, m1] = [value(key, 1, i), value(key, 2, i) * span, value(key + 1, 1, i), value(key + 1, 0, i) * span]
    return (2 * t ** 3 - 3 * t ** 2 + 1) * p0 + (t ** 3 - 2 * t ** 2 + t) * m0 + (-2 * t ** 3 + 3 * t ** 2) * p1 + (t ** 3 - t ** 2) * m1
  })
}

function weightsOf(track: KeyframeTrack): Curve {
  const times = Float32Array.from(track.times)
  const each = track.values.length / Math.max(1, times.length)
  const values = Float32Array.from(times, (_, i) => track.values[each === 3 ? i * 3 + 1 : i] ?? 0)
  return { times, values, stepped: track.getInterpolation() === InterpolateDiscrete }
}
