// Runs the server half of the public conformance suite of the Model Context Protocol against `/mcp` and
// against a server with the suite's own tools. The results must match the table in docs/conformance.md
// exactly.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, request as forward } from 'node:http'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { faults, promised, REVISION } from './conformance/suite.mjs'
import { Perigee } from '../e2e/program.mjs'

/** Returns the faults that the suite finds in a server, by scenario. */
const judged = (url) => faults('server', ['--url', url, '--suite', 'all', '--spec-version', REVISION])

/** The messages with which a server says that it lacks something. */
const NOT_THERE = /there is no tool|tool '\w+' not found|MCP error -32601|nothing was checked|did not send tool response/i

const hold = (found, promise) => {
  assert.deepEqual(Object.values(found).flat().filter((words) => !NOT_THERE.test(words)), [])
  const passes = Object.fromEntries(Object.entries(found).map(([name, words]) => [name, words.length === 0]))
  assert.deepEqual(passes, promise, JSON.stringify(found, null, 1))
}

/**
 * Starts a proxy that adds the token, which the suite cannot send, and forwards everything else unchanged,
 * including host names and origins.
 */
const escort = async () => {
  const target = {}
  const server = createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${target.token}` }
    const options = { host: '127.0.0.1', port: target.port, path: request.url, method: request.method, headers }
    const onward = forward(options, (answer) => {
      response.writeHead(answer.statusCode, answer.headers)
      response.flushHeaders()
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
  return { server, target, host: `127.0.0.1:${server.address().port}` }
}

test('every scenario passes on a server with what the suite asks for', async () => {
  const program = join(dirname(process.env.PERIGEE_BIN), 'conformance-server')
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${program} ended (${code})`)))
  ended.catch(() => {})
  try {
    const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])
    hold(await judged(JSON.parse(line).address), await promised('The server', 1))
  } finally {
    child.kill()
  }
})

test('/mcp passes what the table says', async () => {
  const { server, target, host } = await escort()
  const perigee = await Perigee.start({ config: `[mcp]\nenabled = true\n[server]\nallowed_hosts = ["${host}"]\n` })
  try {
    target.port = new URL(perigee.address).port
    target.token = (await readFile(join(perigee.home, 'token'), 'utf8')).trim()
    hold(await judged(`http://${host}/mcp`), await promised('The server', 0))
  } finally {
    await perigee.stop()
    server.closeAllConnections()
    server.close()
  }
})
