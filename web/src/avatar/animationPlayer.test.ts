// @vitest-environment node
import { AnimationClip, NumberKeyframeTrack, Object3D, QuaternionKeyframeTrack } from 'three'
import { expect, test } from 'vitest'
import { AnimationPlayer } from './animationPlayer'

const FRAME = 1 / 60

/** An object that rotates about one axis: each clip holds it at an angle of its own. */
function scene() {
  const root = new Object3D()
  const arm = new Object3D()
  arm.name = 'arm'
  const chest = new Object3D()
  chest.name = 'chest'
  root.add(arm, chest)
  const held = (angle: number) => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)]
  const clip = (name: string, angle: number, seconds: number) =>
    new AnimationClip(name, seconds, [new QuaternionKeyframeTrack('arm.quaternion', [0, seconds], [...held(angle), ...held(angle)])])
  const idle = clip('idle', 0, 4)
  idle.tracks.push(new QuaternionKeyframeTrack('chest.quaternion', [0, 2, 4], [...held(0), ...held(0.2), ...held(0)]))
  const player = new AnimationPlayer(root)
  player.setIdle(idle, (track) => track.startsWith('chest'), false)
  const angle = (of: Object3D) => 2 * Math.atan2(of.quaternion.z, of.quaternion.w)
  const run = (seconds: number, watch: () => void = () => {}) => {
    for (let left = seconds; left > 1e-9; left -= FRAME) {
      player.update(FRAME, 1)
      watch()
    }
  }
  return { player, arm: () => angle(arm), chest: () => angle(chest), clip, run }
}

test('a move fades in, is played once, and gives way to idle', () => {
  const { player, arm, clip, run } = scene()
  run(0.1)
  player.playOnce(clip('wave', 1, 2))
  run(0.15)
  expect(arm()).toBeCloseTo(0.5, 1)
  run(0.5)
  expect(arm()).toBeCloseTo(1)
  expect(player.busy).toBe(true)
  run(2)
  expect(arm()).toBeCloseTo(0)
  expect(player.busy).toBe(false)
  expect(player.weights).toEqual({ idle: 1 })
})

test('whatever interrupts whatever, nothing jumps', () => {
  const { player, arm, clip, run } = scene()
  const [one, two] = [clip('one', 1, 2), clip('two', -1, 0.25)]
  let before = arm()
  const watch = () => {
    expect(Math.abs(arm() - before)).toBeLessThan(0.2)
    before = arm()
  }
  for (const [next, seconds] of [[one, 0.1], [two, 0.1], [one, 0.05], [one, 0.4], [two, 1], [one, 3]] as const) {
    player.playOnce(next)
    run(seconds, watch)
  }
  run(3, watch)
  expect(player.weights).toEqual({ idle: 1 })
})

test('the same move again, half way through, begins anew', () => {
  const { player, clip, run } = scene()
  const wave = clip('wave', 1, 1)
  player.playOnce(wave)
  run(0.6)
  player.playOnce(wave)
  run(0.6)
  expect(player.weights['wave']).toBeCloseTo(1)
  run(2)
  expect(player.weights).toEqual({ idle: 1 })
})

test('one that goes on is come back to, until it is taken away', () => {
  const { player, arm, clip, run } = scene()
  const think = clip('think', 0.5, 1)
  player.setBase(think)
  run(5)
  expect(arm()).toBeCloseTo(0.5)
  expect(player.busy).toBe(false)
  player.playOnce(clip('nod', -0.5, 0.8))
  run(0.45)
  expect(arm()).toBeCloseTo(-0.5, 1)
  run(1)
  expect(arm()).toBeCloseTo(0.5)
  player.setBase(null)
  run(0.5)
  expect(arm()).toBeCloseTo(0)
  expect(player.weights).toEqual({ idle: 1 })
})

test('she breathes on beneath another animation', () => {
  const { player, chest, clip, run } = scene()
  const wave = clip('wave', 1, 8)
  wave.tracks.push(new QuaternionKeyframeTrack('chest.quaternion', [0], [0, 0, 0, 1]))
  player.playOnce(wave)
  run(1)
  const seen = [chest()]
  run(1)
  seen.push(chest())
  expect(seen[0]).toBeCloseTo(0.1, 1)
  expect(seen[1]).toBeCloseTo(0.2, 1)
})

test('another idle fades in beneath whatever is played, or is there at once', () => {
  const { player, arm, clip, run } = scene()
  run(0.1)
  player.setIdle(clip('other', 1, 2), () => false, true)
  run(0.15)
  expect(arm()).toBeCloseTo(0.5, 1)
  run(0.5)
  expect(player.weights).toEqual({ other: 1 })
  player.playOnce(clip('wave', -1, 1))
  run(0.4)
  player.setIdle(clip('third', 0.5, 2), () => false, true)
  run(0.1)
  expect(arm()).toBeCloseTo(-1)
  run(2)
  expect(player.weights).toEqual({ third: 1 })
  player.setIdle(clip('last', 0.2, 2), () => false, false)
  player.update(0, 1)
  expect(arm()).toBeCloseTo(0.2)
})

test('weights of a face fade too', () => {
  const { player, run } = scene()
  const face = Object.assign(new Object3D(), { weight: 0 })
  const root = new Object3D().add(face)
  const other = new AnimationPlayer(root)
  other.setIdle(new AnimationClip('idle', 1, []), () => false, false)
  other.playOnce(new AnimationClip('smile', 1, [new NumberKeyframeTrack(`${face.uuid}.weight`, [0, 1], [1, 1])]))
  for (let frame = 0; frame < 30; frame++) other.update(FRAME, 1)
  expect(face.weight).toBeCloseTo(1)
  for (let frame = 0; frame < 90; frame++) other.update(FRAME, 1)
  expect(face.weight).toBeCloseTo(0)
  run(0.1)
  player.dispose()
  other.dispose()
})
