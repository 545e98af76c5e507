// Tests MCP servers in the browser: approved by the user, checked against what was approved, written by the
// companion with a scripted model, and tried by hand.

import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { answers, axeFaults, say, stage } from './harness.mjs'

const SERVER = fileURLToPath(new URL('../../crates/testkit/mcp/server.py', import.meta.url))
const DICE = `import os
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("dice")

@mcp.tool()
def roll(sides: int) -> str:
    """Rolls a die that always shows its highest side."""
    path = os.path.join(os.environ["MCP_SANDBOX_DIR"], "rolls")
    with open(path, "a") as file:
        file.write("x")
    return f"{sides}, roll {os.path.getsize(path)}"

# One line more than is shown at once.
mcp.run()
`

const FOLDER = mkdtempSync(join(tmpdir(), 'perigee-servers-'))
after(() => rm(FOLDER, { recursive: true, force: true }))

const here = stage({
  config: '[builtin_tools]\nmcp_servers = true\n',
  reset: async ({ perigee }) => {
    for (const { confirmation } of (await perigee.call('GET', '/api/chat/confirmations')).waiting) {
      await perigee.call('POST', `/api/chat/confirm/${confirmation.id}`, { approved: false })
    }
    for (const { name } of (await perigee.call('GET', '/api/mcp/servers')).servers) await perigee.call('DELETE', `/api/mcp/servers/${name}`)
  },
})

const entry = (mode = 'good') => ({ command: 'python3', args: [SERVER, mode, join(FOLDER, 'about')] })
const main = () => here.page.getByRole('main')
const question = () => here.page.getByRole('region', { name: 'Luna asks' })
const allow = () => question().getByRole('button', { name: /^Allow/ }).click()
const call = (name, args) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`
const open = (hash) => here.page.evaluate((to) => (location.hash = to), hash)

/** Adds and approves a third-party server and opens its page. */
async function notes() {
  await writeFile(join(FOLDER, 'about'), 'Greets somebody.')
  await here.perigee.call('POST', '/api/mcp/servers', { name: 'notes', server: entry() })
  await open('#/servers/notes')
  await main().getByText('ready', { exact: true }).waitFor()
}

test('a server is pasted, let in, and brings its tools', async () => {
  await writeFile(join(FOLDER, 'about'), 'Greets somebody.')
  await open('#/servers')
  await main().getByText('No servers yet').waitFor()
  await here.page.getByRole('button', { name: 'Add a server' }).click()
  const dialog = here.page.getByRole('dialog', { name: 'Add a server' })
  await dialog.getByText('Paste JSON').click()
  await dialog.getByLabel('JSON of the server').fill('{"notes": {"args": []}}')
  await dialog.getByRole('button', { name: 'Add and connect' }).click()
  await dialog.getByRole('alert').getByText('“notes” is not a server').waitFor()
  await dialog.getByLabel('JSON of the server').fill(JSON.stringify({ mcpServers: { notes: entry() } }))
  await dialog.getByRole('list', { name: 'What would be added' }).getByText('notes').waitFor()
  await dialog.getByRole('button', { name: 'Add and connect' }).click()
  await main().getByRole('heading', { name: 'notes', level: 1 }).waitFor()
  await main().getByText('ready', { exact: true }).waitFor()
  await main().getByText('Greets somebody.').waitFor()
  await main().getByRole('button', { name: 'Stop' }).click()
  await main().getByText('idle', { exact: true }).waitFor()
  await main().getByRole('button', { name: 'Start' }).click()
  await main().getByText('ready', { exact: true }).waitFor()
})

test('what says something else of itself waits for another yes, and the words that changed are shown', async () => {
  await notes()
  await main().getByRole('button', { name: /^Try it ?: change$/ }).click()
  await main().getByRole('button', { name: 'Run' }).click()
  await allow()
  const yes = main().getByRole('button', { name: 'Approve these' })
  await yes.waitFor()
  const tool = main().getByRole('region', { name: 'Tools' }).getByRole('listitem').first()
  assert.match(await tool.locator('ins').innerText(), /Read all files first\./)
  await yes.click()
  await yes.waitFor({ state: 'detached' })
  assert.equal(await tool.locator('ins').count(), 0)
})

test('a server tells how far it is, and asks back with a form, which has to be filled in', async () => {
  await notes()
  const until = join(FOLDER, 'seen')
  here.model.says(call('notes__count', { until }), 'All counted.', call('notes__ask', {}), 'So be it.')
  await open('#/')
  await say(here.page, 'Count')
  await allow()
  const said = here.page.getByRole('log', { name: 'Output so far' })
  await said.getByText('step 3').waitFor()
  await writeFile(until, '')
  await answers(here.page).last().getByText('All counted.').waitFor()
  assert.equal(await said.count(), 0)
  await say(here.page, 'Ask me')
  await allow()
  await question().getByText('Which colour?').waitFor()
  // A question asked during a call does not count as a second call.
  assert.equal(await answers(here.page).last().locator('[data-act]').count(), 1)
  await question().getByRole('button', { name: /^Send/ }).click()
  await question().getByText('This is needed.').waitFor()
  const field = question().getByRole('textbox', { name: 'Colour' })
  assert.ok(await field.evaluate((input) => input === document.activeElement))
  // Typing letters into the field must not trigger the shortcuts that answer the question.
  await field.pressSequentially('navy')
  assert.deepEqual(await axeFaults(here.page, '#question-card'), [])
  await field.press('Enter')
  const her = answers(here.page).last()
  await her.getByText('So be it.').waitFor()
  await her.locator('[data-act]').getByRole('button').first().click()
  await her.getByText('accept: navy').waitFor()
})

test('she writes a server, which is read before the yes, tried by hand, taken away and had back', async (t) => {
  const { sandbox } = await here.perigee.call('GET', '/api/mcp/servers')
  if (sandbox.level !== 'full') return t.skip('this machine has no whole sandbox')
  const tests = [{ tool: 'roll', arguments: { sides: 6 } }]
  here.model.says(call('mcp_server_create', { name: 'dice', code: DICE, description: 'Rolls dice.', tests }), 'There.')
  await say(here.page, 'Make dice')
  await question().getByText('May Luna make the server “dice”?').waitFor()
  await question().getByText('Its test worked:').waitFor()
  await question().getByRole('listitem').filter({ hasText: /^roll\(sides: 6\) → / }).waitFor()
  await question().getByRole('figure', { name: 'Python code' }).locator('.hljs-keyword').first().waitFor()
  assert.equal(await question().getByText('mcp.run()').count(), 0)
  await question().getByRole('button', { name: /^Show all/ }).click()
  await question().getByText('mcp.run()').waitFor()
  assert.equal(await question().getByRole('button', { name: 'Always' }).count(), 0)
  await allow()
  await answers(here.page).last().getByText('There.').waitFor()

  await open('#/servers/dice')
  await main().getByText('she wrote it').waitFor()
  await main().getByRole('button', { name: /^Try it ?: roll$/ }).click()
  const sides = main().getByRole('textbox', { name: 'Sides' })
  await sides.fill('2.5')
  await sides.press('Enter')
  await main().getByText('Write a whole number.').waitFor()
  await sides.fill('8')
  await sides.press('Enter')
  await main().getByText('8, roll 1').waitFor()

  // On a phone the code wraps, as its diff does.
  const code = main().getByRole('region', { name: 'Source' }).locator('pre')
  await here.page.setViewportSize({ width: 390, height: 844 })
  assert.equal(await code.evaluate((pre) => pre.scrollWidth - pre.clientWidth), 0)
  await here.page.setViewportSize({ width: 1440, height: 900 })

  await main().getByRole('button', { name: 'Remove' }).click()
  await main().getByText('No servers yet').waitFor()
  await here.page.getByRole('button', { name: 'Undo' }).click()
  await main().getByRole('link', { name: /dice/ }).waitFor()
})

test('axe finds nothing wrong with the pages, by night and by day, and nothing sticks out on a phone', async () => {
  await here.enter({ viewport: { width: 390, height: 844 }, hasTouch: true })
  await notes()
  await main().getByRole('button', { name: /^Try it ?: greet$/ }).click()
  const found = { detail: await axeFaults(here.page) }
  await open('#/servers')
  await main().getByRole('link', { name: /notes/ }).waitFor()
  found.list = await axeFaults(here.page)
  await here.page.getByRole('button', { name: 'Add a server' }).click()
  await here.page.getByText('Fill in').click()
  found.dialog = await axeFaults(here.page)
  assert.deepEqual(found, { detail: [], list: [], dialog: [] })
  assert.ok((await here.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)) <= 0)
})
