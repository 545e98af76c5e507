// What a new user does: open the page, ask something, and read the answer as it streams in, from the real
// starter model inside the program.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Perigee, answers, openBrowser, say, signIn } from './harness.mjs'

let browser, perigee

before(async () => {
  browser = await openBrowser()
  const starter = join(process.env.PERIGEE_TEST_MODELS ?? '', 'smollm2-135m-instruct.gguf')
  perigee = await Perigee.start({ config: '[llm]\nnum_predict = 40\n', env: { PERIGEE_STARTER: starter } })
})

after(async () => {
  await browser?.close()
  await perigee?.stop()
})

test('a question in the browser is answered by the embedded model, streamed', { timeout: 180_000 }, async () => {
  const { page, faults, context } = await signIn(browser, perigee)
  await say(page, 'What is the moon made of?')
  const answer = answers(page).last()
  const seen = new Set()
  const stop = page.getByRole('button', { name: 'Stop' })
  await stop.waitFor()
  while (await stop.isVisible()) {
    seen.add(await answer.innerText().catch(() => ''))
    await page.waitForTimeout(30)
  }
  const text = await answer.innerText()
  assert.ok(text.length > 20, text)
  assert.ok(seen.size > 3, `the answer grew while it was read: ${seen.size} states`)
  assert.doesNotMatch(page.url(), /code=/, 'the one-time code is gone from the address')

  await page.reload()
  await answers(page).last().waitFor()
  assert.equal((await answers(page).last().innerText()).slice(0, 20), text.slice(0, 20), 'it is kept')
  assert.deepEqual(faults, [])
  await context.close()
})
