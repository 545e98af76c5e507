import type { VRMHumanBoneName } from '@pixiv/three-vrm'
import { type Object3D, Quaternion, Vector3 } from 'three'
import { boneOf } from './bones'

/** The original rest pose of a skeleton, and the rotations that bring it into a T-pose that faces +Z. */
export interface Rest {
  bones: Map<VRMHumanBoneName, Object3D>
  /** The rotation that turns the whole skeleton to face +Z. */
  facing: Quaternion
  /** The world rotation of each bone in the T-pose. */
  straight: Map<Object3D, Quaternion>
}

/** The angle up to which a leg counts as straight. */
const STRADDLE = 15 * (Math.PI / 180)

/**
 * The directions into which limbs are straightened. Arms are levelled whatever the rest pose; children follow
 * their limb, but feet keep their orientation so that the soles stay on the ground.
 */
const LIMBS: { bone: VRMHumanBoneName; next: VRMHumanBoneName; way: Vector3; least: number }[] = (['left', 'right'] as const).flatMap((side) => {
  const out = new Vector3(side === 'left' ? 1 : -1, 0, 0)
  const down = new Vector3(0, -1, 0)
  return [
    { bone: `${side}UpperArm`, next: `${side}LowerArm`, way: out, least: 0 },
    { bone: `${side}LowerArm`, next: `${side}Hand`, way: out, least: 0 },
    { bone: `${side}UpperLeg`, next: `${side}LowerLeg`, way: down, least: STRADDLE },
    { bone: `${side}LowerLeg`, next: `${side}Foot`, way: down, least: STRADDLE },
  ] as const
})

export function restOf(root: Object3D): Rest | null {
  root.updateMatrixWorld(true)
  const bones = new Map<VRMHumanBoneName, Object3D>()
  root.traverse((node) => {
    const bone = boneOf(node.name)
    // A file may contain the same skeleton twice; the first one is the animated one.
    if (bone && !bones.has(bone)) bones.set(bone, node)
  })
  const hips = bones.get('hips')
  if (!hips || bones.size < 8) return null
  const facing = facingOf(bones)
  const straight = new Map<Object3D, Quaternion>()
  straighten(root, new Quaternion(), { bones, facing, straight })
  return { bones, facing, straight }
}

/** Derives the facing from the limbs: facing +Z, the left side is towards +X. */
function facingOf(bones: Map<VRMHumanBoneName, Object3D>): Quaternion {
  const left = bones.get('leftUpperLeg') ?? bones.get('leftUpperArm')
  const right = bones.get('rightUpperLeg') ?? bones.get('rightUpperArm')
  if (!left || !right) return new Quaternion()
  const side = at(left).sub(at(right)).setY(0)
  return side.length() < 1e-6 ? new Quaternion() : new Quaternion().setFromUnitVectors(side.normalize(), new Vector3(1, 0, 0))
}

function straighten(node: Object3D, before: Quaternion, rest: Rest): void {
  let turn = before
  const limb = LIMBS.find(({ bone }) => rest.bones.get(bone) === node)
  const next = limb && rest.bones.get(limb.next)
  if (limb && next) {
    const way = at(next).sub(at(node)).applyQuaternion(rest.facing).applyQuaternion(before)
    if (way.length() > 1e-6 && way.angleTo(limb.way) > limb.least) {
      turn = new Quaternion().setFromUnitVectors(way.normalize(), limb.way).multiply(before)
    }
  }
  if (node === rest.bones.get('leftFoot') || node === rest.bones.get('rightFoot')) turn = new Quaternion()
  rest.straight.set(node, worldTurn(node).premultiply(rest.facing).premultiply(turn))
  for (const child of node.children) straighten(child, turn, rest)
}

function at(node: Object3D): Vector3 {
  return new Vector3().setFromMatrixPosition(node.matrixWorld)
}

function worldTurn(node: Object3D): Quaternion {
  return node.getWorldQuaternion(new Quaternion())
}
