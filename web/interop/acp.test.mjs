// Tests the Agent Client Protocol with its official client: `perigee acp` is started as an editor starts it,
// with a scripted model, and everything it sends must match the protocol's own schema in every field.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import { gate, isolated, Perigee, ScriptedModel, untilClosed } from '../e2e/program.mjs'

// The package validates the requests and notifications that it receives, but not the responses to its own
// requests. These schemas do, and the package does not export them.
const schemas = await import(new URL('../node_modules/@agentclientprotocol/sdk/dist/v1/schema/zod.gen.js', import.meta.url))
const { agent: does, client: hears } = methods
const ANSWERS = {
  [does.initialize]: schemas.zInitializeResponse,
  [does.session.new]: schemas.zNewSessionResponse,
  [does.session.load]: schemas.zLoadSessionResponse,
  [does.session.setMode]: schemas.zSetSessionModeResponse,
  [does.session.prompt]: schemas.zPromptResponse,
}
const CALLS = {
  [hears.session.update]: schemas.zSessionNotification,
  [hears.session.requestPermission]: schemas.zRequestPermissionRequest,
}

/**
 * Returns everything in a value that the schema does not know. The schema is lenient: fields that it drops or
 * replaces are found by comparing its output with the input.
 */
function strange(schema, value, where) {
  const read = schema?.safeParse(value)
  if (!read?.success) return [`${where}: ${read ? read.error.message : 'it is not known'}: ${JSON.stringify(value)}`]
  const lost = (sent, kept, path) => {
    if (sent === null || typeof sent !== 'object') return sent === kept ? [] : [`${where}: ${path} is not as it should be: ${JSON.stringify(sent)}`]
    return Object.keys(sent).flatMap((key) => lost(sent[key], kept?.[key], `${path}.${key}`))
  }
  return lost(value, read.data, '$')
}

const GREETING = "def greeting(name):\n    return 'Hello ' + name\n"
const SHORTER = GREETING.replace('Hello', 'Hi')
const PLACE = realpathSync(mkdtempSync(join(tmpdir(), 'perigee-acp-')))

class Editor {
  /** Starts the agent as an editor does, without a server running beside it. */
  static async start(home) {
    const editor = new Editor(home)
    editor.hello = await editor.agent.request(does.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {}, clientInfo: { name: 'test', version: '1' } })
    return editor
  }

  constructor(home) {
    this.waiting = new Set()
    this.faults = []
    this.forget()
    this.child = spawn(process.env.PERIGEE_BIN, ['--home', home, 'acp'], { env: isolated(), stdio: ['pipe', 'pipe', 'inherit'] })
    this.ended = once(this.child, 'exit')
    const pipes = ndJsonStream(Writable.toWeb(this.child.stdin), Readable.toWeb(this.child.stdout))
    const open = new Map()
    const sent = new TransformStream({
      transform: (message, out) => {
        if (message.method && message.id !== undefined) open.set(message.id, message.method)
        out.enqueue(message)
      },
    })
    sent.readable.pipeTo(pipes.writable).catch(() => {})
    const heard = new TransformStream({
      transform: (message, out) => {
        this.faults.push(...this.wrong(message, open))
        if (message.method === hears.session.update) this.told.push(message.params)
        out.enqueue(message)
        this.waiting.forEach((look) => look())
      },
    })
    const app = client({ name: 'test' })
      .onNotification(hears.session.update, () => {})
      .onRequest(hears.session.requestPermission, async ({ params }) => {
        this.asked.push(params)
        return { outcome: await this.decides(params) }
      })
    this.connection = app.connect({ writable: sent.writable, readable: pipes.readable.pipeThrough(heard) })
    this.agent = this.connection.agent
  }

  forget() {
    /** The session updates, in order of arrival. */
    this.told = []
    /** The permission requests; `decides` answers each of them. */
    this.asked = []
    this.decides = () => assert.fail('it was not expected to ask')
  }

  wrong(message, open) {
    if (message.method) return strange(CALLS[message.method], message.params, message.method)
    const method = open.get(message.id)
    open.delete(message.id)
    if (message.error) return strange(schemas.zError, message.error, `${method}, refused`)
    return strange(ANSWERS[method], message.result, `${method}, answered`)
  }

  /** Resolves to the first update that matches, as soon as it has arrived. */
  hears(find) {
    return new Promise((found) => {
      const look = () => {
        const it = this.told.map(({ update }) => update).find(find)
        if (!it) return
        this.waiting.delete(look)
        found(it)
      }
      this.waiting.add(look)
      look()
    })
  }

  updates(kind) {
    return this.told.map(({ update }) => update).filter(({ sessionUpdate }) => sessionUpdate === kind)
  }

  get words() {
    return this.updates('agent_message_chunk').map(({ content }) => content.text).join('')
  }

  session(cwd) {
    return this.agent.request(does.session.new, { cwd, mcpServers: [] })
  }

  prompt(sessionId, text) {
    return this.agent.request(does.session.prompt, { sessionId, prompt: [{ type: 'text', text }] })
  }

  cancel(sessionId) {
    return this.agent.notify(does.session.cancel, { sessionId })
  }

  async close() {
    this.child.stdin.end()
    const [code] = await this.ended
    assert.deepEqual({ code, faults: this.faults }, { code: 0, faults: [] })
  }
}

const HOME = join(PLACE, 'home')
let made = 0
let model
let folder
let editor

before(async () => {
  model = await ScriptedModel.start()
  mkdirSync(HOME)
  writeFileSync(join(HOME, 'config.toml'), `${model.config}[code]\nverify = false\n`)
  editor = await Editor.start(HOME)
})
beforeEach(() => {
  made += 1
  folder = join(PLACE, `project-${made}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'names.py'), GREETING)
  model.script.length = 0
  editor.forget()
})
afterEach(() => assert.deepEqual(editor.faults, []))
after(async () => {
  await editor?.close()
  model?.stop()
  await rm(PLACE, { recursive: true, force: true })
})

const disk = (path) => readFileSync(join(folder, path), 'utf8')
const call = (name, args) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`
const MEND = call('search_replace', { path: 'names.py', old_string: 'Hello ', new_string: 'Hi ' })
const selects = (optionId) => () => ({ outcome: 'selected', optionId })
const refused = async (asked, code, words) => {
  const error = await asked.then(() => assert.fail('it was not refused'), (error) => error)
  assert.equal(error.code, code, error.message)
  assert.match(`${error.message} ${JSON.stringify(error.data)}`, words)
}

test('it says who it is, in the version that both know', async () => {
  assert.equal(editor.hello.protocolVersion, PROTOCOL_VERSION)
  assert.equal(editor.hello.agentInfo.name, 'perigee')
  assert.deepEqual([editor.hello.agentCapabilities.loadSession, editor.hello.agentCapabilities.promptCapabilities.embeddedContext], [true, true])
  const earlier = await editor.agent.request(does.initialize, { protocolVersion: 0 })
  assert.equal(earlier.protocolVersion, PROTOCOL_VERSION)
  const later = await editor.agent.request(does.initialize, { protocolVersion: PROTOCOL_VERSION + 98 })
  assert.equal(later.protocolVersion, PROTOCOL_VERSION)
})

test('an answer comes as it is written, and a change is shown, asked about, and lands after the yes', async () => {
  const half = gate()
  model.says(async (send) => {
    send('Let me see. ')
    await half.opened
    send(MEND)
  }, 'Shorter.')
  const { sessionId } = await editor.session(folder)
  editor.decides = ({ toolCall, options }) => {
    assert.equal(disk('names.py'), GREETING, 'nothing is written before the yes')
    assert.deepEqual(options.map(({ kind }) => kind), ['allow_once', 'allow_always', 'reject_once'])
    const [shown] = editor.updates('tool_call').filter(({ toolCallId }) => toolCallId === toolCall.toolCallId)
    assert.equal(shown.kind, 'edit')
    assert.deepEqual(shown.content, [{ type: 'diff', path: join(folder, 'names.py'), oldText: GREETING, newText: SHORTER }])
    assert.deepEqual(shown.locations, [{ path: join(folder, 'names.py'), line: 1 }])
    return selects('yes')()
  }
  const answer = editor.prompt(sessionId, 'Make the greeting shorter')
  await editor.hears(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
  assert.equal(editor.words, 'Let me see. ')
  half.open()
  assert.deepEqual(await answer, { stopReason: 'end_turn' })
  assert.match(editor.words, /^Let me see\.\s+Shorter\.$/)
  assert.equal(disk('names.py'), SHORTER)
  assert.equal(editor.asked.length, 1)
  assert.ok(editor.told.every((told) => told.sessionId === sessionId))
  // Each call is announced once, followed only by updates, and all of them complete.
  const calls = editor.updates('tool_call').map(({ toolCallId }) => toolCallId)
  const last = Object.fromEntries(editor.updates('tool_call_update').map(({ toolCallId, status }) => [toolCallId, status]))
  assert.deepEqual(last, Object.fromEntries(calls.map((id) => [id, 'completed'])))
  assert.equal(new Set(calls).size, calls.length)
})

test('each file is asked about by itself: a new one, one that goes, and one that is left as it was', async () => {
  writeFileSync(join(folder, 'old.py'), 'OLD = 1\n')
  const content = '# Grüße, 世界\nprint("no newline at the end")'
  const work = () => model.says(MEND + call('create_new_file', { path: 'sub/new.py', content }) + call('delete_file', { path: 'old.py' }), 'Done.')
  const { sessionId } = await editor.session(folder)
  const shown = ({ toolCall }) => editor.updates('tool_call').findLast(({ toolCallId }) => toolCallId === toolCall.toolCallId)
  const differences = []
  editor.decides = (question) => {
    const { title, content: pieces } = shown(question)
    differences.push(...pieces)
    return selects(title.includes('new.py') ? 'yes' : 'no')()
  }
  work()
  assert.equal((await editor.prompt(sessionId, 'Tidy up')).stopReason, 'end_turn')
  const of = (path) => differences.find((piece) => piece.path === join(folder, path))
  assert.deepEqual(of('sub/new.py'), { type: 'diff', path: join(folder, 'sub/new.py'), newText: content })
  assert.deepEqual(of('old.py'), { type: 'diff', path: join(folder, 'old.py'), oldText: 'OLD = 1\n', newText: '' })
  assert.deepEqual([disk('names.py'), disk('old.py'), disk('sub/new.py')], [GREETING, 'OLD = 1\n', content])
  const ends = editor.updates('tool_call_update').filter(({ toolCallId }) => toolCallId.startsWith('change-'))
  assert.deepEqual(ends.map(({ status }) => status).sort(), ['completed', 'failed', 'failed'])

  // One approval covers this change and the rest.
  await rm(join(folder, 'sub'), { recursive: true })
  editor.asked.length = 0
  editor.decides = selects('all')
  work()
  await editor.prompt(sessionId, 'Tidy up')
  assert.equal(editor.asked.length, 1)
  assert.deepEqual([disk('names.py'), existsSync(join(folder, 'old.py')), disk('sub/new.py')], [SHORTER, false, content])
})

test('a tool that needs a yes asks the editor, and a no is told to the model', async () => {
  await editor.close()
  const perigee = await Perigee.start({ home: HOME })
  try {
    await perigee.call('PUT', '/api/permissions', { memory_list: 'confirm' })
    editor = await Editor.start(HOME)
    const { sessionId } = await editor.session(folder)
    for (const [optionId, status] of [['no', 'failed'], ['yes', 'completed']]) {
      editor.told.length = 0
      editor.decides = ({ toolCall }) => {
        assert.equal(editor.updates('tool_call').at(-1).toolCallId, toolCall.toolCallId, 'the editor has heard of it')
        assert.match(toolCall.content[0].content.text, /Lists the memory files/)
        return selects(optionId)()
      }
      model.says(call('memory_list', {}), 'So be it.')
      assert.equal((await editor.prompt(sessionId, 'What do you know of me?')).stopReason, 'end_turn')
      assert.equal(editor.updates('tool_call_update').at(-1).status, status)
      const result = model.requests.findLast(({ messages }) => /said no|no memories yet/.test(JSON.stringify(messages.at(-1))))
      assert.match(JSON.stringify(result?.messages.at(-1)), optionId === 'no' ? /The user said no/ : /no memories yet/)
    }
    assert.equal(editor.asked.length, 2)
    await editor.close()
  } finally {
    await perigee.kill()
    editor = await Editor.start(HOME)
  }
})

test('the modes are offered, and one that only answers changes nothing and asks nothing', async () => {
  const { sessionId, modes } = await editor.session(folder)
  assert.deepEqual([modes.currentModeId, modes.availableModes.map(({ id }) => id)], ['agent', ['agent', 'ask', 'plan', 'repair']])
  await editor.agent.request(does.session.setMode, { sessionId, modeId: 'ask' })
  model.says(MEND, 'It greets.')
  assert.equal((await editor.prompt(sessionId, 'What does it do?')).stopReason, 'end_turn')
  assert.match(editor.words, /It greets\./)
  assert.deepEqual([disk('names.py'), editor.asked], [GREETING, []])
})

test('an answer is stopped in its middle, and the next question is answered', async () => {
  const gone = gate()
  model.says(async (send, response) => {
    send('The beginning of something long')
    await untilClosed(response)
    gone.open()
  })
  const { sessionId } = await editor.session(folder)
  const answer = editor.prompt(sessionId, 'Tell me all')
  await editor.hears(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
  await editor.cancel(sessionId)
  assert.deepEqual(await answer, { stopReason: 'cancelled' })
  await gone.opened
  model.says('Here I am.')
  assert.deepEqual(await editor.prompt(sessionId, 'Are you there?'), { stopReason: 'end_turn' })
  assert.match(editor.words, /Here I am\.$/)
})

test('a stop counts that comes on the heels of the question, or while another question waits', async () => {
  const { sessionId } = await editor.session(folder)
  const endless = async (send, response) => {
    send('The beginning of something long')
    await untilClosed(response)
  }
  for (let round = 0; round < 5; round += 1) {
    model.script.length = 0
    model.says(endless)
    const answer = editor.prompt(sessionId, 'Tell me all')
    await editor.cancel(sessionId)
    assert.deepEqual(await answer, { stopReason: 'cancelled' })
  }
  model.script.length = 0
  model.says(endless, endless)
  editor.forget()
  const first = editor.prompt(sessionId, 'Tell me all')
  await editor.hears(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
  const second = editor.prompt(sessionId, 'And more')
  await editor.cancel(sessionId)
  assert.deepEqual(await Promise.all([first, second]), [{ stopReason: 'cancelled' }, { stopReason: 'cancelled' }])
})

test('whoever stops while they are asked has said yes to nothing', async () => {
  const [asked, answered] = [gate(), gate()]
  model.says(MEND, 'Shorter.')
  const { sessionId } = await editor.session(folder)
  editor.decides = async () => {
    asked.open()
    await answered.opened
    return { outcome: 'cancelled' }
  }
  const answer = editor.prompt(sessionId, 'Make the greeting shorter')
  await asked.opened
  await editor.cancel(sessionId)
  answered.open()
  assert.deepEqual(await answer, { stopReason: 'cancelled' })
  assert.equal(disk('names.py'), GREETING)
})

test('another editor goes on with a session: what was said is told again first', async () => {
  const { sessionId } = await editor.session(folder)
  model.says('It greets somebody.')
  await editor.prompt(sessionId, 'What does it do?')
  await editor.close()
  editor = await Editor.start(HOME)
  const server = { name: 'elsewhere', command: '/nowhere/server', args: [], env: [] }
  const loaded = await editor.agent.request(does.session.load, { sessionId, cwd: folder, mcpServers: [server] })
  assert.equal(loaded.modes.currentModeId, 'agent')
  assert.deepEqual(
    editor.told.map(({ update }) => [update.sessionUpdate, update.content.text]),
    [['user_message_chunk', 'What does it do?'], ['agent_message_chunk', 'It greets somebody.']],
  )
  model.says('By name.')
  await editor.prompt(sessionId, 'How?')
  const said = JSON.stringify(model.requests.at(-1).messages)
  assert.ok(said.includes('It greets somebody.') && said.includes('How?'), said)
})

test('a file that the prompt names is read where it is, and what lies outside only where the editor brings it', async () => {
  const outside = join(PLACE, 'secret.txt')
  writeFileSync(outside, 'the words of the secret')
  const { sessionId } = await editor.session(folder)
  model.says('I see.')
  const prompt = [
    { type: 'text', text: 'Compare ' },
    { type: 'resource_link', name: 'names.py', uri: `file://${join(folder, 'names.py')}` },
    { type: 'text', text: ' with ' },
    { type: 'resource_link', name: 'secret', uri: `file://${outside}` },
    { type: 'resource', resource: { uri: 'file:///elsewhere/brought.py', mimeType: 'text/x-python', text: 'BROUGHT = 1' } },
  ]
  assert.equal((await editor.agent.request(does.session.prompt, { sessionId, prompt })).stopReason, 'end_turn')
  const said = JSON.stringify(model.requests.at(-1).messages)
  assert.ok(said.includes("'Hello ' + name") && said.includes('BROUGHT = 1') && said.includes('Compare @names.py'), said)
  assert.ok(!said.includes('the words of the secret'), said)
})

test('what cannot be done is refused in words, and the next thing works', async () => {
  const { sessionId } = await editor.session(folder)
  const prompt = [{ type: 'text', text: 'Hello' }]
  const gone = join(folder, 'gone')
  await refused(editor.session(gone), -32602, new RegExp(`${gone} cannot be a workspace: it does not exist`))
  await refused(editor.session('/'), -32602, /cannot be a workspace/)
  await refused(editor.session('e2e'), -32602, /cannot be a workspace: give its absolute path/)
  for (const unknown of ['nonsense', sessionId.replace(/.$/, (sign) => (sign === '0' ? '1' : '0'))]) {
    await refused(editor.prompt(unknown, 'Hello'), -32602, /there is no such session/)
    await refused(editor.agent.request(does.session.setMode, { sessionId: unknown, modeId: 'ask' }), -32602, /there is no such session/)
    await refused(editor.agent.request(does.session.load, { sessionId: unknown, cwd: folder, mcpServers: [] }), -32602, /there is no such (session|conversation)/)
  }
  await refused(editor.agent.request(does.session.setMode, { sessionId, modeId: 'fast' }), -32602, /there is no such mode/)
  await refused(editor.agent.request(does.session.prompt, { sessionId, prompt: [] }), -32602, /the message is empty/)
  await refused(editor.agent.request(does.session.prompt, { prompt }), -32602, /sessionId/)
  await refused(editor.agent.request('session/nonsense', {}), -32601, /not found/)
  model.says({ status: 400, body: '{"error":{"message":"no such model"}}' })
  await refused(editor.prompt(sessionId, 'Hello'), -32603, /no such model\. Your message is kept/)
  model.says('Hello.')
  assert.equal((await editor.prompt(sessionId, 'Again')).stopReason, 'end_turn')
  assert.equal(editor.words, 'Hello.')
})
