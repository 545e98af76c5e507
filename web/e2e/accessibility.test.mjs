// The views as axe sees them, by night and by day: names, roles, contrast, order.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import { Perigee, ScriptedModel, answers, composer, openBrowser, say, signIn } from './harness.mjs'

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Menus and tooltips hang outside of the landmarks by design: they belong to the button that opened them. */
const RULES = { region: { enabled: false } }

const ANSWER = `## A table

| | orbit |
|---|---|
| Moon | 27.3 days |

- [x] done
- a [link](https://example.org) and \`code\`

\`\`\`rust
fn main() {} // a comment
\`\`\`

> Quoted, with $x^2$.`

let browser, model, perigee

before(async () => {
  browser = await openBrowser()
  model = await ScriptedModel.start()
  perigee = await Perigee.start({ config: model.config })
  model.says(async (send) => {
    send('Let me see.', 'reasoning_content')
    send(ANSWER)
  })
  const attachments = [{ name: 'notes.md', mime: 'text/markdown', data: Buffer.from('Notes').toString('base64') }]
  const { conversationId } = await perigee.call('POST', '/api/chat', { message: 'Show me everything', attachments })
  await perigee.call('PATCH', `/api/chats/${conversationId}`, { folder: 'Sky', tags: ['moon'] })
})

after(async () => {
  await browser?.close()
  await perigee?.stop()
  model?.stop()
})

/** What axe finds wrong by night, and in contrast by day; one line for each place. */
async function faultsOf(page, within) {
  const look = (rules) =>
    page.evaluate(([context, rules]) => window.axe.run(context ?? document, rules), [within, rules]).then(({ violations }) => violations)
  await page.emulateMedia({ colorScheme: 'dark' })
  const night = await look({ rules: RULES })
  await page.emulateMedia({ colorScheme: 'light' })
  const day = await look({ runOnly: ['color-contrast'] })
  return [...night, ...day].flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}\n  ${html}`))
}

test('axe finds nothing wrong, by night and by day', { timeout: 120_000 }, async () => {
  const { page, context } = await signIn(browser, perigee)
  // The policy of the page lets no foreign script in, so it comes by the debugger.
  await page.evaluate(AXE)
  const faults = {}

  await page.getByRole('list', { name: 'Conversations' }).getByRole('link').last().click()
  await answers(page).last().getByRole('table').waitFor()
  await page.getByRole('button', { name: /Thought/ }).click()
  model.says({ status: 400, body: '{"error":{"message":"no such model"}}' })
  await say(page, 'Are you there?')
  await page.getByText(/no such model/).first().waitFor()
  await page.getByRole('button', { name: 'Why did you say that?' }).first().click()
  await page.getByText('What she read, in this order').waitFor()
  await composer(page).fill('/')
  await page.getByRole('listbox', { name: 'Commands' }).waitFor()
  faults.conversation = await faultsOf(page)

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('moon')
  await page.getByRole('option').first().waitFor()
  faults.palette = await faultsOf(page, '[role=dialog]')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Model:/ }).click()
  await page.getByRole('dialog').getByText('Qwen3 1.7B').waitFor()
  faults.models = await faultsOf(page, '[role=dialog]')
  await page.keyboard.press('Escape')

  await page.evaluate(() => (location.hash = '#/settings/chat'))
  await page.getByRole('heading', { name: 'Conversations' }).waitFor()
  faults.settings = await faultsOf(page, 'main')
  await page.evaluate(() => (location.hash = '#/'))
  await page.getByRole('list', { name: 'Ways to begin' }).waitFor()
  faults.empty = await faultsOf(page, 'main')

  await context.clearCookies()
  await page.reload()
  await page.getByText('Is that you?').waitFor()
  await page.evaluate(AXE)
  faults.login = await faultsOf(page)

  const none = Object.fromEntries(Object.keys(faults).map((view) => [view, []]))
  assert.deepEqual(faults, none)
  await context.close()
})
