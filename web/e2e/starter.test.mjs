// Acts as a new user: opens the page, asks a question, and reads the reply as it streams in, from the real
// starter model embedded in the program.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Perigee, answers, axeFaults, openBrowser, say, signIn } from './harness.mjs'

let browser, perigee

before(async () => {
  browser = await openBrowser()
  const starter = join(process.env.PERIGEE_TEST_MODELS ?? '', 'smollm2-135m-instruct.gguf')
  perigee = await Perigee.start({ config: '[llm]\nnum_predict = 120\n', env: { PERIGEE_STARTER: starter } })
})

after(async () => {
  await browser?.close()
  await perigee?.stop()
})

test('a question in the browser is answered by the embedded model, streamed', { timeout: 300_000 }, async () => {
  const { page, faults, context } = await signIn(browser, perigee)
  // The first start shows what is installed already, and a better choice.
  await page.getByRole('heading', { name: 'Hello. I’m Luna.' }).waitFor()
  await page.getByRole('button', { name: /^Get / }).waitFor()
  assert.deepEqual(await axeFaults(page), [])
  await page.getByRole('button', { name: 'Start talking' }).click()
  await page.getByRole('list', { name: 'Suggestions' }).waitFor()
  await page.getByText('A tiny model for trying.').waitFor()
  assert.deepEqual(await axeFaults(page), [])
  // The page itself observes the reply: a small model may be done before the test has polled twice.
  const seen = await page.evaluateHandle(() => {
    const seen = { lengths: new Set(), stop: false }
    new MutationObserver(() => {
      seen.stop ||= document.querySelector('button[aria-label=Stop]') !== null
      if (seen.stop) seen.lengths.add([...document.querySelectorAll('article[aria-label=Luna] .prose')].at(-1)?.textContent.length ?? 0)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
    return seen
  })
  await say(page, 'What is the moon made of?')
  const answer = answers(page).last()
  await page.waitForFunction(({ stop }) => stop, seen)
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached', timeout: 250_000 })
  const text = await answer.innerText()
  assert.ok(text.length > 20, text)
  const states = await seen.evaluate(({ lengths }) => lengths.size)
  assert.ok(states > 3, `the answer grew while it was read: ${states} states`)
  await page.getByText('A tiny model for trying.').waitFor()
  assert.doesNotMatch(page.url(), /code=/, 'the one-time code is gone from the address')

  await page.reload()
  await answers(page).last().waitFor()
  assert.equal((await answers(page).last().innerText()).slice(0, 20), text.slice(0, 20), 'it is kept')
  assert.deepEqual(faults, [])
  await context.close()
})
