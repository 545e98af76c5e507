// A running `perigee` and a scripted model that speaks the OpenAI wire format, for tests in Node.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Returns the environment for a tested program, without the developer's settings for their own Perigee. */
export const isolated = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PERIGEE_')))

/** A running `perigee serve` on a data folder of its own. */
export class Perigee {
  /** Starts a server; given the home and port of an earlier one, it resumes where that one stopped. */
  static async start({ config = '', env = {}, home, port = 0 } = {}) {
    const bin = process.env.PERIGEE_BIN
    if (!bin) throw new Error('PERIGEE_BIN is not set: use `cargo xtask test`')
    const folder = home ?? (await mkdtemp(join(tmpdir(), 'perigee-e2e-')))
    if (!home) await writeFile(join(folder, 'config.toml'), config)
    const child = spawn(bin, ['serve', '--home', folder, '--port', String(port), '--json'], {
      env: { ...isolated(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let log = ''
    child.stderr.on('data', (bytes) => (log += bytes))
    const ended = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`perigee ended (${signal ?? code}):\n${log}`)
    })
    ended.catch(() => {})
    const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])
    return new Perigee(child, folder, JSON.parse(line).address, ended)
  }

  constructor(child, home, address, ended) {
    this.child = child
    this.home = home
    this.address = address
    this.ended = ended
    this.wanted = true
    // If the server exits unexpectedly, print the reason: the failures that follow would not show it.
    ended.catch((error) => this.wanted && console.error(error.message))
  }

  async call(method, path, body) {
    const token = (await readFile(join(this.home, 'token'), 'utf8')).trim()
    const response = await fetch(this.address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text ? JSON.parse(text) : undefined
  }

  /** Returns an address that signs a browser in once. */
  async door() {
    const { code } = await this.call('POST', '/api/open', {})
    return `${this.address}/#code=${code}`
  }

  async kill() {
    this.wanted = false
    this.child.kill('SIGKILL')
    await this.ended.catch(() => {})
  }

  async stop() {
    await this.kill()
    await rm(this.home, { recursive: true, force: true })
  }
}

/** A model that replies with what a test scripted, in pieces, and only when told to. */
export class ScriptedModel {
  static async start(name = 'scripted') {
    const model = new ScriptedModel(name)
    await new Promise((resolve) => model.server.listen(0, '127.0.0.1', resolve))
    return model
  }

  constructor(name) {
    this.name = name
    this.script = []
    this.requests = []
    this.server = createServer((request, response) => this.answer(request, response))
  }

  get url() {
    return `http://127.0.0.1:${this.server.address().port}/v1`
  }

  get config() {
    return `[llm]\nbase_url = "${this.url}"\nmodel = "${this.name}"\n[chat]\ntitle = "words"\n`
  }

  /** Queues the next replies: text, or an async function that gets `send(text)`. */
  says(...answers) {
    this.script.push(...answers)
  }

  async answer(request, response) {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json')
      return response.end(JSON.stringify({ object: 'list', data: [{ id: this.name, object: 'model' }] }))
    }
    let body = ''
    for await (const bytes of request) body += bytes
    this.requests.push(JSON.parse(body))
    const next = this.script.shift() ?? 'The script is empty.'
    if (next.status) {
      response.statusCode = next.status
      return response.end(next.body ?? '')
    }
    response.setHeader('content-type', 'text/event-stream')
    const send = (content, field = 'content') => {
      const choice = { index: 0, delta: { [field]: content }, finish_reason: null }
      response.write(`data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [choice] })}\n\n`)
    }
    if (typeof next === 'string') {
      for (const piece of next.match(/[\s\S]{1,7}/g) ?? []) send(piece)
    } else {
      await next(send, response)
    }
    if (response.destroyed) return
    const stop = { index: 0, delta: {}, finish_reason: 'stop' }
    response.end(`data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [stop] })}\n\ndata: [DONE]\n\n`)
  }

  stop() {
    this.server.closeAllConnections()
    this.server.close()
  }
}

/**
 * Returns a promise that a test settles by hand, so that it need not sleep until something has probably
 * happened.
 */
export function gate() {
  let open
  const opened = new Promise((resolve) => (open = resolve))
  return { opened, open }
}

/** Polls until a condition holds, for up to a minute, since a busy machine may be slow. */
export async function until(holds, what = 'it did not come about') {
  for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((wake) => setTimeout(wake, 25))) if (await holds()) return
  throw new Error(typeof what === 'string' ? what : await what())
}

/** Waits until the client has closed the connection. */
export function untilClosed(response) {
  return new Promise((resolve) => response.on('close', resolve))
}
