// Tests the avatar in the browser: the built-in one, and models and animations as other programs save them.
// The tests query bone positions and facial expressions at times that they choose, without waiting for
// frames. Pixels are compared only between one face and another.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { rightArmUp } from './body/fbx.mjs'
import { mannequin } from './body/mannequin.mjs'
import { portraits } from './body/portraits.mjs'
import { armsUp, KNEES } from './body/vrma.mjs'
import { axeFaults, composer, say, stage, until } from './harness.mjs'

const OLD = { hips: 0.85, trunk: 0.5, arm: 0.55 }
const NEW = { hips: 1.15, trunk: 0.6, arm: 0.7 }
const MODELS = { 'old.vrm': mannequin('0', OLD), 'new.vrm': mannequin('1', NEW), 'cut.vrm': cut(mannequin('1', NEW), 400) }
const MOVES = {
  'arms up.vrma': armsUp(),
  'level.fbx': rightArmUp(),
  'hanging.fbx': rightArmUp({ pose: 'A', prefix: 'mixamorig1:', version: 7500 }),
  'away.fbx': rightArmUp({ prefix: '', walks: 400 }),
}
/** Returns a truncated file whose header is consistent, so that it looks whole from outside. */
function cut(whole, kept) {
  const json = whole.readUInt32LE(12)
  const bytes = Buffer.from(whole.subarray(0, 28 + json + kept))
  bytes.writeUInt32LE(bytes.length, 8)
  bytes.writeUInt32LE(kept, 20 + json)
  return bytes
}

/** The height of an ankle at rest, by model. */
const ANKLES = { '': 0.045, 'old.vrm': OLD.hips * 0.08, 'new.vrm': NEW.hips * 0.08 }

const here = stage({
  options: { viewport: { width: 640, height: 560 }, reducedMotion: 'no-preference' },
  reset: async ({ perigee }) => {
    await (placed ??= place())
    await perigee.call('PUT', '/api/body', { model: '', palette: 'moon' })
  },
})

let placed

/** Uploads the models and animations, once for all tests. */
async function place() {
  for (const [name, bytes] of Object.entries(MODELS)) await put('models', name, bytes)
  for (const [name, bytes] of Object.entries(MOVES)) await put('anims', name, bytes)
}

async function fetchRaw(path, init = {}) {
  const token = (await readFile(join(here.perigee.home, 'token'), 'utf8')).trim()
  const response = await fetch(here.perigee.address + path, { ...init, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' } })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response
}

const put = (kind, name, body) => fetchRaw(`/api/assets/${kind}/${encodeURIComponent(name)}`, { method: 'PUT', body })
const canvas = () => here.page.locator('[data-avatar] canvas').first()
const probe = (asked = {}) =>
  canvas().evaluate((canvas, detail) => {
    canvas.dispatchEvent(new CustomEvent('perigee:probe', { detail }))
    return detail.answer
  }, asked)
const step = (seconds) => probe({ step: seconds })
/** Steps through the given number of frames one by one and returns the state after each. */
const trace = (frames, seconds = 1 / 60) =>
  canvas().evaluate(
    (canvas, [frames, step]) =>
      Array.from({ length: frames }, () => {
        const detail = { step }
        canvas.dispatchEvent(new CustomEvent('perigee:probe', { detail }))
        return detail.answer
      }),
    [frames, seconds],
  )

/**
 * Widens the page until it has panels. The avatar has stopped drawing by itself by then and nothing else
 * moves; the lowest quality keeps the larger number of pixels from taking long.
 */
async function widen(height) {
  await probe({ quality: 'least' })
  await here.page.setViewportSize({ width: 1280, height })
  await composer(here.page).waitFor()
}

const lines = new WeakMap()

/** Opens the avatar view, with the clock controlled by the test. */
async function meet() {
  if (!lines.has(here.context)) {
    await here.context.routeWebSocket(/\/ws/, (socket) => {
      socket.connectToServer()
      lines.set(here.context, socket)
    })
    await here.page.reload()
    await until(() => lines.has(here.context))
  }
  await here.page.evaluate(() => (location.hash = '#/luna'))
  await shown()
  await probe({ pause: true, quality: 'high', step: 0.5, draw: true })
}

/** Sends a message to the page as if it came from the server. */
const push = (message) => lines.get(here.context).send(JSON.stringify(message))
const shown = () => here.page.locator('[data-avatar=shown]').first().waitFor()

async function wear(model) {
  const before = (await probe()).measures
  await here.perigee.call('PUT', '/api/body', { model })
  await until(async () => (await probe()).measures.hips !== before.hips)
  await until(async () => (await step(0.1)).playing.idle === 1)
}

/** Plays an animation, including its fades, in the time of the test. */
async function play(name, seconds) {
  await here.perigee.call('POST', `/api/play/${encodeURIComponent(name)}`)
  await until(async () => name in (await probe()).playing, `${name} is not played`)
  return step(seconds)
}

const rest = () => step(6)

/** Moves the pointer to a share of the width: 0 is the left edge, 1 the right edge. */
async function lookTo(part) {
  const { width } = here.page.viewportSize()
  await here.page.mouse.move(part * (width - 2), 240)
  await here.page.mouse.move(part * (width - 2) + 1, 240)
  return step(1)
}

const near = (actual, expected, within, what) => assert.ok(Math.abs(actual - expected) <= within, `${what}: ${actual}, not ${expected}`)

test('the files of her own body and movements are what they should be', async () => {
  const { validateBytes } = createRequire(import.meta.url)('gltf-validator')
  const { palettes } = await here.perigee.call('GET', '/api/body')
  const { animations } = await here.perigee.call('GET', '/api/animations')
  const files = ['/avatar.vrm', ...palettes.map(({ url }) => url), ...animations.filter(({ own }) => own).map(({ url }) => url)]
  assert.ok(files.length >= 12)
  for (const file of files) {
    const { issues } = await validateBytes(new Uint8Array(await (await fetchRaw(file)).arrayBuffer()))
    assert.equal(issues.numErrors, 0, `${file}: ${JSON.stringify(issues.messages.slice(0, 3))}`)
  }
})

test('she is drawn with few calls, and what the server says is seen in her face and on her lips', async () => {
  await meet()
  const { drawn } = await probe()
  assert.ok(drawn.calls > 0 && drawn.calls <= 12, `${drawn.calls} calls`)
  for (const expression of ['happy', 'angry', 'sad', 'relaxed', 'surprised']) {
    push({ action: 'expression', expression, intensity: 0.9 })
    await until(async () => (await step(0.3)).weights[expression] > 0.85, expression)
    const { weights, morphs } = await probe()
    near(morphs[expression], weights[expression], 0.01, expression)
    const others = Object.entries(weights).filter(([name, weight]) => name !== expression && !/look|blink/.test(name) && weight > 0.01)
    assert.deepEqual(others, [])
    await here.page.getByRole('img', { name: `Luna, ${expression}` }).waitFor()
  }
  assert.equal((await rest()).weights.surprised, 0)

  await here.page.mouse.click(320, 200)
  const wav = Buffer.alloc(44 + 8000 * 2 * 4)
  wav.write('RIFF')
  wav.writeUInt32LE(wav.length - 8, 4)
  wav.write('WAVEfmt ', 8)
  for (const [value, at, bytes] of [[16, 16, 4], [1, 20, 2], [1, 22, 2], [8000, 24, 4], [16000, 28, 4], [2, 32, 2], [16, 34, 2]]) wav.writeUIntLE(value, at, bytes)
  wav.write('data', 36)
  wav.writeUInt32LE(wav.length - 44, 40)
  push({ action: 'speaker', speaks: true })
  push({ action: 'audio', turnId: 't', data: Buffer.from('not a sound').toString('base64'), text: '', visemes: [] })
  const visemes = [{ at: 0, seconds: 2, shape: 'oh', weight: 0.9 }, { at: 2, seconds: 2, shape: 'ee', weight: 0.8 }]
  push({ action: 'audio', turnId: 't', data: wav.toString('base64'), text: 'Oh', visemes })
  await until(async () => (await step(0.2)).morphs.oh > 0.7, 'her mouth is round')
  await until(async () => (await step(0.2)).morphs.ee > 0.6, 'and then wide')
  await until(async () => (await step(0.2)).weights.ee === 0, 'and shut in the end')
})

const FELT = ['happy', 'angry', 'sad', 'relaxed', 'surprised']
const MOUTHS = ['aa', 'ih', 'ou', 'ee', 'oh']
const LIDS = ['blink', 'blinkLeft', 'blinkRight']
const LOOKS = ['lookUp', 'lookDown', 'lookLeft', 'lookRight']
const PRESETS = ['neutral', ...FELT, ...MOUTHS, ...LIDS, ...LOOKS]

test('each of the eighteen presets is on her meshes, where it belongs in her face, and like no other', async () => {
  await meet()
  const { weights } = await probe()
  assert.deepEqual(Object.keys(weights).filter((name) => name !== 'shine').sort(), [...PRESETS].sort())
  const seen = await portraits(canvas(), PRESETS)
  const neutral = seen.neutral
  for (const [index, preset] of PRESETS.entries()) {
    const { morphs, box, apart } = seen[preset]
    const on = Object.fromEntries(Object.entries(morphs).filter(([, weight]) => weight !== 0))
    assert.deepEqual(on, preset === 'neutral' ? {} : { [preset]: 1 })
    assert.equal(apart[index], 0)
    for (const [other, points] of apart.entries()) assert.ok(other === index || points > 12, `${preset} is as ${PRESETS[other]}: ${points} points apart`)
    if (preset !== 'neutral') assert.ok(box.count > 20, `${preset} changes ${box.count} points`)
  }
  const [left, right, mouth] = [seen.blinkLeft.box, seen.blinkRight.box, seen.aa.box]
  // The avatar's left is on the viewer's right.
  assert.ok(right.right < left.left && mouth.top > left.bottom && mouth.left > right.left && mouth.right < left.right, JSON.stringify({ left, right, mouth }))
  const within = (box, whole, what) => {
    const inside = box.left >= whole.left - 6 && box.right <= whole.right + 6 && box.top >= whole.top - 6 && box.bottom <= whole.bottom + 6
    assert.ok(inside, `${what}: ${JSON.stringify(box)} in ${JSON.stringify(whole)}`)
  }
  const eyes = { left: right.left, right: left.right, top: Math.min(left.top, right.top), bottom: Math.max(left.bottom, right.bottom) }
  for (const preset of ['blink', ...LOOKS]) within(seen[preset].box, eyes, preset)
  const under = { left: right.left, right: left.right, top: left.bottom, bottom: mouth.bottom }
  for (const preset of MOUTHS) within(seen[preset].box, under, preset)
  for (const preset of FELT) assert.ok(seen[preset].box.top < left.bottom && seen[preset].box.bottom > left.bottom, `${preset} is in the eyes and on the mouth`)
  const moved = (preset, axis) => seen[preset].dark[axis] - neutral.dark[axis]
  for (const [preset, axis, way] of [['lookLeft', 'x', 1], ['lookRight', 'x', -1], ['lookUp', 'y', -1], ['lookDown', 'y', 1]]) {
    assert.ok(moved(preset, axis) * way > 0.8, `${preset} moves her eyes by ${moved(preset, axis)}`)
  }
  const tall = ({ box }) => box.bottom - box.top
  assert.ok(tall(seen.aa) > tall(seen.ee), 'her mouth is wide open at aa')
})

test('she laughs at a joke and is sad at bad news, on her face', async () => {
  await meet()
  await widen(800)
  const lively = ({ morphs }) => Object.fromEntries(FELT.filter((felt) => morphs[felt] > 0.01).map((felt) => [felt, morphs[felt]]))
  for (const [answer, felt, move] of [
    ['Hahaha, that is hilarious! I love it.', 'happy', 'laugh'],
    ['Oh no. I am so sorry to hear that your grandmother died. That is heartbreaking.', 'sad'],
    ['The file has three columns.', null],
  ]) {
    here.model.says(answer)
    await say(here.page, 'Listen')
    await here.page.getByText(answer).first().waitFor()
    if (felt) {
      await until(async () => (await step(0.1)).morphs[felt] > 0.3, `she is not ${felt}`)
      if (move) await until(async () => move in (await step(0.02)).playing, `she does not ${move}`)
      const now = await step(0.3)
      assert.ok(now.morphs[felt] > 0.3, `${felt} at ${now.morphs[felt]}`)
      assert.deepEqual(Object.keys(lively(now)), [felt])
      await here.page.getByRole('img', { name: `Luna, ${felt}` }).waitFor()
    }
    await until(async () => (await here.page.getByRole('button', { name: 'Stop' }).count()) === 0, 'she is done')
    if (!felt) assert.deepEqual(lively(await step(0.3)), {}, answer)
    assert.deepEqual(lively(await rest()), {}, 'and calm again')
  }
})

test('she looks at a panel that she opens, to whichever side it is', async () => {
  await meet()
  // At this height there is room under the conversation, too.
  await widen(1040)
  const call = (panel) => `<tool_call>${JSON.stringify({ name: 'panel', arguments: { panel, open: true } })}</tool_call>`
  for (const [panel, name, side] of [['console', 'Console', 1], ['system', 'System', -1]]) {
    here.model.says(call(panel), 'There you are.')
    await say(here.page, `Show me the ${panel}`)
    const { x, width } = await here.page.getByRole('region', { name, exact: true }).boundingBox()
    assert.ok((x + width / 2 - 640) * side > 200, `${name} is at ${x}`)
    await until(async () => (await step(0.05)).eyes.yaw * side > 8, `her eyes go to the ${name}`)
    const { bones, morphs } = await step(0.6)
    assert.ok(morphs[side > 0 ? 'lookLeft' : 'lookRight'] > 0.1 && morphs[side > 0 ? 'lookRight' : 'lookLeft'] === 0, `by her eyes: ${JSON.stringify(morphs)}`)
    assert.ok((bones.head.turn[1] + bones.neck.turn[1]) * side > 0.05, 'and her head')
    await until(async () => Math.abs((await step(0.5)).eyes.yaw) < 5, 'and back')
  }
})

test('movements of others fit every body', async () => {
  await meet()
  for (const model of ['', 'old.vrm', 'new.vrm']) {
    if (model) await wear(model)
    const { measures } = await probe()
    const look = await lookTo(1)
    assert.ok(look.eyes.yaw > 3 && look.bones.head.turn[1] > 0.01, `${model}: to the pointer by ${look.eyes.yaw} degrees`)
    // VRM 0 has no preset for it; models of that version capitalise the name.
    push({ action: 'expression', expression: 'surprised', intensity: 1 })
    await until(async () => Object.entries((await step(0.3)).morphs).some(([name, weight]) => /^surprised$/i.test(name) && weight > 0.9), `${model} is surprised`)
    await rest()
    const grounded = ({ bones }, what) => {
      for (const foot of ['leftFoot', 'rightFoot']) near(bones[foot].at[1], ANKLES[model], measures.hips * 0.03, `${foot} in ${what}`)
    }
    grounded(await probe(), 'idle')
    const above = ({ bones }, hand) => assert.ok(bones[hand].at[1] > bones.head.at[1] + measures.hips * 0.2, `${hand} is above the head: ${bones[hand].at}`)

    const up = await play('arms up', 1.2)
    above(up, 'leftHand')
    above(up, 'rightHand')
    assert.ok(up.bones.leftHand.at[0] > 0.05 && up.bones.rightHand.at[0] < -0.05, 'each hand on its own side')
    grounded(up, 'arms up')
    if (model) near(up.bones.hips.at[1] / measures.hips, 1 - 0.87 * (1 - Math.cos(KNEES)), 0.03, 'the hips')
    else assert.ok(up.bones.hips.at[1] < measures.hips * 0.8, 'the hips')
    near(up.weights.happy, 0.5, 0.05, 'what the animation does to her face')
    await rest()

    for (const [name, angle] of [['level', 0], ['hanging', -Math.PI / 4], ['away', 0]]) {
      const { bones, ...pose } = await play(name, 1.1)
      above({ bones }, 'rightHand')
      assert.ok(bones.rightHand.at[0] < -0.02, `${name}: the right hand is on the right: ${bones.rightHand.at}`)
      const [x, y, z] = bones.leftHand.at.map((value, axis) => value - bones.leftUpperArm.at[axis])
      near(Math.atan2(y, x), angle, 0.12, `${name}: the left arm`)
      near(z / Math.hypot(x, y), 0, 0.12, `${name}: the left arm is not in front`)
      near(bones.hips.at[2], 0, measures.hips * 0.06, `${name}: she stays where she is`)
      grounded({ bones, ...pose }, `${name} on ${model}`)
      await rest()
    }
  }
})

test('one movement goes over into the next without a jump, and between them she blinks and looks around', async () => {
  await meet()
  const low = (await probe()).bones.rightHand.at[1]
  const half = await play('level', 0.15)
  near(half.playing.level, 0.5, 0.1, 'half of it')
  const hand = [half.bones.rightHand.at]
  for (const [name, frames] of [['wave', 12], ['hanging', 6], ['wave', 20]]) {
    await here.perigee.call('POST', `/api/play/${name}`)
    await until(async () => name in (await probe()).playing)
    hand.push(...(await trace(frames)).map(({ bones }) => bones.rightHand.at))
  }
  const jumps = hand.slice(1).map((at, index) => Math.hypot(...at.map((value, axis) => value - hand[index][axis])))
  assert.ok(Math.max(...jumps) < 0.06, `it jumps by ${Math.max(...jumps)}`)
  assert.ok(hand.at(-1)[1] > low)
  const { playing } = await step(8)
  assert.deepEqual(playing, { idle: 1 })

  const shut = (await trace(7 * 60)).map(({ weights }) => weights.blink)
  assert.ok(Math.max(...shut) > 0.6 && shut.filter((weight) => weight === 0).length > 300, 'she blinks')
  const right = await lookTo(1)
  const left = await lookTo(0)
  // The avatar's left is on the viewer's right.
  assert.ok(right.eyes.yaw > 3 && left.eyes.yaw < -3, `${right.eyes.yaw} and ${left.eyes.yaw} degrees`)
  assert.ok(right.morphs.lookLeft > 0.02 && left.morphs.lookRight > 0.02)
  const turned = ({ bones }) => 2 * Math.asin(bones.head.turn[1] + bones.neck.turn[1])
  assert.ok(turned(right) > 0.03 && turned(left) < -0.03, 'the head turns with the eyes')
  const idle = await step(8)
  assert.ok(Math.abs(idle.eyes.yaw) < 4, 'and back when the pointer rests')
})

test('nothing is drawn while nobody can see it', async () => {
  await meet()
  await probe({ pause: false, quality: 'low' })
  const frames = async () => (await probe()).drawn.frame
  const from = await frames()
  await until(async () => (await frames()) > from)
  const hide = (hidden) =>
    here.page.evaluate(async (hidden) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
    }, hidden)
  await hide(true)
  const hidden = await frames()
  await hide(true)
  assert.equal(await frames(), hidden)
  await hide(false)
  await until(async () => (await frames()) > hidden)
  await canvas().evaluate((canvas) => {
    window.taken = canvas.getContext('webgl2').getExtension('WEBGL_lose_context')
    window.taken.loseContext()
  })
  await until(() => here.page.evaluate(() => document.querySelector('[data-avatar] canvas').getContext('webgl2').isContextLost()))
  await here.page.evaluate(() => window.taken.restoreContext())
  const restored = await frames()
  await until(async () => (await frames()) > restored, 'she comes back with the picture')
})

test('where drawing her takes long, so is what is around her left out, and in the end she stands still but for her face', async () => {
  await meet()
  const plain = () => here.page.evaluate(() => ({ plain: document.querySelector('.immersive[data-plain]') !== null, moving: document.getAnimations().length }))
  assert.equal((await plain()).plain, false)
  const slow = await probe({ quality: 'least', frame: 0.5 })
  assert.deepEqual(slow.quality, { name: 'least', pixelRatio: 1, outlines: true, shadows: true, fps: 30 })
  await until(async () => (await plain()).plain && (await plain()).moving === 0, 'stars twinkle behind her')
  assert.ok((await probe({ frame: 0.5 })).drawn.frame > slow.drawn.frame)

  const still = await probe({ quality: 'still', frame: 0.5 })
  const later = await probe({ frame: 0.5 })
  assert.deepEqual([later.drawn.frame, later.bones], [still.drawn.frame, still.bones])
  push({ action: 'expression', expression: 'happy', intensity: 0.9 })
  await until(async () => (await probe({ frame: 0.1 })).morphs.happy > 0.85, 'her face changes')
  const happy = await probe({ frame: 0.5 })
  assert.deepEqual([happy.drawn.frame, happy.bones], [still.drawn.frame + 1, still.bones])
  for (let half = 0; half < 10; half++) await probe({ frame: 0.5 })
  assert.deepEqual([(await probe()).drawn.frame, (await probe()).morphs.happy], [still.drawn.frame + 2, 0])
})

test('changing bodies leaves nothing behind, and a broken one changes nothing', async () => {
  await meet()
  const counts = async () => {
    const { drawn } = await probe({ step: 0.1, draw: true })
    return { geometries: drawn.geometries, textures: drawn.textures }
  }
  const seen = []
  for (let round = 0; round < 3; round++) {
    await wear('old.vrm')
    await probe({ draw: true })
    await wear('')
    seen.push(await counts())
  }
  // Everything that the renderer keeps permanently is allocated after the first round.
  assert.deepEqual(seen[2], seen[0])
  const { measures } = await probe()
  await here.perigee.call('PUT', '/api/body', { model: 'cut.vrm' })
  await here.page.getByText(/This avatar cannot be used/).waitFor()
  assert.deepEqual((await probe()).measures, measures)
})

test('a file of the user takes the place of hers', async () => {
  await put('anims', 'Idle.fbx', MOVES['level.fbx'])
  await meet()
  await until(async () => {
    const { bones } = await step(0.4)
    return bones.rightHand.at[1] > bones.head.at[1]
  }, 'the arm of their idle goes up')
  await fetchRaw('/api/assets/anims/Idle.fbx', { method: 'DELETE' })
  await until(async () => (await step(2)).bones.rightHand.at[1] < 0.4, 'and hers is back')
})

test('with reduced motion nothing moves but her expression', async () => {
  await here.enter({ reducedMotion: 'reduce' })
  await meet()
  const first = await step(1)
  await here.page.mouse.move(600, 100)
  const later = await step(9)
  assert.deepEqual(later.bones, first.bones)
  assert.deepEqual(later.weights, first.weights)
  push({ action: 'expression', expression: 'happy', intensity: 1 })
  await until(async () => (await step(0.1)).weights.happy === 1)
})

test('without WebGL her face stands in for her, and says why', async () => {
  await here.page.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return /webgl/.test(kind) ? null : getContext.call(this, kind, ...rest)
    }
  })
  await here.page.goto(`${here.perigee.address}/#/luna`)
  await here.page.reload()
  await here.page.getByText(/does not support WebGL/).waitFor()
  assert.deepEqual(await axeFaults(here.page, '[data-avatar]'), [])
})
