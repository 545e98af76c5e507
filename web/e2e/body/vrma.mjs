// Builds a VRM animation as another program would save it: the arms go up and the knees bend.

import { Euler, Quaternion } from 'three'
import { Glb } from './glb.mjs'
import { skeleton } from './mannequin.mjs'

export const KNEES = Math.PI / 3

export function armsUp({ seconds = 2 } = {}) {
  const bones = skeleton({ hips: 0.9, trunk: 0.5, arm: 0.6 })
  const names = Object.keys(bones).filter((name) => !/Eye|Toes|Index/.test(name))
  const glb = new Glb()
  const nodes = names.map((name) => {
    const [parent, ...at] = bones[name]
    const before = parent ? bones[parent].slice(1) : [0, 0, 0]
    const children = names.flatMap((child, index) => (bones[child][0] === name ? [index] : []))
    return { name, translation: at.map((value, i) => value - before[i]), ...(children.length > 0 ? { children } : {}) }
  })
  nodes.push({ name: 'happy' })
  const times = glb.accessor(Float32Array.from([0, seconds / 2, seconds]), 'SCALAR')
  const samplers = []
  const channels = []
  const curve = (node, path, values, type) => {
    samplers.push({ input: times, output: glb.accessor(Float32Array.from(values), type), interpolation: 'LINEAR' })
    channels.push({ sampler: samplers.length - 1, target: { node, path } })
  }
  const turn = (bone, ...angles) => {
    const goal = new Quaternion().setFromEuler(new Euler(...angles)).toArray()
    curve(names.indexOf(bone), 'rotation', [0, 0, 0, 1, ...goal, ...goal], 'VEC4')
  }
  turn('leftUpperArm', 0, 0, 1.4)
  turn('rightUpperArm', 0, 0, -1.4)
  for (const side of ['left', 'right']) {
    turn(`${side}UpperLeg`, -KNEES, 0, 0)
    turn(`${side}LowerLeg`, 2 * KNEES, 0, 0)
    turn(`${side}Foot`, -KNEES, 0, 0)
  }
  const down = 0.9 - (0.95 - 0.08) * 0.9 * (1 - Math.cos(KNEES))
  curve(names.indexOf('hips'), 'translation', [0, 0.9, 0, 0, down, 0, 0, down, 0], 'VEC3')
  curve(nodes.length - 1, 'translation', [0, 0, 0, 0.5, 0, 0, 0.5, 0, 0], 'VEC3')
  const humanBones = Object.fromEntries(names.map((name, node) => [name, { node }]))
  Object.assign(glb.json, {
    scene: 0,
    scenes: [{ nodes: [0, nodes.length - 1] }],
    nodes,
    animations: [{ name: 'arms up', samplers, channels }],
    extensionsUsed: ['VRMC_vrm_animation'],
    extensions: { VRMC_vrm_animation: { specVersion: '1.0', humanoid: { humanBones }, expressions: { preset: { happy: { node: nodes.length - 1 } } } } },
  })
  return glb.bytes()
}
