// Tests signing in to a server that requires it: by the user, in the browser, on the server's own page.

import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { GuardedServer } from './guarded-server.mjs'
import { axeFaults, Perigee, stage, until } from './harness.mjs'

const started = []
after(() => started.forEach((server) => server.stop()))

const guarded = async (more) => {
  const server = await GuardedServer.start(more)
  started.push(server)
  return server
}

const here = stage({
  reset: async ({ perigee }) => {
    for (const { name } of (await perigee.call('GET', '/api/mcp/servers')).servers) await perigee.call('DELETE', `/api/mcp/servers/${name}`)
  },
})

const main = () => here.page.getByRole('main')
const button = (name) => main().getByRole('button', { name, exact: true })
const open = (hash) => here.page.evaluate((to) => (location.hash = to), hash)
const find = async () => (await here.perigee.call('GET', '/api/mcp/servers')).servers.find(({ name }) => name === 'docs')

const comesToBe = (is) => until(async () => is(await find()), async () => `it is not so: ${JSON.stringify(await find())}`)

async function add(url) {
  await here.perigee.call('POST', '/api/mcp/servers', { name: 'docs', server: { url } })
  await open('#/servers/docs')
  await main().getByText('sign-in needed', { exact: true }).waitFor()
}

/** Acts as the user: opens the sign-in page, consents there, and returns. */
async function signIn() {
  const popup = here.context.waitForEvent('page')
  await button('Sign in').click()
  const page = await popup
  await page.getByRole('link', { name: 'Yes, let it in' }).click()
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
  await main().getByText('ready', { exact: true }).waitFor()
  return page
}

const signInFiles = async () => {
  const folder = join(here.perigee.home, 'sign_ins')
  return Promise.all((await readdir(folder).catch(() => [])).map(async (name) => ({ text: await readFile(join(folder, name), 'utf8'), mode: (await stat(join(folder, name))).mode & 0o777 })))
}

async function moon() {
  await here.perigee.call('PUT', '/api/permissions', { docs__moon: 'allow' })
  const token = (await readFile(join(here.perigee.home, 'token'), 'utf8')).trim()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(`${here.perigee.address}/api/tools/docs__moon/run`, { method: 'POST', headers, body: '{"args":{}}' })
  const events = (await response.text()).split('\n').filter((line) => line.startsWith('data: ')).map((line) => JSON.parse(line.slice(6)))
  return events.findLast(({ type }) => type === 'tool')
}

test('you sign in on its own page, and it works from then on, also after a restart', async () => {
  const server = await guarded()
  await add(server.url)
  assert.deepEqual(await axeFaults(here.page), [])
  const there = await signIn()
  assert.deepEqual(await axeFaults(there), [])
  assert.equal((await moon()).result, '384,400 km')
  const [kept] = await signInFiles()
  assert.match(kept.text, /secret-token-1-0/)
  assert.equal(kept.mode, 0o600, 'only the owner reads it')
  await here.perigee.kill()
  const { home, address } = here.perigee
  here.perigee = await Perigee.start({ home, port: new URL(address).port })
  await comesToBe((docs) => docs?.state === 'ready')
  assert.deepEqual([server.signIns, (await moon()).result], [1, '384,400 km'])
})

test('a token that has run out is renewed by itself, and one that is refused asks you again', async () => {
  const server = await guarded()
  server.lasts = 1
  await add(server.url)
  await signIn()
  assert.equal((await moon()).status, 'done')
  assert.ok(server.refreshes > 0)
  server.good.clear()
  server.forgets = true
  assert.match((await moon()).result, /sign in/)
  await comesToBe((docs) => docs?.state === 'locked' && docs.signIn === 'wanted')
})

test('whoever signs out or takes the server away leaves no key behind', async () => {
  const server = await guarded()
  await add(server.url)
  await signIn()
  await button('Sign out').click()
  await button('Sign in').waitFor()
  assert.deepEqual(await signInFiles(), [])
  await signIn()
  await button('Remove').click()
  await comesToBe((docs) => docs === undefined)
  assert.deepEqual(await signInFiles(), [])
})

test('a server cannot send the browser wherever it likes, and nobody comes back who was not sent', async () => {
  const server = await guarded({ authorize: 'javascript:alert(1)//' })
  await add(server.url)
  await button('Sign in').click()
  await main().getByRole('alert').waitFor()
  assert.equal(here.context.pages().length, 1, 'no page was opened')
  const back = await fetch(`${here.perigee.address}/api/mcp/signed-in?code=x&state=%3Cscript%3E`)
  assert.equal(back.status, 400)
  assert.match(await back.text(), /You are not signed in/)
  const refused = await fetch(`${here.perigee.address}/api/mcp/signed-in?error=%3Cscript%3E`)
  assert.ok(!(await refused.text()).includes('<script>'))
})
