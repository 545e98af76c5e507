import type { VRMHumanBoneName } from '@pixiv/three-vrm'

const TRUNK: Record<string, VRMHumanBoneName> = { Hips: 'hips', Spine: 'spine', Spine1: 'chest', Spine2: 'upperChest', Neck: 'neck', Head: 'head' }
const LIMBS: Record<string, string> = {
  Shoulder: 'Shoulder',
  Arm: 'UpperArm',
  ForeArm: 'LowerArm',
  Hand: 'Hand',
  UpLeg: 'UpperLeg',
  Leg: 'LowerLeg',
  Foot: 'Foot',
  ToeBase: 'Toes',
}
const FINGERS: Record<string, string> = { Thumb: 'Thumb', Index: 'Index', Middle: 'Middle', Ring: 'Ring', Pinky: 'Little' }
/** Joint names per finger. The thumb has a metacarpal, the others an intermediate joint. */
const JOINTS = { Thumb: ['Metacarpal', 'Proximal', 'Distal'], other: ['Proximal', 'Intermediate', 'Distal'] }

const NAMES = new Map<string, VRMHumanBoneName>(Object.entries(TRUNK))
for (const side of ['Left', 'Right'] as const) {
  const own = side.toLowerCase()
  for (const [theirs, ours] of Object.entries(LIMBS)) NAMES.set(side + theirs, `${own}${ours}` as VRMHumanBoneName)
  for (const [theirs, ours] of Object.entries(FINGERS)) {
    const joints = theirs === 'Thumb' ? JOINTS.Thumb : JOINTS.other
    joints.forEach((joint, index) => NAMES.set(`${side}Hand${theirs}${index + 1}`, `${own}${ours}${joint}` as VRMHumanBoneName))
  }
}

/**
 * Returns the bone for a Mixamo name such as `mixamorig:LeftArm`. The prefix may have a number, lack its
 * colon or be missing.
 */
export function boneOf(name: string): VRMHumanBoneName | null {
  return NAMES.get(name.replace(/^.*:/, '').replace(/^mixamorig\d*_?/i, '')) ?? null
}
