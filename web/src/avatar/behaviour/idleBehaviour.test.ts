// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { IdleBehaviour, type BehaviourInput } from './idleBehaviour'
import { blink, BLINK, firstBlink, shut } from './blink'
import { blinkShare, NEUTRAL, withExpression, stepExpressionAtOnce, stepExpression, type ExpressionState } from './expression'
import { stepGaze, glanceAt, LIMIT, STRAIGHT } from './gaze'
import { fromSound, fromVisemes, stepMouth, SHAPES, SHUT } from './lips'
import { nod, stepNods, NO_NODS } from './nods'
import { idleSpeed, posture } from './posture'
import { seeded } from './random'
import { AWAKE, AWAKE_FOR, fallsAsleep, stepSleep, woken } from './sleep'

const FRAME = 1 / 60
const QUIET: BehaviourInput = { pointer: null, pointerMoved: false, listening: false, state: 'idle', mood: 0.5, energy: 0.5, mouth: null, still: false }

function frames<State>(state: State, seconds: number, step: (state: State, dt: number) => State): State {
  for (let left = seconds; left > 1e-9; left -= FRAME) state = step(state, Math.min(FRAME, left))
  return state
}

describe('blinking', () => {
  test('comes every two to six seconds, now and then twice, and is short', () => {
    const random = seeded(7)
    let state = firstBlink(random)
    const begun: number[] = []
    let shutFor = 0
    for (let frame = 0; frame < 60 * 300; frame++) {
      const before = state.wait
      state = blink(state, FRAME, random)
      if (before >= 0 && state.wait < 0) begun.push(frame * FRAME)
      if (shut(state) > 0) shutFor += FRAME
    }
    const waits = begun.slice(1).map((at, index) => at - (begun[index] ?? 0))
    expect(begun.length).toBeGreaterThan(50)
    expect(waits.every((wait) => wait < 0.5 || (wait > 1.9 && wait < 6.3))).toBe(true)
    expect(waits.some((wait) => wait < 0.5)).toBe(true)
    expect(shutFor / begun.length).toBeCloseTo(BLINK, 1)
  })

  test('is the same for the same seed', () => {
    const run = () => frames(firstBlink(seeded(3)), 10, (state, dt) => blink(state, dt, () => 0.5))
    expect(run()).toEqual(run())
  })
})

describe('a feeling', () => {
  const on = (feeling: ExpressionState, seconds: number) => frames(feeling, seconds, stepExpression)

  test('fades in, is held, and fades out', () => {
    const begun = withExpression(NEUTRAL, 'happy', 0.8)
    expect(on(begun, 0.1).weights.happy).toBeCloseTo(0.5, 1)
    expect(on(begun, 0.3).weights.happy).toBe(0.8)
    expect(on(begun, 4).weights.happy).toBe(0.8)
    expect(on(begun, 4.4).weights.happy).toBeLessThan(0.8)
    expect(on(begun, 5.2).weights).toEqual(NEUTRAL.weights)
  })

  test('goes over into another without a jump, and both together are never too much', () => {
    let state = on(withExpression(NEUTRAL, 'happy', 1), 1)
    state = withExpression(state, 'sad', 1)
    for (let frame = 0; frame < 30; frame++) {
      const next = stepExpression(state, FRAME)
      expect(Math.abs(next.weights.sad - state.weights.sad)).toBeLessThan(0.1)
      expect(next.weights.sad + next.weights.happy).toBeLessThan(1.01)
      state = next
    }
    expect(state.weights).toMatchObject({ happy: 0, sad: 1 })
  })

  test('ends with a neutral face, and is never more than whole', () => {
    expect(on(withExpression(on(withExpression(NEUTRAL, 'angry', 9), 1), 'neutral', 1), 0.6).weights).toEqual(NEUTRAL.weights)
    expect(on(withExpression(NEUTRAL, 'angry', 9), 1).weights.angry).toBe(1)
  })

  test('is there at once where nothing may move', () => {
    const state = stepExpressionAtOnce(withExpression(NEUTRAL, 'surprised', 1), 0)
    expect(state.weights.surprised).toBe(1)
    expect(stepExpressionAtOnce(state, 5).weights.surprised).toBe(0)
  })

  test('that shuts the eyes leaves no blinking', () => {
    expect(blinkShare(on(withExpression(NEUTRAL, 'happy', 1), 1))).toBe(0)
    expect(blinkShare(on(withExpression(NEUTRAL, 'angry', 1), 1))).toBe(1)
  })
})

describe('her look', () => {
  const pointer = { x: 0.4, y: 0.1 }
  const at = (seconds: number, moved: boolean) => frames(STRAIGHT, seconds, (gaze, dt) => stepGaze(gaze, dt, { pointer, pointerMoved: moved, attention: 1 }, () => 0.5))

  test('follows the pointer, the eyes before the head', () => {
    const soon = at(0.1, true)
    expect(soon.eyes.x).toBeGreaterThan(soon.head.x * 2)
    expect(soon.eyes.x).toBeLessThan(pointer.x)
    const later = at(2, true)
    expect(later.eyes.x).toBeCloseTo(pointer.x, 1)
    expect(later.head.x).toBeGreaterThan(0.1)
    expect(later.head.x).toBeLessThan(later.eyes.x)
  })

  test('comes back to whoever is there when the pointer rests', () => {
    const followed = at(1, true)
    const rested = frames(followed, 6, (gaze, dt) => stepGaze(gaze, dt, { pointer, pointerMoved: false, attention: 1 }, () => 0.5))
    expect(Math.abs(rested.eyes.x)).toBeLessThan(0.01)
    expect(Math.abs(rested.head.x)).toBeLessThan(0.01)
  })

  test('has its limits', () => {
    const gaze = frames(STRAIGHT, 3, (state, dt) => stepGaze(state, dt, { pointer: { x: 9, y: -9 }, pointerMoved: true, attention: 1 }, () => 0.5))
    expect(gaze.eyes.x).toBeLessThanOrEqual(LIMIT.x)
    expect(gaze.eyes.y).toBeGreaterThanOrEqual(-LIMIT.y)
  })

  test('goes to what opens for a moment, whatever the pointer does', () => {
    const glanced = frames(glanceAt(at(1, true), { x: -0.5, y: 0 }), 0.8, (gaze, dt) => stepGaze(gaze, dt, { pointer, pointerMoved: true, attention: 1 }, () => 0.5))
    expect(glanced.eyes.x).toBeLessThan(-0.4)
    const after = frames(glanced, 1.5, (gaze, dt) => stepGaze(gaze, dt, { pointer, pointerMoved: true, attention: 1 }, () => 0.5))
    expect(after.eyes.x).toBeGreaterThan(0.3)
  })
})

describe('her mouth', () => {
  const spoken = [
    { at: 0, seconds: 0.2, shape: 'aa' as const, weight: 1 },
    { at: 0.2, seconds: 0.2, shape: 'ou' as const, weight: 0.8 },
    { at: 0.4, seconds: 0.2, shape: 'closed' as const, weight: 1 },
  ]

  test('makes the shape of the moment, and one goes over into the next', () => {
    expect(fromVisemes(spoken, 0.1).aa).toBe(1)
    const between = fromVisemes(spoken, 0.2)
    expect(between.aa).toBeGreaterThan(0)
    expect(between.ou).toBeGreaterThan(0)
    expect(fromVisemes(spoken, 0.3)).toMatchObject({ aa: 0, ou: 0.8 })
    expect(fromVisemes(spoken, 0.5)).toEqual(SHUT)
    expect(fromVisemes([], 1)).toEqual(SHUT)
  })

  test('never opens further than it can', () => {
    for (let at = -0.1; at < 0.7; at += 0.01) {
      const mouth = fromVisemes(spoken.map((each) => ({ ...each, at: 0, seconds: 1, weight: 7 })), at)
      expect(SHAPES.reduce((sum, shape) => sum + mouth[shape], 0)).toBeLessThanOrEqual(1.0001)
    }
  })

  test('follows a sound that brings no shapes', () => {
    expect(fromSound({ level: 0.001, low: 1, mid: 1, high: 1 })).toEqual(SHUT)
    expect(fromSound({ level: 0.3, low: 0, mid: 0, high: 0 })).toEqual(SHUT)
    const loud = fromSound({ level: 0.3, low: 0.2, mid: 1, high: 0.2 })
    expect(loud.aa).toBeGreaterThan(fromSound({ level: 0.06, low: 0.2, mid: 1, high: 0.2 }).aa)
    expect(fromSound({ level: 0.3, low: 1, mid: 0.1, high: 0.1 }).ou).toBeGreaterThan(loud.ou)
  })

  test('shuts again', () => {
    expect(frames({ ...SHUT, aa: 1 }, 0.5, (mouth, dt) => stepMouth(mouth, SHUT, dt))).toEqual(SHUT)
  })
})

describe('posture', () => {
  const calm = { mood: 0.5, energy: 0.5, lean: 0, sleep: 0, nod: 0, head: { x: 0, y: 0 } }

  test('is upright where nothing weighs on her', () => {
    for (const turn of Object.values(posture(calm))) for (const angle of turn) expect(Math.abs(angle)).toBe(0)
  })

  test('droops with a low mood and rises with a high one, by a few degrees', () => {
    const low = posture({ ...calm, mood: 0.05, energy: 0.1 })
    expect(low.head?.[0]).toBeGreaterThan(0.01)
    expect(low.head?.[0]).toBeLessThan(0.1)
    expect(posture({ ...calm, mood: 0.95 }).head?.[0]).toBeLessThan(0)
  })

  test('turns towards what she looks at, up to what is above', () => {
    const turned = posture({ ...calm, head: { x: 0.2, y: 0.1 } })
    expect(turned.head?.[1]).toBeGreaterThan(0)
    expect(turned.head?.[0]).toBeLessThan(0)
  })

  test('the energetic breathe faster, and sleepers slower', () => {
    expect(idleSpeed(0.9, 0)).toBeGreaterThan(idleSpeed(0.1, 0))
    expect(idleSpeed(0.5, 1)).toBeLessThan(idleSpeed(0.5, 0) * 0.7)
  })
})

describe('sleep', () => {
  test('comes when nobody is there for long, once, and goes at once', () => {
    let state = AWAKE
    let moments = 0
    for (let at = 0; at < AWAKE_FOR + 10; at += 0.1) {
      const next = stepSleep(state, 0.1, false)
      if (fallsAsleep(state, next)) moments += 1
      state = next
    }
    expect(moments).toBe(1)
    expect(state.depth).toBe(1)
    expect(frames(woken(state), 0.5, (sleep, dt) => stepSleep(sleep, dt, false)).depth).toBe(0)
  })

  test('does not come while something goes on', () => {
    expect(frames(AWAKE, AWAKE_FOR + 5, (state, dt) => stepSleep(state, dt, true))).toEqual(AWAKE)
  })
})

test('nods go with her words only', () => {
  const random = seeded(1)
  const talking = Array.from({ length: 600 }).reduce<{ state: typeof NO_NODS; most: number }>(
    ({ state, most }) => {
      const next = stepNods(state, FRAME, true, random)
      return { state: next, most: Math.max(most, nod(next)) }
    },
    { state: NO_NODS, most: 0 },
  )
  expect(talking.most).toBeGreaterThan(0.3)
  expect(nod(frames(NO_NODS, 20, (state, dt) => stepNods(state, dt, false, random)))).toBe(0)
})

describe('all together', () => {
  test('a face without a feeling blinks, and a happy one does not', () => {
    const alive = new IdleBehaviour(seeded(5))
    let most = 0
    for (let frame = 0; frame < 60 * 8; frame++) {
      alive.step(FRAME, QUIET)
      most = Math.max(most, alive.output.weights['blink'] ?? 0)
    }
    expect(most).toBeGreaterThan(0.7)
    most = 0
    for (let frame = 0; frame < 60 * 8; frame++) {
      if (frame % 60 === 0) alive.express('happy', 1)
      alive.step(FRAME, QUIET)
      if (frame > 30) most = Math.max(most, alive.output.weights['blink'] ?? 0)
    }
    expect(most).toBe(0)
  })

  test('she leans in to listen, and not while she answers', () => {
    const leaned = (noticed: BehaviourInput) => {
      const alive = new IdleBehaviour(() => 0.5)
      for (let frame = 0; frame < 120; frame++) alive.step(FRAME, noticed)
      return alive.output.turns.spine?.[0] ?? 0
    }
    expect(leaned({ ...QUIET, listening: true })).toBeGreaterThan(0.03)
    expect(leaned({ ...QUIET, listening: true, state: 'answering' })).toBe(0)
  })

  test('where nothing may move, only her expression changes', () => {
    const alive = new IdleBehaviour(seeded(2))
    const still = { ...QUIET, still: true, pointer: { x: 0.5, y: 0.2 }, pointerMoved: true, mouth: { ...SHUT, aa: 1 } }
    const first = (alive.step(1, still), JSON.stringify(alive.output))
    for (let second = 0; second < 20; second++) {
      alive.step(1, still)
      expect(JSON.stringify(alive.output)).toBe(first)
    }
    alive.express('sad', 1)
    alive.step(0, still)
    expect(alive.output.weights['sad']).toBe(1)
  })

  test('she falls asleep with shut eyes, and wakes with what happens', () => {
    const alive = new IdleBehaviour(seeded(4))
    let sleepy = 0
    for (let at = 0; at < AWAKE_FOR + 5; at += 0.1) if (alive.step(0.1, QUIET)) sleepy += 1
    expect(sleepy).toBe(1)
    expect(alive.asleep).toBe(true)
    expect(alive.output.weights['blink']).toBe(1)
    alive.wake()
    for (let frame = 0; frame < 30; frame++) alive.step(FRAME, QUIET)
    expect(alive.asleep).toBe(false)
    expect(alive.output.weights['blink']).toBeLessThan(0.5)
  })
})
