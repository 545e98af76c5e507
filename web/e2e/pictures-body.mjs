// Takes the pictures of her body for the guide from the real program: `node e2e/pictures-body.mjs`, with PERIGEE_BIN set.
// After it may stand which of them: `faces`, `palettes`, `views`.
// Her clock is in the hand of this script, so that the pictures are the same every time.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Perigee, ScriptedModel, openBrowser, signIn, until } from './harness.mjs'

const FOLDER = new URL('../../docs/pictures/body/', import.meta.url).pathname
const FACES = ['happy', 'sad', 'angry', 'surprised', 'relaxed', 'neutral']
/** Where in an animation it says most, in seconds. */
const PEAKS = { idle: 0, wave: 1.3, nod: 0.45, think: 1.6, listen: 1.5, laugh: 1.1, surprised: 0.5, sleepy: 2.2 }
const PLAIN = '#10142b'
const DESK = { viewport: { width: 1440, height: 900 } }
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }

const WEEKEND = `Take the early train: the light on the cliffs is best before nine, and you will have the path to yourself.

[MAP:{"lat": 38.9, "lon": -9.2, "zoom": 7, "title": "A quiet weekend", "markers": [{"lat": 38.72, "lon": -9.14, "label": "Lisbon"}, {"lat": 38.79, "lon": -9.39, "label": "Sintra"}, {"lat": 38.7, "lon": -9.42, "label": "Cascais"}]}]`

const model = await ScriptedModel.start('qwen3-8b')
const perigee = await Perigee.start({ config: model.config })
const browser = await openBrowser()
await mkdir(FOLDER, { recursive: true })

async function meet(options, hash) {
  const { page, context } = await signIn(browser, perigee, { reducedMotion: 'no-preference', ...options })
  let line
  await context.routeWebSocket(/\/ws/, (socket) => {
    socket.connectToServer()
    line = socket
  })
  await page.reload()
  await page.evaluate((hash) => (location.hash = hash), hash)
  const canvas = page.locator('[data-avatar] canvas').first()
  const probe = (asked) =>
    canvas.evaluate((canvas, detail) => {
      canvas.dispatchEvent(new CustomEvent('perigee:probe', { detail }))
      return detail.answer
    }, asked)
  const push = (message) => line.send(JSON.stringify(message))
  await page.locator('[data-avatar=shown]').first().waitFor()
  await until(() => line)
  await probe({ pause: true, quality: 'high', step: 1, draw: true })
  return { page, context, probe, push }
}

/** Everything but her is hidden, and the word of how it comes back is gone. */
async function alone(page) {
  await page.keyboard.press('h')
  await page.getByText('Any key brings everything back').waitFor({ state: 'detached', timeout: 60_000 })
}

const shot = async (page, name) => {
  await page.evaluate(() => document.fonts.ready)
  await page.waitForLoadState('networkidle')
  // The coast is drawn a moment after it is there.
  await page.waitForTimeout(400)
  // Her screen rests when nobody does anything; this does nothing else.
  await page.keyboard.press('Shift')
  await page.screenshot({ path: join(FOLDER, `${name}.jpg`), type: 'jpeg', quality: 84 })
}

async function facesAndMoves() {
  await perigee.call('PUT', '/api/backgrounds', { filename: PLAIN })
  const { page, context, probe, push } = await meet({ viewport: { width: 520, height: 600 }, colorScheme: 'dark' }, '#/luna')
  await alone(page)
  for (const expression of FACES) {
    push({ action: 'expression', expression, intensity: 1 })
    await until(async () => expression === 'neutral' || (await probe({ step: 0.05 })).weights[expression] > 0.95, expression)
    await probe({ draw: true })
    await shot(page, `face-${expression}`)
    await probe({ step: 6 })
  }
  for (const [animation, peak] of Object.entries(PEAKS)) {
    if (peak > 0) {
      await perigee.call('POST', `/api/play/${animation}`)
      await until(async () => animation in (await probe({})).playing, animation)
    }
    await probe({ step: Math.max(peak, 0.1), draw: true })
    await shot(page, `move-${animation}`)
    push({ action: 'play', animation: 'idle' })
    await until(async () => (await probe({ step: 0.5 })).playing.idle === 1, 'idle')
  }
  await context.close()
}

async function palettes() {
  for (const palette of ['moon', 'dawn', 'forest']) {
    await perigee.call('PUT', '/api/body', { palette })
    const { page, context } = await meet({ viewport: { width: 520, height: 600 }, colorScheme: 'dark' }, '#/luna')
    await alone(page)
    await shot(page, `palette-${palette}`)
    await context.close()
  }
  await perigee.call('PUT', '/api/body', { palette: 'moon' })
}

async function views() {
  await perigee.call('PUT', '/api/backgrounds', { filename: 'night' })
  const chat = await perigee.call('POST', '/api/chats/new', { title: 'A quiet weekend' })
  model.says(WEEKEND)
  await perigee.call('POST', '/api/chat', { message: 'Where could I spend a quiet weekend near Lisbon?', conversationId: chat.id })
  for (const colorScheme of ['dark', 'light']) {
    for (const [size, options] of [['desk', DESK], ['phone', PHONE]]) {
      for (const view of ['user', 'luna']) {
        const { page, context, probe } = await meet({ colorScheme, ...options }, `#/${view}/c/${chat.id}`)
        // Not while she blinks.
        await until(async () => (await probe({ step: 0.5, draw: true })).weights.blink === 0)
        await shot(page, `${view}-${size}-${colorScheme}`)
        await context.close()
      }
      const { page, context } = await signIn(browser, perigee, { colorScheme, ...options })
      await page.evaluate((id) => (location.hash = `#/c/${id}`), chat.id)
      await page.getByText('Take the early train').waitFor()
      await shot(page, `dev-${size}-${colorScheme}`)
      await context.close()
    }
  }
}

const PARTS = { faces: facesAndMoves, palettes, views }
for (const part of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PARTS)) await PARTS[part]()
await browser.close()
await perigee.stop()
model.stop()
