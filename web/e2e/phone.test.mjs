// Tests access from a phone: enabled in the settings, opened by a QR code, signed in over the LAN address.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answers, axeFaults, composer, stage, until } from './harness.mjs'

// The host name goes into the certificate, so that there is an address even on a machine without a network.
const here = stage({ config: '[server]\nlan_port = 0\nallowed_hosts = ["moon.local"]\n' })

const toggle = () => here.page.getByRole('switch', { name: 'Your phone' })
const code = () => here.page.getByRole('img', { name: 'A code for your phone’s camera' })
const lan = () => here.perigee.call('GET', '/api/lan')

async function phone(url) {
  const context = await here.browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  // The address in the code is that of the LAN, to which this machine need not be connected.
  await page.goto(`https://127.0.0.1:${(await lan()).port}/${new URL(url).hash}`)
  return { context, page }
}

test('a phone comes in by the code, is told of, talks with her, and goes when it is switched off', async () => {
  const { page, model, perigee } = here
  await page.evaluate(() => (location.hash = '#/settings/access'))
  await toggle().waitFor()
  assert.equal(await toggle().getAttribute('aria-checked'), 'false')
  await toggle().click()
  await page.getByRole('button', { name: 'Show a code' }).waitFor()
  const made = page.waitForResponse((response) => response.url().endsWith('/api/lan/code'))
  await page.getByRole('button', { name: 'Show a code' }).click()
  const { url } = await (await made).json()
  await code().waitFor()
  assert.deepEqual(await axeFaults(page), [])

  const { context, page: hers } = await phone(url)
  await composer(hers).waitFor()
  assert.equal(new URL(hers.url()).hash.includes('code'), false, 'the code does not stay in the address')
  await page.getByText(/^Signed in: /).waitFor()
  assert.equal(await code().count(), 0, 'the code is put away')
  const [cookie] = (await context.cookies()).filter(({ name }) => name.includes('perigee'))
  assert.deepEqual([cookie.name, cookie.secure, cookie.httpOnly, cookie.sameSite], ['__Host-perigee_session', true, true, 'Strict'])
  model.says('Hello, phone.')
  await composer(hers).fill('Is that you?')
  await hers.getByRole('button', { name: 'Send', exact: true }).click()
  await answers(hers).getByText('Hello, phone.').waitFor()

  const explained = await context.newPage()
  await explained.goto(`https://127.0.0.1:${(await lan()).port}/lan`)
  await explained.getByRole('heading', { name: 'Trust this machine' }).waitFor()
  await explained.getByText((await lan()).fingerprint).waitFor()
  assert.deepEqual(await axeFaults(explained), [])
  const [download] = await Promise.all([explained.waitForEvent('download'), explained.getByRole('link', { name: 'Get the certificate' }).click()])
  assert.equal(download.suggestedFilename(), 'perigee.crt')

  await toggle().click()
  await until(async () => !(await lan()).on)
  await hers.getByText(/^Perigee does not answer/).first().waitFor()
  await context.close()
  await perigee.call('PATCH', '/api/config', { 'server.lan': null })
})
