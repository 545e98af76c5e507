// Takes the pictures of the README and the guide from the real program: `node e2e/pictures.mjs`, with
// PERIGEE_BIN set. The model is scripted, so that the pictures are the same every time.

import { join } from 'node:path'
import { Perigee, ScriptedModel, answers, openBrowser, signIn } from './harness.mjs'

const MOON = `It turns once around itself in the time it takes to go once around us. That is no accident: long ago it spun faster, and the Earth's pull on its **tidal bulge** braked it until the bulge stood still.

| | once around | one turn |
|---|---:|---:|
| Moon, around us | 27.3 days | 27.3 days |
| Mercury, around the sun | 88 days | 58.6 days |

The whole brake fits into one line:

\`\`\`rust
fn brake(spin: f64, orbit: f64, torque: f64) -> f64 {
    spin - (spin - orbit).signum() * torque.min((spin - orbit).abs())
}
\`\`\`

You do see more than half: it sways, and shows you **59 %** in a month.`

const THOUGHTS = `Begin with what can be seen. Synchronous rotation, why it came about, one table, and libration as a small surprise at the end.`

const CAT = `Then she brought her own weather:

- **Drizzle**, for how you met
- **Ash**, short enough to call across a yard
- **Nimbus**, if she means to grow into it

The one she turns an ear to is hers.`

const NIMBUS = `Nimbus it is. Small cloud, large opinions. What does she need tonight?`

/** As quick as a good laptop: a token is about four letters. */
const PACE_MS = 18

function aloud(text, thoughts) {
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  return async (send) => {
    await wait(380)
    if (thoughts) {
      send(thoughts, 'reasoning_content')
      await wait(1400)
    }
    for (const piece of text.match(/[\s\S]{1,4}/g) ?? []) {
      send(piece)
      await wait(PACE_MS)
    }
  }
}

/** The list beside the conversation, oldest first. */
const EARLIER = [
  { title: 'Tides, explained twice', tags: ['sky'] },
  { title: 'A letter to the landlord', folder: 'Home' },
  { title: 'Why the night sky is dark', tags: ['sky', 'physics'] },
  { title: 'A week in Lisbon, little luggage', folder: 'Travel', tags: ['plans'] },
  { title: 'Rust: lifetimes without tears', folder: 'Code' },
  { title: 'Night train to Vienna', folder: 'Travel', tags: ['plans'] },
  { title: 'Sourdough that does not rise', folder: 'Home', pinned: true },
  { title: 'Birthday poem for Ines', tags: ['plans'] },
]

const model = await ScriptedModel.start('qwen3-8b')
const perigee = await Perigee.start({ config: model.config })
const browser = await openBrowser()

async function conversation({ title, ...more }, ...turns) {
  const chat = await perigee.call('POST', '/api/chats/new', { title })
  for (const [message, answer] of turns) {
    model.says(answer)
    await perigee.call('POST', '/api/chat', { message, conversationId: chat.id })
  }
  await perigee.call('PATCH', `/api/chats/${chat.id}`, more)
  return chat.id
}

for (const chat of EARLIER) await conversation(chat, [chat.title, 'Gladly.'])
const cat = await conversation(
  { title: 'A name for a grey cat', folder: 'Home' },
  ['We found a small grey cat in the rain. Help me name her?', aloud(CAT)],
  ['She turned for Nimbus.', aloud(NIMBUS)],
)
const moon = await conversation({ title: 'The face of the moon', tags: ['sky', 'physics'] }, [
  'Why does the moon always show us the same face?',
  aloud(MOON, THOUGHTS),
])

const folder = new URL('../../docs/pictures/', import.meta.url).pathname
const DESK = { viewport: { width: 1440, height: 900 } }
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const looks = [
  ['conversation', moon, { colorScheme: 'dark', ...DESK }],
  ['conversation-light', moon, { colorScheme: 'light', ...DESK }],
  ['conversation-phone', cat, { colorScheme: 'dark', ...PHONE }],
]
for (const [name, chat, options] of looks) {
  const { page, context } = await signIn(browser, perigee, { deviceScaleFactor: 2, ...options })
  await page.getByRole('textbox', { name: /^Message / }).waitFor()
  await page.evaluate((id) => (location.hash = `#/c/${id}`), chat)
  await answers(page).last().getByText(/\d tokens/).waitFor()
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await context.close()
}
await browser.close()
await perigee.stop()
model.stop()
