// @vitest-environment node
import type { VRM } from '@pixiv/three-vrm'
import { AnimationClip, Bone, Euler, Object3D, Quaternion, QuaternionKeyframeTrack, Vector3, VectorKeyframeTrack } from 'three'
import { describe, expect, test } from 'vitest'
import { boneOf } from './bones'
import { motionOf } from './fbx'
import { type Motion, onTheSpot } from './motion'
import { clipFor, completed } from './retarget'
import { standing } from './standing'

const curve = (times: number[], values: number[]) => ({ times: Float32Array.from(times), values: Float32Array.from(values), stepped: false })

/** The parts of a body that are needed to make a clip. */
function body(kind: '0' | '1', hipsHeight: number, bones: string[]): VRM {
  const nodes = new Map(bones.map((bone) => [bone, new Object3D()]))
  return {
    meta: { metaVersion: kind },
    humanoid: { getNormalizedBoneNode: (bone: string) => nodes.get(bone) ?? null, normalizedRestPose: { hips: { position: [0.01, hipsHeight, 0.02] } } },
  } as unknown as VRM
}

test.each([
  ['mixamorig:Hips', 'hips'],
  ['mixamorigSpine1', 'chest'],
  ['mixamorig1:LeftForeArm', 'leftLowerArm'],
  ['mixamorig12RightUpLeg', 'rightUpperLeg'],
  ['mixamorig_Head', 'head'],
  ['RightToeBase', 'rightToes'],
  ['Armature:mixamorig:LeftHandThumb1', 'leftThumbMetacarpal'],
  ['mixamorigRightHandPinky3', 'rightLittleDistal'],
  ['mixamorigHeadTop_End', null],
  ['Camera', null],
])('%s is %s', (name, bone) => expect(boneOf(name)).toBe(bone))

describe('the way of the hips', () => {
  test('keeps a sway, and begins above her feet', () => {
    const { values } = onTheSpot(curve([0, 1, 2], [5, 100, 3, 9, 96, 3, 5, 100, 3]), 100)
    expect([...values]).toEqual([0, 100, 0, 4, 96, 0, 0, 100, 0])
  })

  test('takes a walk on the spot', () => {
    const { values } = onTheSpot(curve([0, 1, 2], [0, 100, 0, 1, 98, 160, 0, 100, 300]), 100)
    expect(values[8]).toBeCloseTo(0)
    expect(values[5]).toBeCloseTo(10)
    expect(values[4]).toBe(98)
  })

  test('of nothing is nothing', () => {
    expect(onTheSpot(curve([], []), 1).values).toHaveLength(0)
  })
})

describe('a motion on a body', () => {
  const motion: Motion = {
    seconds: 1,
    turns: new Map([
      ['head', curve([0], [0.1, 0.2, 0.3, 0.9])],
      ['leftToes', curve([0], [0, 0, 0, 1])],
    ]),
    hips: curve([0, 1], [0, 90, 0, 10, 45, 20]),
    hipsHeight: 90,
    weights: new Map([['happy', curve([0], [1])], ['unheard', curve([0], [1])]]),
  }
  const place = (name: string) => (name === 'happy' ? 'face.weight' : null)

  test('rises as high as its legs are long, and leaves out what it lacks', () => {
    const vrm = body('1', 0.6, ['hips', 'head'])
    const clip = clipFor('move', motion, vrm, place)
    const hips = clip.tracks.find(({ name }) => name.endsWith('.position'))
    expect([...(hips?.values ?? [])].map((value) => Math.round(value * 1000) / 1000)).toEqual([0.01, 0.6, 0.02, 0.077, 0.3, 0.153])
    expect(clip.tracks.map(({ name }) => name.replace(/^[\w-]{36}/, '·')).sort()).toEqual(['face.weight', '·.position', '·.quaternion'])
  })

  test('is turned about for a body of the first kind', () => {
    const clip = clipFor('move', motion, body('0', 0.6, ['hips', 'head']), place)
    const [x = 0, y = 0, z = 0, w = 0] = clip.tracks.find(({ name }) => name.endsWith('.quaternion'))?.values ?? []
    expect([x, y, z, w].map((value) => Math.round(value * 10) / 10)).toEqual([-0.1, 0.2, -0.3, 0.9])
    expect(clip.tracks.find(({ name }) => name.endsWith('.position'))?.values[3]).toBeCloseTo(0.01 - 10 * (0.6 / 90))
  })

  test('holds what it says nothing of as the other one begins', () => {
    const vrm = body('1', 1, ['head', 'leftUpperArm', 'rightUpperArm'])
    const idle = clipFor('idle', standing(), vrm, place)
    const clip = completed(clipFor('move', motion, vrm, place), idle)
    const arm = clip.tracks.find(({ name }) => name.startsWith(vrm.humanoid.getNormalizedBoneNode('leftUpperArm')?.uuid ?? '?'))
    expect(arm?.times).toHaveLength(1)
    expect([...(arm?.values ?? [])]).toEqual([...(idle.tracks.find(({ name }) => name === arm?.name)?.values.slice(0, 4) ?? [])])
  })
})

describe('a foreign skeleton', () => {
  /** A skeleton with rotated bones on a rotated root, whose arms hang down by the given angle at rest. */
  function skeleton(lowered: number, facing = 0): { root: Object3D; bones: Map<string, Bone> } {
    const root = new Object3D()
    root.rotation.y = facing
    root.scale.setScalar(0.01)
    const bones = new Map<string, Bone>()
    const rests = new Map<string, Quaternion>()
    const add = (name: string, parent: string | null, x: number, y: number) => {
      const bone = new Bone()
      bone.name = `mixamorig${name}`
      const rest = new Quaternion().setFromEuler(new Euler(bones.size, 0.3 * bones.size, 0.5))
      const before = parent ? (rests.get(parent) as Quaternion) : new Quaternion()
      bone.quaternion.copy(before.clone().invert().multiply(rest))
      bone.position.set(x, y, 0).applyQuaternion(before.clone().invert())
      rests.set(name, rest)
      bones.set(name, bone)
      ;(parent ? (bones.get(parent) as Bone) : root).add(bone)
    }
    const [c, s] = [Math.cos(lowered), Math.sin(lowered)]
    add('Hips', null, 0, 100)
    add('Spine', 'Hips', 0, 20)
    for (const [side, out] of [['Left', 1], ['Right', -1]] as const) {
      add(`${side}Arm`, 'Spine', out * 15, 20)
      add(`${side}ForeArm`, `${side}Arm`, out * 30 * c, -30 * s)
      add(`${side}Hand`, `${side}ForeArm`, out * 30 * c, -30 * s)
      add(`${side}UpLeg`, 'Hips', out * 10, -5)
    }
    return { root, bones }
  }

  /** Returns the world direction of the right forearm when the motion is applied to a body in a T-pose. */
  function forearm({ turns }: Motion, key: number): Vector3 {
    const way = new Vector3(-1, 0, 0)
    for (const bone of ['rightLowerArm', 'rightUpperArm', 'spine', 'hips'] as const) {
      const values = turns.get(bone)?.values
      if (values) way.applyQuaternion(new Quaternion().fromArray(values, Math.min(key * 4, values.length - 4)))
    }
    return way
  }

  for (const [name, lowered, facing] of [['a T-pose', 0, 0], ['an A-pose', Math.PI / 4, 0], ['one that faces away', 0.3, Math.PI]] as const) {
    test(`${name}: the arm goes where its maker's went`, () => {
      const { root, bones } = skeleton(lowered, facing)
      const arm = bones.get('RightArm') as Bone
      root.updateMatrixWorld(true)
      const along = (bone: string, next: string) => {
        root.updateMatrixWorld(true)
        const at = (each: string) => (bones.get(each) as Bone).getWorldPosition(new Vector3())
        return at(next).sub(at(bone)).normalize().applyAxisAngle(new Vector3(0, 1, 0), -facing)
      }
      const keys = [new Quaternion(), new Quaternion().setFromEuler(new Euler(0.4, 0.2, -1.1)), new Quaternion().setFromEuler(new Euler(-1, 0.7, 0.4))]
      const rest = arm.quaternion.clone()
      const values = keys.map((key) => rest.clone().multiply(key))
      const expected = values.map((value) => {
        arm.quaternion.copy(value)
        return along('RightForeArm', 'RightHand')
      })
      arm.quaternion.copy(rest)
      const tracks = [
        new QuaternionKeyframeTrack('mixamorigRightArm.quaternion', [0, 1, 2], values.flatMap((value) => value.toArray())),
        // Bones that do not move need a track too: at rest, the arms of an A-pose hang.
        ...['RightForeArm', 'LeftArm'].map((bone) => new QuaternionKeyframeTrack(`mixamorig${bone}.quaternion`, [0], bones.get(bone)?.quaternion.toArray() ?? [])),
        new VectorKeyframeTrack('mixamorigHips.position', [0, 1], [0, 100, 0, 0, 90, 0]),
      ]
      // Of several animations in a file, the one with the most tracks is used.
      const less = new AnimationClip('', 2, [new QuaternionKeyframeTrack('mixamorigSpine.quaternion', [0], [0, 0, 0, 1])])
      root.animations = [less, new AnimationClip('move', 2, tracks)]
      const motion = motionOf(root)
      expected.forEach((way, key) => expect(forearm(motion, key).distanceTo(way)).toBeLessThan(1e-4))
      expect(motion.hipsHeight).toBeCloseTo(1)
      expect(motion.hips?.values[4]).toBeCloseTo(0.9)
    })
  }

  test('that is not a person, or does not move, is refused', () => {
    expect(() => motionOf(new Object3D())).toThrow('no animation')
    const root = new Object3D()
    root.animations = [new AnimationClip('', 1, [new VectorKeyframeTrack('box.position', [0], [0, 0, 0])])]
    expect(() => motionOf(root)).toThrow('are not known')
  })
})
