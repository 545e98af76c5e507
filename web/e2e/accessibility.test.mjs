// Checks the views with axe in the dark and the light theme: names, roles, contrast, order.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answers, axeFaults, composer, say, stage } from './harness.mjs'

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

const here = stage({
  reset: async ({ model, perigee }) => {
    model.says(async (send) => {
      send('Let me see.', 'reasoning_content')
      send(ANSWER)
    })
    const attachments = [{ name: 'notes.md', mime: 'text/markdown', data: Buffer.from('Notes').toString('base64') }]
    const { conversationId } = await perigee.call('POST', '/api/chat', { message: 'Show me everything', attachments })
    await perigee.call('PATCH', `/api/chats/${conversationId}`, { folder: 'Sky', tags: ['moon'] })
  },
})

test('axe finds nothing wrong, by night and by day', { timeout: 120_000 }, async () => {
  const { page, context, model } = here
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
  faults.conversation = await axeFaults(page)

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('moon')
  await page.getByRole('option').first().waitFor()
  faults.palette = await axeFaults(page, '[role=dialog]')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Model:/ }).click()
  await page.getByRole('dialog').getByText('Qwen3 1.7B').waitFor()
  faults.models = await axeFaults(page, '[role=dialog]')
  await page.keyboard.press('Escape')

  await page.evaluate(() => (location.hash = '#/settings/chat'))
  await page.getByRole('heading', { name: 'Chats' }).waitFor()
  faults.settings = await axeFaults(page, 'main')
  await page.evaluate(() => (location.hash = '#/'))
  await page.getByRole('list', { name: 'Suggestions' }).waitFor()
  faults.empty = await axeFaults(page, 'main')

  await context.clearCookies()
  await page.reload()
  await page.getByText('Sign in to continue').waitFor()
  faults.login = await axeFaults(page)

  const none = Object.fromEntries(Object.keys(faults).map((view) => [view, []]))
  assert.deepEqual(faults, none)
})
