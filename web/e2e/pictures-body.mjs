// Takes the pictures of the avatar for the guide from the real program: `node e2e/pictures-body.mjs`, with
// PERIGEE_BIN set; arguments select the parts to run. The script controls the avatar's clock, so that the
// pictures are the same every time.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Perigee, ScriptedModel, openBrowser, signIn, until } from './harness.mjs'

const FOLDER = new URL('../../docs/pictures/body/', import.meta.url).pathname
/** All presets, in the order of the sheet. */
const FACES = [
  ...['neutral', 'happy', 'relaxed', 'surprised', 'sad', 'angry'],
  ...['aa', 'ih', 'ou', 'ee', 'oh', 'blink'],
  ...['blinkLeft', 'blinkRight', 'lookUp', 'lookDown', 'lookLeft', 'lookRight'],
]
/**
 * The head in the picture of the whole avatar: its centre and half the size of the section shown, as
 * fractions of the height.
 */
const HEAD = { x: 0.016, y: 0.462, half: 0.214 }
/** The most expressive moment of each animation, in seconds. */
const PEAKS = { idle: 0, wave: 1.3, nod: 0.45, think: 1.6, listen: 1.5, laugh: 1.1, surprised: 0.5, sleepy: 2.2 }
const PLAIN = '#10142b'
const DESK = { viewport: { width: 1440, height: 900 }, deviceScaleFactor: 2 }
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

/** Hides everything but the avatar, and waits until the hint on how to show it again is gone. */
async function alone(page) {
  await page.keyboard.press('h')
  await page.getByText('Press any key to show everything').waitFor({ state: 'detached', timeout: 60_000 })
}

const shot = async (page, name, scale = 'css') => {
  await page.evaluate(() => document.fonts.ready)
  await page.waitForLoadState('networkidle')
  // The coast is drawn a moment after its data has loaded.
  await page.waitForTimeout(400)
  // The view dims after a time without input; this key wakes it and has no other effect.
  await page.keyboard.press('Shift')
  // Software rendering does not smooth the edges of the avatar; drawing it at twice the size does.
  await page.screenshot({ path: join(FOLDER, `${name}.jpg`), type: 'jpeg', quality: 84, scale })
}

/** Draws one sheet of all faces, composed in the page that draws them. */
async function faces() {
  const { page, context } = await meet({ viewport: { width: 860, height: 1000 }, deviceScaleFactor: 2, colorScheme: 'dark' }, '#/luna')
  const canvas = page.locator('[data-avatar] canvas').first()
  await page.evaluate(() => document.fonts.ready)
  const sheet = await canvas.evaluate(
    async (canvas, [faces, head, plain]) => {
      const [columns, size, words, gap] = [6, 224, 34, 8]
      const sheet = Object.assign(document.createElement('canvas'), { width: columns * (size + gap) + gap, height: (faces.length / columns) * (size + words) + gap })
      const ctx = sheet.getContext('2d')
      Object.assign(ctx, { fillStyle: plain, imageSmoothingQuality: 'high' })
      ctx.fillRect(0, 0, sheet.width, sheet.height)
      Object.assign(ctx, { font: `500 15px ${getComputedStyle(document.body).fontFamily}`, textAlign: 'center' })
      for (const [index, face] of faces.entries()) {
        canvas.dispatchEvent(new CustomEvent('perigee:probe', { detail: { face, draw: true } }))
        const [x, y] = [gap + (index % columns) * (size + gap), gap + Math.floor(index / columns) * (size + words)]
        const [half, right, down] = [head.half, head.x, head.y].map((share) => share * canvas.height)
        ctx.save()
        ctx.beginPath()
        ctx.roundRect(x, y, size, size, 12)
        ctx.clip()
        ctx.fillStyle = '#191e3c'
        ctx.fillRect(x, y, size, size)
        ctx.drawImage(canvas, canvas.width / 2 + right - half, down - half, half * 2, half * 2, x, y, size, size)
        ctx.restore()
        ctx.fillStyle = '#c9cce6'
        ctx.fillText(face, x + size / 2, y + size + 22)
      }
      return sheet.toDataURL('image/jpeg', 0.82)
    },
    [FACES, HEAD, PLAIN],
  )
  await writeFile(join(FOLDER, 'faces.jpg'), Buffer.from(sheet.split(',')[1], 'base64'))
  await context.close()
}

async function moves() {
  await perigee.call('PUT', '/api/backgrounds', { filename: PLAIN })
  const { page, context, probe, push } = await meet({ viewport: { width: 520, height: 600 }, deviceScaleFactor: 2, colorScheme: 'dark' }, '#/luna')
  await alone(page)
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
  await perigee.call('PUT', '/api/backgrounds', { filename: PLAIN })
  for (const palette of ['moon', 'dawn', 'forest']) {
    await perigee.call('PUT', '/api/body', { palette })
    const { page, context } = await meet({ viewport: { width: 520, height: 600 }, deviceScaleFactor: 2, colorScheme: 'dark' }, '#/luna')
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
        // Waits for a moment between blinks.
        await until(async () => (await probe({ step: 0.5, draw: true })).weights.blink === 0)
        await shot(page, `${view}-${size}-${colorScheme}`, size === 'phone' ? 'device' : 'css')
        await context.close()
      }
      const { page, context } = await signIn(browser, perigee, { colorScheme, ...options })
      await page.evaluate((id) => (location.hash = `#/c/${id}`), chat.id)
      await page.getByText('Take the early train').waitFor()
      await shot(page, `dev-${size}-${colorScheme}`, size === 'phone' ? 'device' : 'css')
      await context.close()
    }
  }
}

const parts = { faces, moves, palettes, views }
const asked = process.argv.slice(2)
for (const [name, part] of Object.entries(parts)) if (asked.length === 0 || asked.includes(name)) await part()
await browser.close()
await perigee.stop()
model.stop()
