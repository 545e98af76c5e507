// Measures the size of the page and the cost of the avatar for `cargo xtask bench body`. PERIGEE_BIN names
// the program. Prints one JSON object; arguments select the parts to run. With software rendering, as here,
// drawing itself is slow: the figure that matters on a machine with a graphics card is the share of the
// scripts, which is measured separately.

import { get } from 'node:http'
import { composer, openBrowser, Perigee, ScriptedModel, signIn, until } from './harness.mjs'

const EXPRESSIONS = ['happy', 'sad', 'angry', 'surprised', 'relaxed']
const CHANGES = 1000
const SWAPS = 100
const REST_S = 10
const STREAM_MS = 8000

const model = await ScriptedModel.start('scripted')
const perigee = await Perigee.start({ config: model.config })
const browser = await openBrowser()
const found = {}
const DESK = { viewport: { width: 1280, height: 800 }, reducedMotion: 'no-preference' }

/**
 * Measures two script sizes, as the server sends them to a client that accepts gzip. The first paint waits
 * only for the scripts named in the HTML as it is sent. The message list is requested along with them, so
 * that it is ready when a conversation is: the second figure covers every script requested before the
 * composer exists. Scripts that are added to the document later count in neither figure: parts that are
 * prefetched when idle add themselves there, too.
 */
async function weight() {
  const { page, context } = await signIn(browser, perigee, DESK)
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('textarea[aria-label^="Message "]')) return
      window.writable = performance.now()
      observer.disconnect()
    }).observe(document, { childList: true, subtree: true })
  })
  await page.reload()
  await composer(page).waitFor()
  const named = [...(await (await fetch(perigee.address)).text()).matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path]) => perigee.address + path)
  const asked = await page.evaluate(() =>
    performance.getEntriesByType('resource').flatMap(({ name, startTime }) => (/\.js$/.test(name) && startTime < window.writable ? [name] : [])),
  )
  const kilobytes = async (urls) => (await Promise.all(urls.map(sent))).reduce((sum, size) => sum + size, 0) / 1000
  found.first_paint_js_kb = await kilobytes(named)
  found.before_writing_js_kb = await kilobytes(asked)
  found.first_paint_has_three = asked.some((url) => /three/.test(url)) ? 1 : 0
  await context.close()
}

/** Returns the number of bytes on the wire. */
const sent = (url) =>
  new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip' } }, (answer) => {
      let size = 0
      answer.on('data', (bytes) => (size += bytes.length)).on('end', () => resolve(size))
    }).on('error', reject)
  })

/** Measures the time from navigation until no long task keeps the page busy any more. */
async function interactive() {
  const times = []
  for (let round = 0; round < 5; round += 1) {
    const { page, context } = await signIn(browser, perigee, DESK)
    await page.reload()
    await composer(page).waitFor()
    times.push(
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            let last = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0
            new PerformanceObserver((list) => list.getEntries().forEach(({ startTime, duration }) => (last = Math.max(last, startTime + duration)))).observe({ type: 'longtask', buffered: true })
            setTimeout(() => resolve(last), 3000)
          }),
      ),
    )
    await context.close()
  }
  found.interactive_ms = times.sort((a, b) => a - b)[2]
}

async function meet() {
  const { page, context } = await signIn(browser, perigee, DESK)
  let line
  await context.routeWebSocket(/\/ws/, (socket) => {
    socket.connectToServer()
    line = socket
  })
  await page.reload()
  await page.evaluate(() => (location.hash = '#/luna'))
  await page.locator('[data-avatar=shown]').first().waitFor()
  const canvas = page.locator('[data-avatar] canvas').first()
  const probe = (asked = {}) =>
    canvas.evaluate((canvas, detail) => {
      canvas.dispatchEvent(new CustomEvent('perigee:probe', { detail }))
      return detail.answer
    }, asked)
  return { page, context, probe, push: (message) => line.send(JSON.stringify(message)) }
}

/**
 * Returns the CPU time of all browser processes, in seconds of one core: graphics drivers draw in a process
 * other than the page's.
 */
async function processors() {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}

/**
 * Returns the percentages of one core used while the page is idle: by its scripts, by its main thread, and by
 * the whole browser.
 */
async function busy(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const read = async () => Object.fromEntries((await session.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value]))
  const [before, begun] = [await read(), await processors()]
  await new Promise((wake) => setTimeout(wake, REST_S * 1000))
  const [after, ended] = [await read(), await processors()]
  const share = (seconds) => (100 * seconds) / REST_S
  return { scripts: share(after.ScriptDuration - before.ScriptDuration), page: share(after.TaskDuration - before.TaskDuration), browser: share(ended - begun) }
}

async function heap(page) {
  const session = await page.context().newCDPSession(page)
  for (let round = 0; round < 3; round += 1) await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1e6
}

async function rest() {
  const { page, context, probe } = await meet()
  await page.keyboard.press('h')
  // It takes this long to determine how well the machine keeps up.
  await new Promise((wake) => setTimeout(wake, 8000))
  const body = await busy(page)
  found.idle_script_percent = body.scripts
  found.idle_page_percent = body.page
  found.idle_browser_percent = body.browser
  found.idle_quality = (await probe()).quality
  found.draw_calls = (await probe({ quality: 'high', draw: true })).drawn.calls
  await page.evaluate(() => (location.hash = '#/'))
  await composer(page).waitFor()
  await new Promise((wake) => setTimeout(wake, 1000))
  const without = await busy(page)
  found.idle_without_percent = without.page
  found.idle_without_browser_percent = without.browser
  await context.close()
}

async function lasting() {
  const { page, context, probe, push } = await meet()
  await probe({ pause: true, step: 1, draw: true })
  const change = async (count) => {
    for (let number = 0; number < count; number += 1) {
      push({ action: 'expression', expression: EXPRESSIONS[number % EXPRESSIONS.length], intensity: 0.9 })
      if (number % 50 === 49) await probe({ step: 0.4, draw: true })
    }
    await probe({ step: 6, draw: true })
  }
  await change(100)
  const before = { heap: await heap(page), ...(await probe()).drawn }
  await change(CHANGES)
  const after = { heap: await heap(page), ...(await probe()).drawn }
  found.expressions_heap_mb = after.heap - before.heap
  found.expressions_textures = after.textures - before.textures
  const palettes = ['dawn', 'moon']
  const swap = async (count) => {
    for (let number = 0; number < count; number += 1) {
      const { dressed } = await probe()
      await perigee.call('PUT', '/api/body', { palette: palettes[number % 2] })
      await until(async () => (await probe()).dressed > dressed, 'she did not change')
      await probe({ step: 0.1, draw: true })
    }
  }
  await swap(4)
  const first = { heap: await heap(page), ...(await probe()).drawn }
  await swap(SWAPS)
  const last = { heap: await heap(page), ...(await probe()).drawn }
  found.swaps_heap_mb = last.heap - first.heap
  found.swaps_geometries = last.geometries - first.geometries
  found.swaps_textures = last.textures - first.textures
  await context.close()
}

/** Measures the time between two frames of the page while a reply streams in, with the avatar and without. */
async function frames(hash) {
  const { page, context } = await signIn(browser, perigee, DESK)
  await page.evaluate((hash) => (location.hash = hash), hash)
  if (hash === '#/luna') {
    await page.locator('[data-avatar=shown]').first().waitFor()
    await new Promise((wake) => setTimeout(wake, 8000))
  }
  model.says(async (send) => {
    for (const end = Date.now() + STREAM_MS; Date.now() < end; await new Promise((wake) => setTimeout(wake, 25))) send('A word or two, and then some more. ')
  })
  await composer(page).fill('Talk to me')
  await page.keyboard.press('Enter')
  const times = await page.evaluate(
    (length) =>
      new Promise((resolve) => {
        const times = []
        let last = performance.now()
        const begun = last
        const look = (now) => {
          times.push(now - last)
          last = now
          if (now - begun < length) requestAnimationFrame(look)
          else resolve(times.slice(5).sort((a, b) => a - b))
        }
        requestAnimationFrame(look)
      }),
    STREAM_MS - 1500,
  )
  await context.close()
  return { median: times[Math.floor(times.length / 2)], p95: times[Math.floor(times.length * 0.95)] }
}

async function streaming() {
  for (const [name, hash] of [['with', '#/luna'], ['without', '#/']]) {
    const { median, p95 } = await frames(hash)
    found[`frame_${name}_ms`] = median
    found[`frame_${name}_p95_ms`] = p95
  }
}

const parts = { weight, interactive, rest, lasting, streaming }
const asked = process.argv.slice(2)
for (const [name, part] of Object.entries(parts)) if (asked.length === 0 || asked.includes(name)) await part()
await browser.close()
await perigee.stop()
model.stop()
console.log(JSON.stringify(found))
