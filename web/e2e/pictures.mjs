// Takes the pictures of the README and the guide from the real program: `node e2e/pictures.mjs`, with
// PERIGEE_BIN set. The model is scripted, so that the pictures are the same every time.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GuardedServer } from './guarded-server.mjs'
import { Perigee, ScriptedModel, answers, openBrowser, signIn, until } from './harness.mjs'

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

/** The server that the companion writes. */
const TIDES = `import math
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("tides")

@mcp.tool()
def height(hours: float) -> str:
    """How high the water stands, so many hours after high tide."""
    return f"{1.8 * math.cos(2 * math.pi * hours / 12.42):.2f} m"

mcp.run()
`

/** The workspace of the companion. */
const SHOP = {
  'README.md': '# Tide\n\nA small shop by the sea.\n',
  'shop/__init__.py': '',
  'shop/prices.py': `"""What things cost."""


def total(prices):
    result = 0
    for price in prices[1:]:
        result += price
    return result


def with_tax(price):
    return price * 1.2


def label(price):
    return "EUR " + str(price)
`,
  'shop/orders.py': `"""What was ordered."""

from shop.prices import label, total


def receipt(order):
    return label(total(order))
`,
  'test_shop.py': `import unittest

from shop.prices import total


class Shop(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2, 3]), 6)
`,
}

/** The pace of a good laptop: a token is about four letters. */
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

/** The earlier conversations in the sidebar, oldest first. */
const EARLIER = [
  { title: 'Tides, explained twice', tags: ['sky'] },
  { title: 'A letter to the landlord', folder: 'Home' },
  { title: 'Why the night sky is dark', tags: ['sky', 'physics'] },
  { title: 'A week in Lisbon, little luggage', folder: 'Travel', tags: ['plans'] },
  { title: 'Rust: lifetimes without tears', folder: 'Learning' },
  { title: 'Night train to Vienna', folder: 'Travel', tags: ['plans'] },
  { title: 'Sourdough that does not rise', folder: 'Home', pinned: true },
  { title: 'Birthday poem for Ines', tags: ['plans'] },
]

const place = await mkdtemp(join(tmpdir(), 'perigee-'))
await mkdir(join(place, 'notes'))
for (const [path, text] of Object.entries(SHOP)) {
  await mkdir(dirname(join(place, 'tide', path)), { recursive: true })
  await writeFile(join(place, 'tide', path), text)
}
const model = await ScriptedModel.start('qwen3-8b')
const guarded = await GuardedServer.start({ port: 8765 })
const config = `${model.config}[builtin_tools]
mcp_servers = true
[mcpServers.calendar]
command = "uvx"
args = ["mcp-calendar", "--read-only"]
`
// Servers from npm are called by name.
const PATH = [fileURLToPath(new URL('../node_modules/.bin', import.meta.url)), process.env.PATH].join(delimiter)
const perigee = await Perigee.start({ config, env: { PATH } })
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

/** Approves every confirmation of a turn. */
async function allowing(turn) {
  let over = false
  const ended = turn.finally(() => (over = true))
  await until(async () => {
    const { waiting } = await perigee.call('GET', '/api/chat/confirmations')
    for (const { confirmation } of waiting) await perigee.call('POST', `/api/chat/confirm/${confirmation.id}`, { approved: true })
    return over
  })
  return ended
}

const call = (name, args) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`

async function servers() {
  const tests = [{ tool: 'height', arguments: { hours: 0 } }]
  model.says(call('mcp_server_create', { name: 'tides', code: TIDES, description: 'How high the water stands.', tests }))
  await allowing(conversation({ title: 'How high will the water be' }, ['How high will the water be tonight?', 'I can work that out from now on.']))
  const others = {
    notes: { command: 'mcp-server-filesystem', args: ['notes'], cwd: place },
    people: { command: 'mcp-server-memory', args: [] },
    lighthouse: { url: guarded.url },
  }
  for (const [name, server] of Object.entries(others)) await perigee.call('POST', '/api/mcp/servers', { name, server })
  const states = async () => Object.fromEntries((await perigee.call('GET', '/api/mcp/servers')).servers.map(({ name, state }) => [name, state]))
  await until(async () => {
    const { notes, people, lighthouse } = await states()
    return notes === 'ready' && people === 'ready' && lighthouse === 'locked'
  }, async () => JSON.stringify(await states()))
}

await servers()
await perigee.call('POST', '/api/code/root', { path: join(place, 'tide') })

const folder = new URL('../../docs/pictures/', import.meta.url).pathname
const DESK = { viewport: { width: 1440, height: 900 } }
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const looks = [
  ['conversation', moon, { colorScheme: 'dark', ...DESK }],
  ['conversation-light', moon, { colorScheme: 'light', ...DESK }],
  ['conversation-phone', cat, { colorScheme: 'dark', ...PHONE }],
]
for (const [name, chat, options] of looks) {
  await picture(name, options, async (page) => {
    await page.evaluate((id) => (location.hash = `#/c/${id}`), chat)
    await answers(page).last().getByText(/\d tokens/).waitFor()
  })
}
await picture('servers', { colorScheme: 'dark', ...DESK }, async (page) => {
  await page.evaluate(() => (location.hash = '#/servers'))
  await page.getByRole('main').getByRole('link', { name: /tides/ }).waitFor()
})
await picture('code', { colorScheme: 'dark', ...DESK }, async (page) => {
  model.says(
    call('grep', { pattern: 'total' }),
    call('search_replace', { path: 'shop/prices.py', old_string: 'prices[1:]', new_string: 'prices' }),
    'The slice began at the second price. Now every price counts, and the test passes.',
  )
  await page.evaluate(() => (location.hash = '#/code'))
  await page.getByRole('textbox', { name: /about the code$/ }).fill('The total leaves out the first price. Fix it.')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Conversation about the code' })
  await panel.getByRole('link', { name: 'Review', exact: true }).click({ timeout: 120_000 })
  await page.getByRole('button', { name: /^Apply/ }).waitFor()
  await page.mouse.move(0, 0)
})

async function picture(name, options, show) {
  const { page, context } = await signIn(browser, perigee, { deviceScaleFactor: 2, ...options })
  await show(page)
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await context.close()
}

await browser.close()
await perigee.stop()
guarded.stop()
model.stop()
await rm(place, { recursive: true, force: true })
