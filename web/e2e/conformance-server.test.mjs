// The public conformance suite of the Model Context Protocol, its server half, against `/mcp` and against a server
// with the suite's own tools. What passes where is the table in docs/conformance.md, and must be just that.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { createServer, request as forward } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Perigee } from './harness.mjs'

const REVISION = '2025-11-25'
const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const SUITE = here('../node_modules/@modelcontextprotocol/conformance/dist/index.js')
const DOCUMENT = here('../../docs/conformance.md')
/** The suite needs Node 22; where this one is older, npm has brought one. */
const NODE = Number(process.versions.node.split('.')[0]) >= 22 ? process.execPath : here('../node_modules/node/bin/node')

/** What the document says of a server: whether each scenario passes. */
const promised = async (column) => {
  const text = await readFile(DOCUMENT, 'utf8')
  const [, part] = text.split('\n## The server\n')
  const rows = part.split('\n## ')[0].split('\n').filter((line) => /^\| `/.test(line))
  return Object.fromEntries(
    rows.map((row) => {
      const [name, ...cells] = row.split('|').slice(1, -1).map((cell) => cell.trim())
      return [name.replaceAll('`', ''), cells[column] === 'passes']
    }),
  )
}

/** Runs every scenario, and says of each what was wrong. */
const faults = async (url) => {
  const folder = await mkdtemp(join(tmpdir(), 'perigee-conformance-'))
  try {
    const line = [SUITE, 'server', '--url', url, '--suite', 'all', '--spec-version', REVISION, '--output-dir', folder]
    // It fails where a scenario does; what counts is what it wrote down.
    const said = await new Promise((done) => execFile(NODE, line, { maxBuffer: 1 << 26 }, (_, out, err) => done(out + err)))
    const runs = await readdir(folder)
    assert.ok(runs.length > 0, said)
    const results = runs.map(async (run) => {
      const name = run.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '')
      const checks = JSON.parse(await readFile(join(folder, run, 'checks.json'), 'utf8'))
      // A warning is something that a server should do and does not.
      const bad = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
      const words = bad.map(({ id, errorMessage }) => `${id}: ${errorMessage}`)
      return [name, checks.some(({ status }) => status === 'SUCCESS') ? words : [...words, 'nothing was checked']]
    })
    return Object.fromEntries(await Promise.all(results))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** How a server says that it has no such thing. */
const NOT_THERE = /there is no tool|tool '\w+' not found|MCP error -32601|nothing was checked|did not send tool response/i

const hold = (found, promise) => {
  assert.deepEqual(Object.values(found).flat().filter((words) => !NOT_THERE.test(words)), [])
  const passes = Object.fromEntries(Object.entries(found).map(([name, words]) => [name, words.length === 0]))
  assert.deepEqual(passes, promise, JSON.stringify(found, null, 1))
}

/** Brings the token, which the suite cannot, and passes everything else on as it came: names and origins too. */
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
    hold(await faults(JSON.parse(line).address), await promised(1))
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
    hold(await faults(`http://${host}/mcp`), await promised(0))
  } finally {
    await perigee.stop()
    server.closeAllConnections()
    server.close()
  }
})
