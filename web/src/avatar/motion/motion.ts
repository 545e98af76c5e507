import type { VRMHumanBoneName } from '@pixiv/three-vrm'

/** Values over time. */
export interface Curve {
  times: Float32Array
  values: Float32Array
  /** It jumps from value to value. */
  stepped: boolean
}

/**
 * A movement that belongs to no body yet: every bone's turn from a T-pose that faces +Z, each in the frame of the
 * bone before it, as if all bones were unturned at rest.
 */
export interface Motion {
  seconds: number
  turns: Map<VRMHumanBoneName, Curve>
  /** Where the hips are, in the measure of its maker. */
  hips: Curve | null
  /** How high they are at rest, in the same measure. */
  hipsHeight: number
  /** Of expressions, by name. */
  weights: Map<string, Curve>
}

/** A share of the height of the hips: whoever goes further away than that is walking. */
const WALKS = 0.2

/**
 * The way of the hips for somebody who stays where she is: it begins above her feet, and a walk is taken on the spot.
 * What sways and comes back stays.
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
