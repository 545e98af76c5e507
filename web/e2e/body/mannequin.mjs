// Builds people made of boxes, as other programs would save them: one in VRM 0, which faces away and has
// unrotated bones, and one in VRM 1, with arbitrarily rotated bones.

import { Matrix4, Quaternion, Vector3 } from 'three'
import { Glb } from './glb.mjs'

/**
 * Returns the bone positions in a T-pose that faces +Z, as fractions of the hip height, the trunk and the
 * arm.
 */
export function skeleton({ hips, trunk, arm }) {
  const bones = { hips: [null, 0, hips, 0], spine: ['hips', 0, hips + trunk * 0.2, 0], chest: ['spine', 0, hips + trunk * 0.5, 0] }
  bones.neck = ['chest', 0, hips + trunk, 0]
  bones.head = ['neck', 0, hips + trunk * 1.15, 0]
  for (const [side, out] of [['left', 1], ['right', -1]]) {
    const shoulder = hips + trunk * 0.9
    bones[`${side}Eye`] = ['head', out * 0.03, hips + trunk * 1.25, 0.06]
    bones[`${side}Shoulder`] = ['chest', out * 0.04, shoulder, 0]
    bones[`${side}UpperArm`] = [`${side}Shoulder`, out * 0.16, shoulder, 0]
    bones[`${side}LowerArm`] = [`${side}UpperArm`, out * (0.16 + arm * 0.48), shoulder, 0]
    bones[`${side}Hand`] = [`${side}LowerArm`, out * (0.16 + arm * 0.9), shoulder, 0]
    bones[`${side}IndexProximal`] = [`${side}Hand`, out * (0.16 + arm), shoulder, 0.02]
    bones[`${side}UpperLeg`] = ['hips', out * 0.09, hips * 0.95, 0]
    bones[`${side}LowerLeg`] = [`${side}UpperLeg`, out * 0.09, hips * 0.5, 0]
    bones[`${side}Foot`] = [`${side}LowerLeg`, out * 0.09, hips * 0.08, 0]
    bones[`${side}Toes`] = [`${side}Foot`, out * 0.09, hips * 0.02, 0.12]
  }
  return bones
}

/** The presets and their names in VRM 0. */
const PRESETS = {
  happy: 'joy', angry: 'angry', sad: 'sorrow', relaxed: 'fun', neutral: 'neutral',
  aa: 'a', ih: 'i', ou: 'u', ee: 'e', oh: 'o', blink: 'blink', blinkLeft: 'blink_l', blinkRight: 'blink_r',
}
const MORPHS = [...Object.keys(PRESETS).filter((name) => name !== 'neutral'), 'surprised']

export function mannequin(kind, sizes) {
  const bones = skeleton(sizes)
  const names = Object.keys(bones)
  const old = kind === '0'
  /** The position of a bone; VRM 0 faces the other way. */
  const at = (name) => new Vector3(...bones[name].slice(1)).multiply(old ? new Vector3(-1, 1, -1) : new Vector3(1, 1, 1))
  /** The rotation of a bone. Any rotation will do, as long as it differs from bone to bone. */
  const turned = (name) => {
    const nth = old ? 0 : names.indexOf(name)
    return new Quaternion().setFromAxisAngle(new Vector3(1, nth, 2).normalize(), nth * 0.7)
  }
  const rests = new Map(names.map((name) => [name, new Matrix4().compose(at(name), turned(name), new Vector3(1, 1, 1))]))
  const glb = new Glb()
  const nodes = names.map((name) => {
    const parent = bones[name][0]
    const own = rests.get(name).clone()
    if (parent) own.premultiply(rests.get(parent).clone().invert())
    const [place, turn] = [new Vector3(), new Quaternion()]
    own.decompose(place, turn, new Vector3())
    const children = names.flatMap((child, index) => (bones[child][0] === name ? [index] : []))
    return { name: `Bone_${name}`, translation: place.toArray(), rotation: turn.toArray(), ...(children.length > 0 ? { children } : {}) }
  })
  const body = boxes(names.map((name) => ({ at: at(name), half: name === 'head' ? 0.1 : 0.03, joint: names.indexOf(name) })))
  const skin = glb.accessor(Float32Array.from(names.flatMap((name) => rests.get(name).clone().invert().toArray())), 'MAT4')
  const attributes = {
    POSITION: glb.vertices(body.positions, 'VEC3'),
    NORMAL: glb.vertices(body.normals, 'VEC3'),
    JOINTS_0: glb.vertices(body.joints, 'VEC4'),
    WEIGHTS_0: glb.vertices(body.weights, 'VEC4'),
  }
  const targets = MORPHS.map((_, index) => ({ POSITION: glb.vertices(body.positions.map((_, i) => (i % 3 === 1 ? 0.001 * (index + 1) : 0)), 'VEC3') }))
  const skinned = nodes.length
  nodes.push({ name: 'Body', mesh: 0, skin: 0 })
  Object.assign(glb.json, {
    scene: 0,
    scenes: [{ nodes: [names.indexOf('hips'), skinned] }],
    nodes,
    meshes: [{ primitives: [{ attributes, indices: glb.indices(body.indices), material: 0, targets }], extras: { targetNames: MORPHS } }],
    skins: [{ joints: names.map((_, index) => index), inverseBindMatrices: skin }],
    materials: [{ name: 'Grey', pbrMetallicRoughness: { baseColorFactor: [0.6, 0.6, 0.65, 1], metallicFactor: 0 } }],
    ...(old ? oldKind(names) : newKind(names, skinned)),
  })
  return glb.bytes()
}

function oldKind(names) {
  const groups = [...Object.entries(PRESETS), ['Surprised', 'unknown']].map(([name, presetName]) => {
    const index = MORPHS.indexOf(name.toLowerCase() === 'surprised' ? 'surprised' : name)
    return { name, presetName, isBinary: false, binds: index < 0 ? [] : [{ mesh: 0, index, weight: 100 }], materialValues: [] }
  })
  const range = { curve: [0, 0, 0, 1, 1, 1, 1, 0], xRange: 90, yRange: 20 }
  const VRM = {
    exporterVersion: 'a test', specVersion: '0.0',
    meta: {
      title: 'Old mannequin', version: '1', author: 'a test', allowedUserName: 'Everyone', licenseName: 'CC0',
      violentUssageName: 'Disallow', sexualUssageName: 'Disallow', commercialUssageName: 'Allow',
    },
    humanoid: { humanBones: names.map((bone, node) => ({ bone, node, useDefaultValues: true })) },
    firstPerson: {
      firstPersonBone: names.indexOf('head'), firstPersonBoneOffset: { x: 0, y: 0.06, z: 0 }, lookAtTypeName: 'Bone',
      lookAtHorizontalInner: range, lookAtHorizontalOuter: range, lookAtVerticalDown: range, lookAtVerticalUp: range,
    },
    blendShapeMaster: { blendShapeGroups: groups }, secondaryAnimation: { boneGroups: [], colliderGroups: [] },
    materialProperties: [
      { name: 'Grey', shader: 'VRM_USE_GLTFSHADER', renderQueue: 2000, floatProperties: {}, vectorProperties: {}, textureProperties: {}, keywordMap: {}, tagMap: {} },
    ],
  }
  return { extensionsUsed: ['VRM'], extensions: { VRM } }
}

function newKind(names, skinned) {
  const bind = (name) => (MORPHS.includes(name) ? [{ node: skinned, index: MORPHS.indexOf(name), weight: 1 }] : [])
  const preset = Object.fromEntries([...Object.keys(PRESETS), 'surprised'].map((name) => [name, { morphTargetBinds: bind(name) }]))
  const range = { inputMaxValue: 90, outputScale: 20 }
  const VRMC_vrm = {
    specVersion: '1.0',
    meta: { name: 'New mannequin', authors: ['a test'], licenseUrl: 'https://vrm.dev/licenses/1.0/' },
    humanoid: { humanBones: Object.fromEntries(names.map((name, node) => [name, { node }])) },
    lookAt: {
      type: 'bone', offsetFromHeadBone: [0, 0.06, 0],
      rangeMapHorizontalInner: range, rangeMapHorizontalOuter: range, rangeMapVerticalDown: range, rangeMapVerticalUp: range,
    },
    expressions: { preset },
  }
  return { extensionsUsed: ['VRMC_vrm'], extensions: { VRMC_vrm } }
}

const CORNERS = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])))
const FACES = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]

/** Builds one box for each bone, bound to that bone alone. */
function boxes(all) {
  const each = (take, Kind) => Kind.from(all.flatMap((box) => CORNERS.flatMap((corner) => take(box, corner))))
  return {
    positions: each(({ at, half }, corner) => corner.map((value, i) => at.getComponent(i) + value * half), Float32Array),
    normals: each((_, corner) => corner.map((value) => value / Math.sqrt(3)), Float32Array),
    joints: each(({ joint }) => [joint, 0, 0, 0], Uint16Array),
    weights: each(() => [1, 0, 0, 0], Float32Array),
    indices: Uint16Array.from(all.flatMap((_, box) => FACES.flat().map((corner) => box * 8 + corner))),
  }
}
