// Everything that a command opens on the screen, drawn by a real browser under the real policy: by tags where the
// model writes them, and from stored messages for what a service brings. With PICTURES=1 the guide's pictures are
// taken on the way.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { Perigee, ScriptedModel, answers, openBrowser, say, signIn } from './harness.mjs'

const SAMPLES = JSON.parse(await readFile(new URL('../src/widgets/samples.json', import.meta.url), 'utf8'))
const FOLDER = new URL('../../docs/pictures/commands/', import.meta.url).pathname
const TAGS = { widget: 'WIDGET', map: 'MAP', scene: 'SCENE' }
const WRITTEN = SAMPLES.filter(({ action }) => TAGS[action])
const BROUGHT = SAMPLES.filter(({ action }) => !TAGS[action])

let browser, model, perigee

before(async () => {
  browser = await openBrowser()
  model = await ScriptedModel.start()
  perigee = await Perigee.start({ config: model.config })
})

after(async () => {
  await browser?.close()
  await perigee?.stop()
  model?.stop()
})

const shown = (page) => answers(page).last().locator('.widget').last()

async function picture(element, name) {
  if (!process.env.PICTURES) return
  // Coasts, fonts and charts have come to rest.
  await new Promise((resolve) => setTimeout(resolve, 1500))
  await element.screenshot({ path: `${FOLDER}${name.replaceAll(' ', '-')}.png` })
}

/** Nothing of it is a note that it could not be drawn. */
async function drawn(page, { name }) {
  const element = shown(page)
  await element.waitFor()
  await answers(page).last().getByRole('status', { name: 'Opening' }).waitFor({ state: 'detached' })
  const words = await element.innerText()
  assert.doesNotMatch(words, /could not be drawn|Drawing it failed|cannot be read/i, name)
  return element
}

test('every kind of widget, map and scene is drawn from the tag that the model wrote', { timeout: 240_000 }, async () => {
  const { page, context, faults } = await signIn(browser, perigee, { colorScheme: 'dark' })
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
    if (sample.payload.type === 'interactive') {
      assert.equal(await element.locator('iframe').count(), 0, 'nothing runs unasked')
      await element.getByRole('button', { name: 'Run it' }).click()
      await element.frameLocator('iframe').locator('body').waitFor()
    }
    await picture(element, sample.name)
    assert.deepEqual(faults, [], sample.name)
  }
  await context.close()
})

test('what services bring is drawn from the conversation that keeps it', { timeout: 120_000 }, async () => {
  const time = new Date(Date.now() - 60_000).toISOString()
  const { page, context, faults } = await signIn(browser, perigee, { colorScheme: 'dark' })
  for (const [place, sample] of BROUGHT.entries()) {
    const id = (number) => String(number).padStart(13, '0')
    const first = 1000 + place * 10
    const act = { id: id(first), name: sample.action, args: {}, status: 'done', result: 'done', ms: 5, at: 0, pinned: false }
    act.command = { action: sample.action, payload: sample.payload }
    const message = { createdAt: time, status: 'complete' }
    const messages = [
      { ...message, id: id(first + 1), role: 'user', content: `Show me: ${sample.name}` },
      { ...message, id: id(first + 2), parent: id(first + 1), role: 'assistant', content: 'Here it is.', acts: [{ ...act, at: 11 }] },
    ]
    const conversation = { format: 1, id: id(first), title: sample.name, createdAt: time, updatedAt: time, leaf: id(first + 2), messages }
    const { conversations } = await perigee.call('POST', '/api/import', { conversations: [conversation] })
    await page.goto(`${perigee.address}/#/c/${conversations[0]}`)
    await page.getByText(`Show me: ${sample.name}`).first().waitFor()
    await picture(await drawn(page, sample), sample.name)
    assert.deepEqual(faults, [], sample.name)
  }
  await context.close()
})

test('a payload that makes no sense is a small note, and the rest of the page goes on', async () => {
  const { page, context, faults } = await signIn(browser, perigee)
  await perigee.call('POST', '/api/chat/clear', {})
  await page.goto(`${perigee.address}/#/`)
  model.says('Look: [WIDGET:{"type":"chart","data":{"series":"none"}}]', 'I could not draw that.')
  await say(page, 'Draw something')
  await answers(page).last().getByText('I could not draw that.').waitFor()
  assert.deepEqual(faults, [])
  await context.close()
})
