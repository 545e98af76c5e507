import type { VRMHumanBoneName } from '@pixiv/three-vrm'
import { Euler, Quaternion } from 'three'
import type { Curve, Motion } from './motion'

const SECONDS = 4
const FRAMES = 25
const ARMS = 1.22

/** The fallback idle motion: arms down, with breathing. */
export function standing(): Motion {
  const breath = (at: number) => (1 - Math.cos(at * 2 * Math.PI)) / 2
  const turns = new Map<VRMHumanBoneName, Curve>([
    ['leftUpperArm', turn((at) => [0, 0, -ARMS + breath(at) * 0.03])],
    ['rightUpperArm', turn((at) => [0, 0, ARMS - breath(at) * 0.03])],
    ['leftLowerArm', turn(() => [0, -0.2, 0])],
    ['rightLowerArm', turn(() => [0, 0.2, 0])],
    ['spine', turn((at) => [breath(at) * 0.012, 0, 0])],
    ['chest', turn((at) => [-breath(at) * 0.02, 0, 0])],
  ])
  return { seconds: SECONDS, turns, hips: null, hipsHeight: 1, weights: new Map() }
}

function turn(angles: (part: number) => [number, number, number]): Curve {
  const times = new Float32Array(FRAMES)
  const values = new Float32Array(FRAMES * 4)
  for (let i = 0; i < FRAMES; i++) {
    times[i] = (i / (FRAMES - 1)) * SECONDS
    new Quaternion().setFromEuler(new Euler(...angles(i / (FRAMES - 1)))).toArray(values, i * 4)
  }
  return { times, values, stepped: false }
}
