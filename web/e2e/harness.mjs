// Shared support for all browser tests: one Chromium, a fresh data folder and server for each file, and a
// scripted model that speaks the OpenAI wire format.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, afterEach, before, beforeEach } from 'node:test'
import { chromium } from 'playwright-core'

const FLAGS = [
  '--no-sandbox',
  // A graphics card cannot be relied on, so scenes are rendered in software. If pages were composited in the
  // same way, an idle page would keep a core busy.
  '--disable-gpu-compositing',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export async function openBrowser() {
  const known = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  const executablePath = known.find((path) => path && existsSync(path))
  if (!executablePath) throw new Error('there is no Chromium: `cargo xtask test` installs it')
  return chromium.launch({ executablePath, headless: true, args: FLAGS })
}

/** Returns the environment for a tested program, without the developer's settings for their own Perigee. */
export const isolated = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PERIGEE_')))

/** A running `perigee serve` on a data folder of its own. */
export class Perigee {
  /** Starts a server; given the home and port of an earlier one, it resumes where that one stopped. */
  static async start({ config = '', env = {}, home, port = 0 } = {}) {
    const bin = process.env.PERIGEE_BIN
    if (!bin) throw new Error('PERIGEE_BIN is not set: use `cargo xtask test`')
    const folder = home ?? (await mkdtemp(join(tmpdir(), 'perigee-e2e-')))
    if (!home) await writeFile(join(folder, 'config.toml'), config)
    const child = spawn(bin, ['serve', '--home', folder, '--port', String(port), '--json'], {
      env: { ...isolated(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let log = ''
    child.stderr.on('data', (bytes) => (log += bytes))
    const ended = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`perigee ended (${signal ?? code}):\n${log}`)
    })
    ended.catch(() => {})
    const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])
    return new Perigee(child, folder, JSON.parse(line).address, ended)
  }

  constructor(child, home, address, ended) {
    this.child = child
    this.home = home
    this.address = address
    this.ended = ended
    this.wanted = true
    // If the server exits unexpectedly, print the reason: the failures that follow would not show it.
    ended.catch((error) => this.wanted && console.error(error.message))
  }

  async call(method, path, body) {
    const token = (await readFile(join(this.home, 'token'), 'utf8')).trim()
    const response = await fetch(this.address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text ? JSON.parse(text) : undefined
  }

  /** Returns an address that signs a browser in once. */
  async door() {
    const { code } = await this.call('POST', '/api/open', {})
    return `${this.address}/#code=${code}`
  }

  async kill() {
    this.wanted = false
    this.child.kill('SIGKILL')
    await this.ended.catch(() => {})
  }

  async stop() {
    await this.kill()
    await rm(this.home, { recursive: true, force: true })
  }
}

/** A model that replies with what a test scripted, in pieces, and only when told to. */
export class ScriptedModel {
  static async start(name = 'scripted') {
    const model = new ScriptedModel(name)
    await new Promise((resolve) => model.server.listen(0, '127.0.0.1', resolve))
    return model
  }

  constructor(name) {
    this.name = name
    this.script = []
    this.requests = []
    this.server = createServer((request, response) => this.answer(request, response))
  }

  get url() {
    return `http://127.0.0.1:${this.server.address().port}/v1`
  }

  get config() {
    return `[llm]\nbase_url = "${this.url}"\nmodel = "${this.name}"\n[chat]\ntitle = "words"\n`
  }

  /** Queues the next replies: text, or an async function that gets `send(text)`. */
  says(...answers) {
    this.script.push(...answers)
  }

  async answer(request, response) {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json')
      return response.end(JSON.stringify({ object: 'list', data: [{ id: this.name, object: 'model' }] }))
    }
    let body = ''
    for await (const bytes of request) body += bytes
    this.requests.push(JSON.parse(body))
    const next = this.script.shift() ?? 'The script is empty.'
    if (next.status) {
      response.statusCode = next.status
      return response.end(next.body ?? '')
    }
    response.setHeader('content-type', 'text/event-stream')
    const send = (content, field = 'content') => {
      const choice = { index: 0, delta: { [field]: content }, finish_reason: null }
      response.write(`data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [choice] })}\n\n`)
    }
    if (typeof next === 'string') {
      for (const piece of next.match(/[\s\S]{1,7}/g) ?? []) send(piece)
    } else {
      await next(send, response)
    }
    if (response.destroyed) return
    const stop = { index: 0, delta: {}, finish_reason: 'stop' }
    response.end(`data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [stop] })}\n\ndata: [DONE]\n\n`)
  }

  stop() {
    this.server.closeAllConnections()
    this.server.close()
  }
}

/**
 * Returns a promise that a test settles by hand, so that it need not sleep until something has probably
 * happened.
 */
export function gate() {
  let open
  const opened = new Promise((resolve) => (open = resolve))
  return { opened, open }
}

/** Polls until a condition holds, for up to a minute, since a busy machine may be slow. */
export async function until(holds, what = 'it did not come about') {
  for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((wake) => setTimeout(wake, 25))) if (await holds()) return
  throw new Error(typeof what === 'string' ? what : await what())
}

/** Waits until the client has closed the connection. */
export function untilClosed(response) {
  return new Promise((resolve) => response.on('close', resolve))
}

/**
 * Sets up the tests of a file: one browser, model and server for all of them, and a signed-in page for each
 * as `here.page`. `reset` restores the server before each test. Errors that occur unseen in the page make a
 * test fail, unless `here.expectedFaults` matches them.
 */
export function stage({ config = '', options = {}, reset } = {}) {
  const here = { faults: [], expectedFaults: [] }
  /**
   * The browser context that tests share. From the second test on it has the scripts of the app cached, which
   * halves the loading time; it keeps nothing else.
   */
  let usual
  const leave = async () => {
    if (here.context === usual) await Promise.all(here.context?.pages().map((page) => page.close()) ?? [])
    else await here.context?.close()
    here.context = undefined
  }
  /** Opens another page, as on another device. */
  here.enter = async (more) => {
    await leave()
    const context = more ? await openContext(here.browser, { ...options, ...more }) : (usual ??= await openContext(here.browser, options))
    here.context = context
    here.page = await enterPage(context, here.perigee, here.faults)
  }
  before(async () => {
    here.browser = await openBrowser()
    here.model = await ScriptedModel.start()
    here.perigee = await Perigee.start({ config: here.model.config + config })
  })
  beforeEach(async () => {
    here.model.script.length = 0
    here.faults = []
    here.expectedFaults = []
    await here.perigee.call('POST', '/api/chat/clear', {})
    await reset?.(here)
    await here.enter()
  })
  afterEach(async () => {
    await leave()
    assert.deepEqual(here.faults.filter((fault) => !here.expectedFaults.some((sign) => sign.test(fault))), [])
  })
  after(async () => {
    await here.browser?.close()
    await here.perigee?.stop()
    here.model?.stop()
  })
  return here
}

/** Menus and tooltips are outside the landmarks by design: they belong to the button that opened them. */
const AXE_RULES = { region: { enabled: false } }

/**
 * Returns the violations that axe finds in the dark theme, and contrast violations in the light theme; one
 * line for each place.
 */
export async function axeFaults(page, within = null) {
  // The policy of the page blocks foreign scripts, so this one is injected through the debugger.
  if (await page.evaluate(() => !window.axe)) await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  const look = (rules) => page.evaluate(([context, rules]) => window.axe.run(context ?? document, rules), [within, rules]).then(({ violations }) => violations)
  await page.emulateMedia({ colorScheme: 'dark' })
  const night = await look({ rules: AXE_RULES })
  await page.emulateMedia({ colorScheme: 'light' })
  const day = await look({ runOnly: ['color-contrast'] })
  return [...night, ...day].flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}\n  ${html}`))
}

/**
 * The delays after which the page removes a notice (`Notices`) or the mark of a search hit (`MessageList`).
 */
const PASSING_MS = [9000, 2400]

/** Keeps everything that would disappear by itself, so that tests need not be quick. */
const stays = (passing) => {
  const { setTimeout: later } = window
  window.setTimeout = (work, ms, ...rest) => later.call(window, work, passing.includes(ms) ? 2 ** 31 - 1 : ms, ...rest)
}

async function openContext(browser, options) {
  // The cache of a service worker would stand between a test and its server; tests that want one ask for it.
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', serviceWorkers: 'block', ...options })
  await context.addInitScript(stays, PASSING_MS)
  return context
}

/**
 * Opens a signed-in page with nothing left over from an earlier one; errors that occur unseen in it go to
 * `faults`.
 */
async function enterPage(context, perigee, faults) {
  const page = await context.newPage()
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('console', (message) => {
    const text = message.text()
    const expected = /Failed to load resource|ERR_CONNECTION|net::|WebSocket connection/.test(text)
    if (message.type() === 'error' && !expected) faults.push(text)
  })
  const devtools = await context.newCDPSession(page)
  await devtools.send('Storage.clearDataForOrigin', { origin: perigee.address, storageTypes: 'all' })
  await devtools.detach()
  await page.goto(await perigee.door())
  // A code is valid once: reloading the page before it is used leads to the login page.
  await composer(page).or(page.getByRole('button', { name: 'Start talking' })).first().waitFor()
  return page
}

/**
 * Opens a signed-in page in a browser context of its own, and returns the list of errors that occur unseen in
 * it.
 */
export async function signIn(browser, perigee, options = {}, faults = []) {
  const context = await openContext(browser, options)
  return { context, page: await enterPage(context, perigee, faults), faults }
}

export const composer = (page) => page.getByRole('textbox', { name: /^Message / })
export const answers = (page) => page.getByRole('article', { name: 'Luna' })
export const questions = (page) => page.getByRole('article', { name: 'You' })

export async function say(page, text) {
  await composer(page).fill(text)
  await composer(page).press('Enter')
}
