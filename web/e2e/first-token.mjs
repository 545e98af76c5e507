// Measures the time from pressing Enter to the first character of the reply, for `cargo xtask bench browser`.
// Usage: node first-token.mjs ADDRESS COUNT, with the token in PERIGEE_TOKEN. Prints a JSON list of
// milliseconds.

import { answers, composer, openBrowser } from './harness.mjs'

const [address, count] = process.argv.slice(2)
const headers = { authorization: `Bearer ${process.env.PERIGEE_TOKEN}`, 'content-type': 'application/json' }
const post = (path) => fetch(address + path, { method: 'POST', headers, body: '{}' }).then((response) => response.json())

const browser = await openBrowser()
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
await page.goto(`${address}/#code=${(await post('/api/open')).code}`)
const start = page.getByRole('button', { name: 'Start talking' })
await composer(page).or(start).first().waitFor()
if (await start.isVisible()) await start.click()
const times = []
for (let round = 0; round < Number(count); round += 1) {
  await page.getByRole('link', { name: 'Perigee, new chat' }).click()
  await composer(page).fill(`Say something kind. Number ${round}.`)
  times.push(
    await page.evaluate(async () => {
      const field = document.activeElement?.closest('textarea') ?? document.querySelector('textarea')
      field.focus()
      const started = performance.now()
      const spoken = () => [...document.querySelectorAll('article[aria-label="Luna"] .prose')].at(-1)?.textContent?.trim()
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
      while (!spoken()) await new Promise((resolve) => requestAnimationFrame(resolve))
      return performance.now() - started
    }),
  )
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
  await answers(page).last().waitFor()
}
await browser.close()
console.log(JSON.stringify(times))
