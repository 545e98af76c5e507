// Draws everything that a command opens on the screen in a real browser under the real policy: widgets, maps
// and scenes from tags that the model writes, results of services from stored messages. With PICTURES=1 this
// also takes the pictures of the guide.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { answers, say, stage } from './harness.mjs'

const SAMPLES = JSON.parse(await readFile(new URL('../src/widgets/samples.json', import.meta.url), 'utf8'))
const FOLDER = new URL('../../docs/pictures/commands/', import.meta.url).pathname
const TAGS = { widget: 'WIDGET', map: 'MAP', scene: 'SCENE' }
const WRITTEN = SAMPLES.filter(({ action }) => TAGS[action])
const BROUGHT = SAMPLES.filter(({ action }) => !TAGS[action])

const here = stage({ options: { colorScheme: 'dark' } })

const shown = (page) => answers(page).last().locator('.widget').last()

async function picture(element, name) {
  if (!process.env.PICTURES) return
  // Waits until coasts, fonts and charts have settled.
  await new Promise((resolve) => setTimeout(resolve, 1500))
  await element.screenshot({ path: `${FOLDER}${name.replaceAll(' ', '-')}.png` })
}

/** Waits for the widget and asserts that no part of it is a note that it could not be drawn. */
async function drawn(page, { name }) {
  const element = shown(page)
  await element.waitFor()
  await answers(page).last().getByRole('status', { name: 'Opening' }).waitFor({ state: 'detached' })
  const words = await element.innerText()
  assert.doesNotMatch(words, /could not be drawn|cannot be read/i, name)
  return element
}

test('every kind of widget, map and scene is drawn from the tag that the model wrote', { timeout: 240_000 }, async () => {
  const { page, perigee, model } = here
  for (const sample of WRITTEN) {
    await perigee.call('POST', '/api/chat/clear', {})
    await page.goto(`${perigee.address}/#/`)
    model.says(`Here it is.\n\n[${TAGS[sample.action]}:${JSON.stringify(sample.payload)}]`)
    await say(page, `Show me: ${sample.name}`)
    const element = await drawn(page, sample)
    if (sample.action === 'scene' || sample.payload.type === 'model3d') {
      await element.locator('canvas').waitFor()
    }
    if (sample.action === 'map') {
      await element.getByText('Natural Earth').waitFor()
      for (const { label } of sample.payload.markers) await element.getByText(label).first().waitFor()
    }
    if (sample.payload.type === 'interactive') await runs(page, element)
    await picture(element, sample.name)
    assert.deepEqual(here.faults, [], sample.name)
  }
})

/**
 * Asserts that the program is not fetched before the user starts it, stops when the user stops it, and runs
 * again.
 */
async function runs(page, element) {
  const begin = element.getByRole('button', { name: 'Run it' })
  const frame = element.locator('iframe')
  await begin.waitFor()
  assert.equal(await frame.count(), 0, 'nothing runs unasked')
  await begin.focus()
  await page.keyboard.press('Enter')
  await element.frameLocator('iframe').locator('body').waitFor()
  await page.keyboard.press('Enter')
  await frame.waitFor({ state: 'detached' })
  await begin.click()
  await element.frameLocator('iframe').locator('body').waitFor()
}

let imported = 1000

/** Opens a stored conversation in which the companion put this on the screen. */
async function openStored({ name, action, payload }) {
  const id = (number) => String(number).padStart(13, '0')
  const time = new Date(Date.now() - 60_000).toISOString()
  const first = (imported += 10)
  const act = { id: id(first), name: action, args: {}, status: 'done', result: 'done', ms: 5, at: 11, pinned: false, command: { action, payload } }
  const message = { createdAt: time, status: 'complete' }
  const messages = [
    { ...message, id: id(first + 1), role: 'user', content: `Show me: ${name}` },
    { ...message, id: id(first + 2), parent: id(first + 1), role: 'assistant', content: 'Here it is.', acts: [act] },
  ]
  const conversation = { format: 1, id: id(first), title: name, createdAt: time, updatedAt: time, leaf: id(first + 2), messages }
  const { conversations } = await here.perigee.call('POST', '/api/import', { conversations: [conversation] })
  await here.page.goto(`${here.perigee.address}/#/c/${conversations[0]}`)
  await here.page.getByText(`Show me: ${name}`).first().waitFor()
}

test('what services bring is drawn from the conversation that keeps it', { timeout: 120_000 }, async () => {
  for (const sample of BROUGHT) {
    await openStored(sample)
    await picture(await drawn(here.page, sample), sample.name)
    assert.deepEqual(here.faults, [], sample.name)
  }
})

test('the keys read every point of a chart, also those that stand one above the other', async () => {
  const data = { kind: 'scatter', x: [1, 2, 2, 2, 3], series: [{ name: 'a', values: [10, 20, 30, 40, 50] }] }
  await openStored({ name: 'points', action: 'widget', payload: { type: 'chart', data } })
  const plot = here.page.getByRole('group', { name: /The arrow keys read its values/ })
  await plot.locator('canvas').waitFor()
  await here.page.evaluate(() => document.fonts.ready)
  await plot.focus()
  const read = []
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'Home']) {
    await here.page.keyboard.press(key)
    read.push((await plot.getByRole('status').innerText()).split('\n').at(-1))
  }
  assert.deepEqual(read, ['10', '20', '30', '40', '50', '40', '10'])
})

const SENSELESS = [
  { name: 'a chart of nothing', action: 'widget', payload: { type: 'chart', data: { series: 'none' } } },
  { name: 'a kind that is none', action: 'widget', payload: { type: 'constructor', data: {} } },
  { name: 'a place off the globe', action: 'map', payload: { lat: 'north', lon: 999 } },
  { name: 'a player of nothing', action: 'spotify', payload: { action: 'constructor' } },
  { name: 'nothing at all', action: 'scene', payload: null },
]

test('a payload that makes no sense is a small note, and the rest of the page goes on', async () => {
  for (const sample of SENSELESS) {
    await openStored(sample)
    const note = answers(here.page).last().getByRole('note')
    await note.getByText('This could not be shown.').waitFor()
    await note.getByText('Show the data').click()
    await answers(here.page).last().getByText('Here it is.').waitFor()
  }
  here.model.says('I could not draw that.')
  await say(here.page, 'Draw something')
  await answers(here.page).last().getByText('I could not draw that.').waitFor()
})
