// Tests third-party MCP servers from npm and PyPI: each is added as a user would add it, and used.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Perigee, until } from '../e2e/program.mjs'

const run = promisify(execFile)
const program = (name) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url))
const PYTHON_SERVERS = ['mcp-server-time==2026.10.19']

const WHICH = `import socket
from importlib.metadata import version
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("which")

@mcp.tool()
def package() -> str:
    """Says what it runs on."""
    try:
        socket.socket(socket.AF_INET)
        reach = "a network"
    except OSError:
        reach = "no network"
    return f"mcp {version('mcp')}, {reach}"

mcp.run()
`

const folder = await mkdtemp(join(tmpdir(), 'perigee-servers-'))
const perigee = await Perigee.start()
after(async () => {
  await perigee.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Returns the folder of the servers from PyPI, installed once. */
const python = async () => {
  // Packages that pip installs for one version of Python do not work with another.
  const { stdout } = await run('python3', ['-c', 'import sys; print(sys.implementation.cache_tag)'])
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'perigee', `mcp-python-${stdout.trim()}`)
  const there = join(cache, PYTHON_SERVERS.join('-'))
  if (!existsSync(there)) {
    await rm(cache, { recursive: true, force: true })
    await mkdir(cache, { recursive: true })
    await run('python3', ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', cache, ...PYTHON_SERVERS])
    await writeFile(there, '')
  }
  return cache
}

/** Adds a server and waits until it is ready. */
const add = async (name, server) => {
  await perigee.call('POST', '/api/mcp/servers', { name, server })
  let found
  await until(async () => {
    found = (await perigee.call('GET', '/api/mcp/servers')).servers.find((one) => one.name === name)
    assert.ok(!found.trouble, found.trouble)
    return found.state === 'ready'
  }, `${name} is not ready`)
  return found
}

/** Runs a tool as the button in the app does, and returns its last event. */
const use = async (tool, args, at = perigee) => {
  await at.call('PUT', '/api/permissions', { [tool]: 'allow' })
  const token = (await readFile(join(at.home, 'token'), 'utf8')).trim()
  const response = await fetch(`${at.address}/api/tools/${tool}/run`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ args }),
  })
  const events = (await response.text()).split('\n').filter((line) => line.startsWith('data: ')).map((line) => JSON.parse(line.slice(6)))
  return {
    ...events.findLast((event) => event.type === 'tool'),
    opened: events.find((event) => event.type === 'command'),
    shown: events.filter((event) => event.type === 'toolOutput').map((event) => event.text).join(''),
  }
}

const freePort = () =>
  new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => found(port))
    })
  })

test('server-everything speaks on its streams, tells its progress, and holds resources and prompts', async () => {
  const server = await add('everything', { command: program('mcp-server-everything'), args: [] })
  assert.ok(server.tools.length > 5 && server.hasResources && server.hasPrompts)
  assert.equal((await use('everything__echo', { message: 'moon' })).result, 'Echo: moon')
  const long = await use('everything__trigger-long-running-operation', { duration: 0.3, steps: 3 })
  assert.equal(long.status, 'done')
  assert.match(long.shown, /100 %/)
  const { result, opened } = await use('everything__get-tiny-image', {})
  assert.match(result, /\[a picture, image\/png, \d+ kB\]/)
  assert.equal(opened.action, 'pictures')
  assert.equal(opened.payload.pictures[0].mime, 'image/png')
  assert.equal((await use('everything__list_resources', {})).status, 'done')
  assert.match((await use('everything__list_prompts', {})).result, /^- /)
})

test('server-everything is reached over HTTP', async () => {
  const port = await freePort()
  const server = spawn(program('mcp-server-everything'), ['streamableHttp'], { env: { ...process.env, PORT: String(port) }, stdio: 'ignore' })
  try {
    await until(() => fetch(`http://127.0.0.1:${port}/mcp`).then(() => true, () => false))
    await add('over-http', { url: `http://127.0.0.1:${port}/mcp` })
    assert.match((await use('over-http__get-sum', { a: 2, b: 3 })).result, /5/)
  } finally {
    server.kill()
  }
})

test('server-filesystem reads its folder and nothing else', async () => {
  await writeFile(join(folder, 'note.txt'), 'the moon is far')
  await add('files', { command: program('mcp-server-filesystem'), args: [folder] })
  assert.equal((await use('files__read_text_file', { path: join(folder, 'note.txt') })).result, 'the moon is far')
  const outside = await use('files__read_text_file', { path: '/etc/hostname' })
  assert.equal(outside.status, 'failed')
})

test('server-memory keeps what it is told', async () => {
  await add('graph', { command: program('mcp-server-memory'), args: [], env: { MEMORY_FILE_PATH: join(folder, 'graph.json') } })
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes tea'] }]
  assert.equal((await use('graph__create_entities', { entities })).status, 'done')
  assert.match((await use('graph__search_nodes', { query: 'tea' })).result, /Ada/)
})

test('mcp-server-time, from PyPI, knows the time', async () => {
  await add('time', { command: 'python3', args: ['-m', 'mcp_server_time'], env: { PYTHONPATH: await python() } })
  assert.match((await use('time__get_current_time', { timezone: 'Europe/Paris' })).result, /Europe\/Paris/)
})

test('a server of hers runs on the official package, where that is wanted, in the same sandbox', async () => {
  const other = await Perigee.start({ config: '[builtin_tools]\nmcp_servers = true\nmcp_servers_package = "official"\n' })
  try {
    const { sandbox } = await other.call('GET', '/api/mcp/servers')
    if (sandbox.level === 'none') return
    const home = join(other.home, 'mcp_servers', 'which')
    await mkdir(join(home, 'sandbox'), { recursive: true })
    await writeFile(join(home, 'server.py'), WHICH)
    await writeFile(join(other.home, 'mcp_servers', 'manifest.json'), JSON.stringify({ which: { description: 'Says which.' } }))
    const { servers } = await other.call('GET', '/api/mcp/servers')
    await other.call('POST', '/api/mcp/servers/which/approve', { seen: servers[0].asks })
    const { result } = await use('which__package', {}, other)
    assert.match(result, /^mcp 1\.30\.\d+, no network$/)
  } finally {
    await other.stop()
  }
})
