// Shared support for all browser tests: one Chromium, a fresh data folder and server for each file, and a
// scripted model.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { after, afterEach, before, beforeEach } from 'node:test'
import { openBrowser } from './browser.mjs'
import { Perigee, ScriptedModel } from './program.mjs'

export * from './browser.mjs'
export * from './program.mjs'

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
