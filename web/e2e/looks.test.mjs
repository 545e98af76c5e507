// Tests the appearance settings and the page without a server: dropped files, choices made by keyboard, and a
// reload while the server is down.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axeFaults, composer, Perigee, stage, until } from './harness.mjs'

const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg=='
/** The built-in avatar in other colours serves as a model file. */
const BODY = '/api/body/palettes/dawn'

const here = stage({
  reset: async ({ perigee }) => {
    const { models } = await perigee.call('GET', '/api/body')
    await perigee.call('PUT', '/api/body', { model: '', palette: 'moon' })
    await perigee.call('PUT', '/api/backgrounds', { filename: 'night' })
    for (const { filename } of models) await perigee.call('DELETE', `/api/assets/models/${encodeURIComponent(filename)}`)
  },
})

const body = () => here.perigee.call('GET', '/api/body')
const background = async () => (await here.perigee.call('GET', '/api/backgrounds')).current
const notice = (text) => here.page.getByRole('status').getByText(text)
const undo = () => here.page.getByRole('button', { name: 'Undo' }).click()

/** Drags files over an element. Their content comes from an address, or is given in base64 or as text. */
async function hold(files, onto = 'body') {
  const take = (file) => here.page.evaluate(async (file) => {
    const content = async ({ from, base64, text }) => {
      if (from) return (await fetch(from)).blob()
      return base64 ? Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)) : text
    }
    ;(window.held ??= new DataTransfer()).items.add(new File([await content(file)], file.name))
  }, file)
  for (const file of files) await take(file)
  await send('dragover', onto)
}

/** Drops the files that are being dragged. */
async function drop(files, onto = 'body') {
  await hold(files, onto)
  await send('drop', onto)
  await here.page.evaluate(() => delete window.held)
}

async function send(name, onto) {
  await here.page.locator(onto).first().evaluate((target, name) => {
    target.dispatchEvent(new DragEvent(name, { dataTransfer: window.held, bubbles: true, cancelable: true }))
  }, name)
}

async function openBody(page = here.page) {
  await page.evaluate(() => (location.hash = '#/settings/body'))
  await page.getByRole('radio', { name: 'Dusk' }).waitFor({ state: 'attached' })
}

test('a body that is dropped anywhere is worn, and Undo takes it off again', async () => {
  await hold([{ name: 'alice.vrm', from: BODY }])
  await here.page.getByText(/An avatar \(.vrm\) is used at once/).waitFor()
  await drop([])
  await notice('Avatar changed to “alice.vrm”.').waitFor()
  assert.equal((await body()).model, 'alice.vrm')
  await undo()
  await until(async () => (await body()).models.length === 0, 'the file stayed')
  assert.equal((await body()).model, null)
})

test('the same name again is asked about, and both are kept', async () => {
  await drop([{ name: 'alice.vrm', from: BODY }])
  await notice('Avatar changed to “alice.vrm”.').waitFor()
  await drop([{ name: 'alice.vrm', from: BODY }])
  await here.page.getByRole('dialog', { name: /already exists/ }).waitFor()
  assert.deepEqual(await axeFaults(here.page, '[role=dialog]'), [])
  await here.page.getByRole('button', { name: 'Keep both' }).press('Enter')
  await notice('Avatar changed to “alice 2.vrm”.').waitFor()
  assert.deepEqual((await body()).models.map(({ filename }) => filename).sort(), ['alice 2.vrm', 'alice.vrm'])
})

test('what is not a body is refused in words, and a text beside it is shown to her', async () => {
  await drop([{ name: 'diary.vrm', text: 'Dear diary' }, { name: 'notes.txt', text: 'Hello' }])
  await notice(/“diary.vrm” is not a VRM file/).waitFor()
  await here.page.getByRole('form', { name: 'Message' }).getByText('notes.txt').waitFor()
  assert.deepEqual((await body()).models, [])
})

test('colours and sky are chosen by the keyboard, here and on every other page', async () => {
  const { page, context } = here
  await openBody()
  const other = await context.newPage()
  await other.goto(`${here.perigee.address}/#/settings/body`)
  await other.getByRole('radio', { name: 'Dusk' }).waitFor({ state: 'attached' })
  const first = page.getByRole('group', { name: 'Avatar' }).getByRole('radio').first()
  await first.focus()
  await page.keyboard.press('ArrowRight')
  await until(async () => (await body()).palette === 'dawn', 'the colours stayed')
  await page.getByRole('radio', { name: 'Night', exact: true }).focus()
  await page.keyboard.press('ArrowRight')
  await until(async () => (await background()) === 'dusk', 'the sky stayed')
  await until(() => other.getByRole('radio', { name: 'Dusk' }).isChecked(), 'the other page did not follow')
  await until(() => other.getByRole('group', { name: 'Avatar' }).getByRole('radio').nth(1).isChecked(), 'the other page did not follow')
})

test('a picture goes behind her, is removed by the keyboard, and Undo brings it back', async () => {
  const { page } = here
  await openBody()
  await drop([{ name: 'sea.png', base64: PICTURE }], 'main')
  await notice('“sea.png” is the new background.').waitFor()
  await page.getByRole('button', { name: 'Remove sea' }).press('Enter')
  await notice('“sea.png” was removed.').waitFor()
  assert.equal(await background(), 'night')
  await undo()
  await until(async () => (await background()) === 'sea.png', 'it did not come back')
  assert.deepEqual(await axeFaults(page, 'main'), [])
})

test('without the server the page is there and says so, and goes on when it is back', { timeout: 120_000 }, async () => {
  await here.enter({ serviceWorkers: 'allow' })
  const { page, perigee } = here
  await page.evaluate(() => navigator.serviceWorker.ready)
  await until(() => page.evaluate(() => navigator.serviceWorker.controller !== null), 'the worker did not take over')
  const { port } = new URL(perigee.address)
  await perigee.kill()
  await page.reload()
  await page.getByRole('heading', { name: 'Perigee is not running' }).waitFor()
  await page.getByText('Perigee does not answer.').waitFor()
  assert.equal(await page.evaluate(() => document.fonts.check('16px Fraunces')), true)
  here.perigee = await Perigee.start({ home: perigee.home, port: Number(port) })
  await composer(page).waitFor()
  // A dialog adds a style of its own, which the policy admits through the nonce of the cached page.
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  const kept = await page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return { names, paths: requests.flat().map(({ url }) => new URL(url).pathname) }
  })
  assert.equal(kept.names.length, 1)
  assert.ok(kept.paths.includes('/'))
  assert.deepEqual(kept.paths.filter((path) => /^\/(api|v1|ws)/.test(path)), [])
})

test('who is signed out stands before the login, worker or not', async () => {
  await here.enter({ serviceWorkers: 'allow' })
  await here.page.evaluate(() => navigator.serviceWorker.ready)
  await here.context.clearCookies()
  await here.page.reload()
  await here.page.getByText('Sign in to continue').waitFor()
})
