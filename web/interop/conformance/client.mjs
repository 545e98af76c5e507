// The client that the conformance suite runs: it connects a running Perigee to the server whose address the
// suite gives, as the user would. It adds the server, signs in where required, and uses every tool.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

const { PERIGEE_ADDRESS: address, PERIGEE_TOKEN: token, MCP_CONFORMANCE_SCENARIO: scenario = '' } = process.env
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
const url = process.argv.at(-1)
const name = `suite-${process.pid}`
/** The number of sign-ins after which the client gives up. */
const PATIENCE = 3

const send = (method, path, body) =>
  fetch(address + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })

const call = async (method, path, body) => {
  const response = await send(method, path, body)
  const text = await response.text()
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
  return text ? JSON.parse(text) : undefined
}

/** Returns the settings of this server. */
const server = () => {
  const oauth = {}
  if (context.client_id) oauth.clientId = context.client_id
  if (context.client_secret) oauth.clientSecret = context.client_secret
  if (scenario === 'auth/basic-cimd') oauth.clientMetadataUrl = 'https://conformance-test.local/client-metadata.json'
  return Object.keys(oauth).length > 0 ? { url, oauth } : { url }
}

const find = async () => (await call('GET', '/api/mcp/servers')).servers.find((one) => one.name === name)

/** Waits until a condition holds, for at most `limit` milliseconds; returns whether it ever did. */
const until = async (limit, holds) => {
  for (const end = Date.now() + limit; Date.now() < end; await sleep(30)) if (await holds()) return true
  return false
}

/**
 * Takes the place of the user in the browser: opens the sign-in page, which redirects back. Perigee then
 * reconnects to the server in the background, so this waits for the state to change: reading it at once would
 * still find the old demand and cause a second sign-in. The server may also demand the same again before the
 * first check.
 */
const signIn = async () => {
  const before = await find()
  const start = await call('POST', `/api/mcp/servers/${name}/sign-in`)
  const there = await fetch(start.url, { redirect: 'manual' })
  const back = there.headers.get('location')
  assert.ok(back?.startsWith(`${address}/api/mcp/signed-in?`), `it leads to ${back}`)
  const ended = await fetch(back)
  assert.ok(ended.ok, await ended.text())
  const seen = await until(4_000, async () => {
    const { state, signIn } = await find()
    return state !== before.state || signIn !== before.signIn
  })
  if (!seen) console.log('it wants the same again')
}

const ready = async () => {
  let signIns = 0
  const is = await until(25_000, async () => {
    const { state, trouble } = await find()
    if (state === 'locked') {
      assert.ok(signIns < PATIENCE, 'it lets nobody in')
      signIns += 1
      await signIn()
      return false
    }
    assert.ok(!trouble, trouble)
    return state === 'ready'
  })
  assert.ok(is, 'it does not get ready')
}

const sample = ({ type }) => ({ number: 2, integer: 2, boolean: true, array: [], object: {} })[type] ?? 'moon'

/**
 * Runs a tool as the button in the app does. Forms that the server sends meanwhile are submitted unchanged.
 */
const use = async ({ fullName, parameters }) => {
  await call('PUT', '/api/permissions', { [fullName]: 'allow' })
  const args = Object.fromEntries(Object.entries(parameters.properties ?? {}).map(([key, schema]) => [key, sample(schema)]))
  const response = await send('POST', `/api/tools/${fullName}/run`, { args })
  let [rest, last] = ['', null]
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop()
    for (const line of lines.filter((one) => one.startsWith('data: '))) {
      const event = JSON.parse(line.slice(6))
      if (event.type === 'tool') last = event
      if (event.type === 'confirmation') await call('POST', `/api/chat/confirm/${event.id}`, { approved: true, filled: {} })
    }
  }
  return last
}

await call('POST', '/api/mcp/servers', { name, server: server() })
try {
  await ready()
  for (const tool of (await find()).tools) {
    let done = await use(tool)
    for (let more = 1; more < PATIENCE && (await find()).signIn === 'more'; more += 1) {
      await signIn()
      await ready()
      done = await use(tool)
    }
    console.log(`${tool.name}: ${done?.status} ${done?.result}`)
  }
} finally {
  await call('DELETE', `/api/mcp/servers/${name}`)
}
