import type { VRMHumanBoneName } from '@pixiv/three-vrm'

/** Values over time. */
export interface Curve {
  times: Float32Array
  values: Float32Array
  /** True if the values jump from key to key without interpolation. */
  stepped: boolean
}

/**
 * A motion that is independent of a body: each bone's rotation from a T-pose that faces +Z, in the frame of
 * its parent, as if all bones were unrotated at rest.
 */
export interface Motion {
  seconds: number
  turns: Map<VRMHumanBoneName, Curve>
  /** The position of the hips, in the units of the source file. */
  hips: Curve | null
  /** The height of the hips at rest, in the same units. */
  hipsHeight: number
  /** The weights of expressions by name. */
  weights: Map<string, Curve>
}

/** The share of the hips' height beyond which a displacement counts as walking. */
const WALKS = 0.2

/**
 * Keeps the hips in place: the curve begins above the feet, and the drift of a walk is removed. Swaying that
 * returns to its start is kept.
 */
export function onTheSpot({ times, values, stepped }: Curve, hipsHeight: number): Curve {
  const count = times.length
  if (count === 0) return { times, values, stepped }
  const kept = values.slice()
  const last = (count - 1) * 3
  const [x = 0, , z = 0] = values
  const drift = [(values[last] ?? 0) - x, (values[last + 2] ?? 0) - z] as const
  const walks = Math.hypot(...drift) > WALKS * hipsHeight
  const begin = times[0] ?? 0
  const span = (times[count - 1] ?? 0) - begin || 1
  for (let i = 0; i < count; i++) {
    const part = walks ? ((times[i] ?? 0) - begin) / span : 0
    kept[i * 3] = (values[i * 3] ?? 0) - x - drift[0] * part
    kept[i * 3 + 2] = (values[i * 3 + 2] ?? 0) - z - drift[1] * part
  }
  return { times, values: kept, stepped }
}
