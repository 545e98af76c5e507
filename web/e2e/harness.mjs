// What every browser test shares: one Chromium, a fresh data folder and server for each file, and a scripted
// model that speaks the OpenAI wire format.

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
  // There is no graphics card to rely on. Scenes are drawn by the processor; were pages put together in the same
  // way, a page at rest would keep a core busy.
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

/** The variables for a program that is tested, without the developers' settings for their own Perigee. */
export const isolated = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PERIGEE_')))

/** A running `perigee serve` on a data folder of its own. */
export class Perigee {
  /** With a home and a port of before, it comes back where it was. */
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
    // One that ends unasked says why: what fails afterwards would not.
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

  /** The address that signs a browser in, once. */
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

/** A model that says what a test tells it to, piece by piece, and only when it is told to. */
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

  /** The next answer: text, or an async function that gets `send(text)`. */
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

/** A promise that a test settles by hand: no sleeping until something has probably happened. */
export function gate() {
  let open
  const opened = new Promise((resolve) => (open = resolve))
  return { opened, open }
}

/** Looks again and again until something holds: on a machine that is busy it takes its time. */
export async function until(holds, what = 'it did not come about') {
  for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((wake) => setTimeout(wake, 25))) if (await holds()) return
  throw new Error(typeof what === 'string' ? what : await what())
}

/** Where whoever asked has gone away. */
export function untilClosed(response) {
  return new Promise((resolve) => response.on('close', resolve))
}

/**
 * What the tests of a file stand on: one browser, model and server for all of them, and for each a page that is
 * signed in, as `here.page`. `reset` puts the server back before each. A test fails by what goes wrong in its page
 * unseen, unless `here.expectedFaults` names it.
 */
export function stage({ config = '', options = {}, reset } = {}) {
  const here = { faults: [], expectedFaults: [] }
  /** It knows the program by heart from the second test on, which saves half of the way in, and nothing else. */
  let usual
  const leave = async () => {
    if (here.context === usual) await Promise.all(here.context?.pages().map((page) => page.close()) ?? [])
    else await here.context?.close()
    here.context = undefined
  }
  /** Another page, as on another device. */
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

/** Menus and tooltips hang outside of the landmarks by design: they belong to the button that opened them. */
const AXE_RULES = { region: { enabled: false } }

/** What axe finds wrong by night, and in contrast by day; one line for each place. */
export async function axeFaults(page, within = null) {
  // The policy of the page lets no foreign script in, so it comes by the debugger.
  if (await page.evaluate(() => !window.axe)) await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  const look = (rules) => page.evaluate(([context, rules]) => window.axe.run(context ?? document, rules), [within, rules]).then(({ violations }) => violations)
  await page.emulateMedia({ colorScheme: 'dark' })
  const night = await look({ rules: AXE_RULES })
  await page.emulateMedia({ colorScheme: 'light' })
  const day = await look({ runOnly: ['color-contrast'] })
  return [...night, ...day].flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}\n  ${html}`))
}

/** After so long a page takes a notice away again (`Notices`), or the mark of what was looked for (`MessageList`). */
const PASSING_MS = [9000, 2400]

/** What goes by itself stays, so that nobody has to be quick. */
const stays = (passing) => {
  const { setTimeout: later } = window
  window.setTimeout = (work, ms, ...rest) => later.call(window, work, passing.includes(ms) ? 2 ** 31 - 1 : ms, ...rest)
}

async function openContext(browser, options) {
  // What a worker keeps would stand between a test and its server; who wants one says so.
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', serviceWorkers: 'block', ...options })
  await context.addInitScript(stays, PASSING_MS)
  return context
}

/** A page that is signed in and finds nothing that another has left; what goes wrong in it unseen goes to `faults`. */
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
  // A code is good once: whoever loads the page again before it is taken stands before the login.
  await composer(page).or(page.getByRole('button', { name: 'Start talking' })).first().waitFor()
  return page
}

/** A page that is signed in, in a browser of its own, and the list of what goes wrong in it unseen. */
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
