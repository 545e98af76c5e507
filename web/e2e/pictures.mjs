// Takes the pictures of the README and the guide from the real program: `node e2e/pictures.mjs`, with
// PERIGEE_BIN set. The model is scripted, so that the pictures are the same every time.

import { join } from 'node:path'
import { Perigee, ScriptedModel, answers, openBrowser, say, signIn } from './harness.mjs'

const ANSWER = `It turns once on its axis in the time it takes to go once around us, so the same side always looks our way. That is no accident.

Long ago it spun faster. The Earth's pull raised a **tidal bulge** in its rock, and dragging that bulge around cost energy. The spin slowed until the bulge stood still.

| | orbit | spin |
|---|---|---|
| Moon | 27.3 days | 27.3 days |
| Pluto and Charon | 6.4 days | both 6.4 days |
| Mercury | 88 days | 58.6 days |

A few lines show how such a brake works:

\`\`\`rust
fn step(spin: f64, orbit: f64, torque: f64) -> f64 {
    let excess = spin - orbit;
    spin - excess.signum() * torque.min(excess.abs())
}
\`\`\`

We do see a little more than half, though: the orbit is not quite a circle, so she nods and sways. Over a month that shows **59 %** of her face.`

const EARLIER = [
  ['Names for a grey cat', 'Ash, Pebble, Drizzle.'],
  ['A week in Lisbon with little luggage', 'Pack for the hills.'],
  ['Why is the sky dark at night?', 'Because the universe has an age.'],
  ['Proofread this letter to the landlord', 'It is polite and clear.'],
  ['How do tides work?', 'Mostly the moon, partly the sun.'],
]

const model = await ScriptedModel.start()
const perigee = await Perigee.start({ config: model.config })
const browser = await openBrowser()
for (const [question, answer] of EARLIER) {
  model.says(answer)
  const chat = await perigee.call('POST', '/api/chats/new', {})
  await perigee.call('POST', '/api/chat', { message: question, conversationId: chat.id })
}
const folder = new URL('../../docs/pictures/', import.meta.url).pathname
const looks = [
  ['conversation', 'dark', { width: 1440, height: 900 }],
  ['conversation-light', 'light', { width: 1440, height: 900 }],
  ['conversation-phone', 'dark', { width: 390, height: 844 }],
]
await perigee.call('POST', '/api/chat/clear', {})
let place
for (const [name, colorScheme, viewport] of looks) {
  const { page, context } = await signIn(browser, perigee, { colorScheme, viewport, deviceScaleFactor: 2 })
  if (name === 'conversation') {
    model.says(ANSWER)
    await say(page, 'Why does the moon always show us the same face?')
  } else {
    await page.getByRole('textbox', { name: /^Message / }).waitFor()
    await page.evaluate((hash) => (location.hash = hash), place)
  }
  await answers(page).last().getByText('59 %').waitFor()
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
  await page.evaluate(() => document.fonts.ready)
  place = new URL(page.url()).hash
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await context.close()
}
await browser.close()
await perigee.stop()
model.stop()
