// Builds an animation as Mixamo saves it without a skin: binary FBX, in centimetres, with rotated rest bones
// and one arm raised.

import { Euler, Matrix4, Quaternion, Vector3 } from 'three'
import { skeleton } from './mannequin.mjs'

const NAMES = {
  hips: 'Hips', spine: 'Spine', chest: 'Spine1', neck: 'Neck', head: 'Head',
  leftShoulder: 'LeftShoulder', leftUpperArm: 'LeftArm', leftLowerArm: 'LeftForeArm', leftHand: 'LeftHand', leftIndexProximal: 'LeftHandIndex1',
  rightShoulder: 'RightShoulder', rightUpperArm: 'RightArm', rightLowerArm: 'RightForeArm', rightHand: 'RightHand', rightIndexProximal: 'RightHandIndex1',
  leftUpperLeg: 'LeftUpLeg', leftLowerLeg: 'LeftLeg', leftFoot: 'LeftFoot', leftToes: 'LeftToeBase',
  rightUpperLeg: 'RightUpLeg', rightLowerLeg: 'RightLeg', rightFoot: 'RightFoot', rightToes: 'RightToeBase',
}
const TICKS = 46186158000n
const DEGREES = 180 / Math.PI

/** Returns the FBX file. `pose` is the position of the arms at rest: level (T), or half way down (A). */
export function rightArmUp({ prefix = 'mixamorig:', pose = 'T', version = 7400, walks = 0 } = {}) {
  const bones = skeleton({ hips: 1.04, trunk: 0.55, arm: 0.62 })
  for (const [name, [parent, ...metres]] of Object.entries(bones)) bones[name] = [parent, ...metres.map((value) => value * 100)]
  const names = Object.keys(NAMES)
  const lowered = (name) => (pose === 'A' && /(Arm|Hand|Index)/.test(name) ? (name.startsWith('left') ? -1 : 1) * (Math.PI / 4) : 0)
  const place = (name) => {
    const at = new Vector3(...bones[name].slice(1))
    const side = name.startsWith('left') ? 'left' : 'right'
    if (lowered(name) === 0) return at
    const joint = new Vector3(...bones[`${side}UpperArm`].slice(1))
    return at.sub(joint).applyAxisAngle(new Vector3(0, 0, 1), lowered(name)).add(joint)
  }
  const pre = (name) => new Euler(0.3 * names.indexOf(name), 0.2, -0.15 * names.indexOf(name), 'ZYX')
  /**
   * The rest positions and rotations in world space; each bone adds its own rotation to that of its parent.
   */
  const worlds = new Map()
  for (const name of names) {
    const before = worlds.get(bones[name][0])?.turn ?? new Quaternion()
    worlds.set(name, { at: place(name), turn: before.clone().multiply(new Quaternion().setFromEuler(pre(name))) })
  }
  const objects = []
  const connections = []
  const connect = (from, to, property) => connections.push(node('C', [property ? 'OP' : 'OO', long(from), long(to), ...(property ? [property] : [])]))
  const idOf = (name) => 1000 + names.indexOf(name)
  for (const name of names) {
    const parent = bones[name][0]
    const own = worlds.get(name).at.clone()
    if (parent) {
      const { at, turn } = worlds.get(parent)
      own.applyMatrix4(new Matrix4().compose(at, turn, new Vector3(1, 1, 1)).invert())
    }
    worlds.get(name).local = own
    const euler = pre(name)
    objects.push(
      node('Model', [long(idOf(name)), `${prefix}${NAMES[name]}\0\x01Model`, 'LimbNode'], [
        node('Version', [232]),
        node('Properties70', [], [
          vector('PreRotation', 'Vector3D', 'Vector', '', [euler.x * DEGREES, euler.y * DEGREES, euler.z * DEGREES]),
          node('P', ['RotationActive', 'bool', '', '', 1]),
          vector('Lcl Translation', 'Lcl Translation', '', 'A', own.toArray()),
          vector('Lcl Rotation', 'Lcl Rotation', '', 'A', [0, 0, 0]),
        ]),
      ]),
    )
    connect(idOf(name), parent ? idOf(parent) : 0)
  }
  const animate = animation(objects, connect)
  // The arm points up in world space: its local rotation is that world rotation, expressed relative to the
  // parent and to the bone's own rest.
  const up = new Quaternion().setFromUnitVectors(place('rightLowerArm').sub(place('rightUpperArm')).normalize(), new Vector3(0, 1, 0))
  const rest = worlds.get('rightUpperArm').turn
  const goal = new Euler().setFromQuaternion(rest.clone().invert().multiply(up).multiply(rest), 'ZYX')
  animate(idOf('rightUpperArm'), 'R', [[0, 0, 0], [goal.x * DEGREES, goal.y * DEGREES, goal.z * DEGREES], [goal.x * DEGREES, goal.y * DEGREES, goal.z * DEGREES]])
  for (const name of names) if (name !== 'rightUpperArm') animate(idOf(name), 'R', [[0, 0, 0], [0, 0, 0], [0, 0, 0]])
  const { x, y, z } = worlds.get('hips').local
  animate(idOf('hips'), 'T', [[x, y, z], [x, y + 6, z + walks / 2], [x, y, z + walks]])
  return file(version, [
    node('FBXHeaderExtension', [], [node('FBXVersion', [version])]),
    node('GlobalSettings', [], [
      node('Version', [1000]),
      node('Properties70', [], [node('P', ['UpAxis', 'int', 'Integer', '', 1]), node('P', ['UnitScaleFactor', 'double', 'Number', '', double(1)])]),
    ]),
    node('Objects', [], objects),
    node('Connections', [], connections),
  ])
}

/** Adds one stack with one layer. The returned function animates a bone with three keys, one second apart. */
function animation(objects, connect) {
  objects.push(node('AnimationStack', [long(1), 'mixamo.com\0\x01AnimStack', ''], [node('Properties70', [])]))
  objects.push(node('AnimationLayer', [long(2), 'BaseLayer\0\x01AnimLayer', ''], []))
  connect(2, 1)
  let id = 5000
  return (model, kind, keys) => {
    const curveNode = (id += 1)
    const first = ['X', 'Y', 'Z'].map((axis, i) => node('P', [`d|${axis}`, 'Number', '', 'A', double(keys[0][i])]))
    objects.push(node('AnimationCurveNode', [long(curveNode), `${kind}\0\x01AnimCurveNode`, ''], [node('Properties70', [], first)]))
    connect(curveNode, 2)
    connect(curveNode, model, kind === 'R' ? 'Lcl Rotation' : 'Lcl Translation')
    ;['X', 'Y', 'Z'].forEach((axis, i) => {
      const curve = (id += 1)
      objects.push(
        node('AnimationCurve', [long(curve), '\0\x01AnimCurve', ''], [
          node('Default', [double(0)]),
          node('KeyVer', [4008]),
          node('KeyTime', [BigInt64Array.from(keys.map((_, key) => BigInt(key) * TICKS))]),
          node('KeyValueFloat', [Float32Array.from(keys.map((key) => key[i]))]),
          node('KeyAttrFlags', [Int32Array.of(24836)]),
          node('KeyAttrDataFloat', [Float32Array.of(0, 0, 0, 0)]),
          node('KeyAttrRefCount', [Int32Array.of(keys.length)]),
        ]),
      )
      connect(curve, curveNode, `d|${axis}`)
    })
  }
}

const node = (name, values, children = []) => ({ name, values, children })
const long = (value) => ({ long: BigInt(value) })
const double = (value) => ({ double: value })
const vector = (name, type, label, flags, values) => node('P', [name, type, label, flags, ...values.map(double)])

/** Assembles the file. From version 7500 on, lengths take twice as many bytes. */
function file(version, nodes) {
  const head = Buffer.concat([Buffer.from('Kaydara FBX Binary  \0\x1a\0', 'latin1'), uint(version)])
  let at = head.length
  const parts = nodes.map((each) => {
    const bytes = written(each, at, version >= 7500)
    at += bytes.length
    return bytes
  })
  return Buffer.concat([head, ...parts, Buffer.alloc(version >= 7500 ? 25 : 13), Buffer.alloc(176)])
}

function written({ name, values, children }, begin, wide) {
  const number = (value) => (wide ? Buffer.concat([uint(value), uint(0)]) : uint(value))
  const properties = Buffer.concat(values.map(property))
  const headLength = (wide ? 24 : 12) + 1 + name.length
  let at = begin + headLength + properties.length
  const inner = children.map((child) => {
    const bytes = written(child, at, wide)
    at += bytes.length
    return bytes
  })
  const end = children.length > 0 ? Buffer.alloc(wide ? 25 : 13) : Buffer.alloc(0)
  const head = [number(at + end.length), number(values.length), number(properties.length), Buffer.from([name.length]), Buffer.from(name)]
  return Buffer.concat([...head, properties, ...inner, end])
}

const ARRAYS = new Map([[Float32Array, 'f'], [Int32Array, 'i'], [BigInt64Array, 'l']])

function property(value) {
  if (typeof value === 'string') return Buffer.concat([Buffer.from('S'), uint(Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(5)
    bytes.write('I')
    bytes.writeInt32LE(value, 1)
    return bytes
  }
  if (value.long !== undefined || value.double !== undefined) {
    const bytes = Buffer.alloc(9)
    bytes.write(value.long === undefined ? 'D' : 'L')
    if (value.long === undefined) bytes.writeDoubleLE(value.double, 1)
    else bytes.writeBigInt64LE(value.long, 1)
    return bytes
  }
  return Buffer.concat([Buffer.from(ARRAYS.get(value.constructor)), uint(value.length), uint(0), uint(value.byteLength), Buffer.from(value.buffer)])
}

function uint(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
