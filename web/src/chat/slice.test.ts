import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ChatSummary, ChatView, Event, Message } from '@/api/protocol.gen'
import { NEW } from '@/composer/drafts'
import { useStore } from '@/store'

/** Each test has a conversation of its own, since turns outlive what watches them. */
let CHAT = ''
let count = 0
const initial = useStore.getState()

const summary = (): ChatSummary => ({
  id: CHAT, title: '', createdAt: '2026-11-14T20:00:00Z', updatedAt: '2026-11-14T20:00:00Z', pinned: false, folder: null, tags: [], messageCount: 0, preview: '',
})

function message(id: string, role: Message['role'], content: string, more: Partial<Message> = {}): Message {
  return {
    id, role, content, parent: null, reasoning: null, createdAt: '2026-11-14T20:00:00Z', status: 'complete', stopReason: null, error: null, errorCode: null,
    model: null, turnId: null, usage: null, attachments: [], siblings: [id], ...more,
  }
}

function view(messages: Message[], more: Partial<ChatView> = {}): ChatView {
  return { chat: summary(), messages, before: null, live: null, summary: null, ...more }
}

/** A turn whose events are let out one call at a time. */
function turn(name: string) {
  let controller: ReadableStreamDefaultController<Uint8Array>
  let seq = 0
  const body = new ReadableStream<Uint8Array>({ start: (made) => void (controller = made) })
  const emit = (event: Event) => {
    seq += 1
    controller.enqueue(new TextEncoder().encode(`id: ${name}:${seq}\ndata: ${JSON.stringify(event)}\n\n`))
  }
  return {
    response: () => new Response(body),
    begin: (question = 'u2') =>
      emit({ type: 'metadata', conversationId: CHAT, model: 'm', turnId: name, userMessageId: question, messageId: `answer of ${name}` }),
    say: (content: string) => emit({ type: 'token', content }),
    end: () => emit({ type: 'done', conversationId: CHAT, messageId: `answer of ${name}`, stopReason: 'end' }),
  }
}

type Handler = (body: Record<string, unknown>) => Response
let doors: Record<string, Handler> = {}
const asked: { door: string; body: Record<string, unknown> }[] = []

const json = (value: unknown, status = 200) => new Response(JSON.stringify(value), { status })
const state = () => useStore.getState()
const contents = () => state().conversations[CHAT]?.messages.map(({ content }) => content)

beforeEach(() => {
  localStorage.clear()
  count += 1
  CHAT = String(count).padStart(13, '0')
  asked.length = 0
  doors = {}
  useStore.setState({ ...initial, route: { page: 'chat', id: CHAT } }, true)
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const door = `${init.method} ${path}`
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {}
    asked.push({ door, body })
    const handler = doors[door]
    return handler ? handler(body) : json({ code: 'notFound', message: `no door ${door}` }, 404)
  })
})

afterEach(() => vi.unstubAllGlobals())

async function openWith(messages: Message[]): Promise<void> {
  doors['POST /api/chats/load'] = () => json(view(messages))
  await state().openChat(CHAT)
}

describe('a conversation', () => {
  test('begins with the first message, and not before', async () => {
    const answer = turn('t1')
    useStore.setState({ route: { page: 'new' } })
    doors['POST /api/chats/new'] = () => json(summary())
    doors['POST /api/chat/stream'] = answer.response
    void state().send(NEW, { text: 'Hi', files: [] })
    expect(state().outgoing[NEW]?.text).toBe('Hi')
    await vi.waitFor(() => expect(state().route).toEqual({ page: 'chat', id: CHAT }))
    answer.begin()
    answer.say('Hello.')
    await vi.waitFor(() => expect(contents()).toEqual(['Hi', 'Hello.']))
    expect(state().outgoing).toEqual({})
    expect(asked[1]?.body).toMatchObject({ message: 'Hi', conversationId: CHAT })
  })

  test('that cannot be made keeps the message', async () => {
    useStore.setState({ route: { page: 'new' } })
    doors['POST /api/chats/new'] = () => json({ code: 'internal', message: 'the disk is full' }, 500)
    await state().send(NEW, { text: 'Hi', files: [] })
    expect(state().outgoing[NEW]).toMatchObject({ text: 'Hi', trouble: { message: 'The disk is full.' } })
  })
})

describe('a message', () => {
  test('that is refused is kept with the reason, and sent again as the same message', async () => {
    await openWith([])
    doors['POST /api/chat/stream'] = () => json({ code: 'noModel', message: 'no model is set up' }, 409)
    await state().send(CHAT, { text: 'Hi', files: [] })
    expect(state().outgoing[CHAT]).toMatchObject({ text: 'Hi', trouble: { code: 'noModel' } })
    expect(state().live[CHAT]).toBeUndefined()

    const answer = turn('t1')
    doors['POST /api/chat/stream'] = answer.response
    void state().resend(CHAT)
    answer.begin()
    await vi.waitFor(() => expect(contents()).toEqual(['Hi', '']))
    const ids = asked.filter(({ door }) => door.endsWith('/stream')).map(({ body }) => body['clientMessageId'])
    expect(new Set(ids).size).toBe(1)
  })

  test('that was not sent can go back to the composer', async () => {
    await openWith([])
    doors['POST /api/chat/stream'] = () => json({ code: 'internal', message: 'no' }, 500)
    await state().send(CHAT, { text: 'Hi', files: [] })
    state().discard(CHAT)
    expect(state().drafts[CHAT]?.text).toBe('Hi')
    expect(state().outgoing[CHAT]).toBeUndefined()
  })

  test('written during an answer waits for its end', async () => {
    await openWith([])
    const [first, second] = [turn('t1'), turn('t2')]
    const answers = [first, second]
    doors['POST /api/chat/stream'] = () => (answers.shift() ?? first).response()
    void state().send(CHAT, { text: 'One', files: [] })
    first.begin('u1')
    first.say('1')
    await vi.waitFor(() => expect(contents()).toEqual(['One', '1']))
    await state().send(CHAT, { text: 'Two', files: [] })
    expect(state().queues[CHAT]?.map(({ text }) => text)).toEqual(['Two'])
    first.end()
    second.begin('u2')
    second.say('2')
    await vi.waitFor(() => expect(contents()).toEqual(['One', '1', 'Two', '2']))
    expect(state().queues[CHAT]).toEqual([])
  })

  test('does not leave the queue after a stop', async () => {
    await openWith([])
    const answer = turn('t1')
    doors['POST /api/chat/stream'] = answer.response
    doors['POST /api/chat/stop'] = () => json({ stopped: true })
    void state().send(CHAT, { text: 'One', files: [] })
    answer.begin()
    await vi.waitFor(() => expect(state().live[CHAT]?.turnId).toBe('t1'))
    await state().send(CHAT, { text: 'Two', files: [] })
    await state().stop(CHAT)
    answer.end()
    await vi.waitFor(() => expect(state().live[CHAT]).toBeUndefined())
    expect(state().queues[CHAT]).toHaveLength(1)
  })

  test('stopped before its turn has begun is stopped when it begins', async () => {
    await openWith([])
    const answer = turn('t1')
    doors['POST /api/chat/stream'] = answer.response
    doors['POST /api/chat/stop'] = () => json({ stopped: true })
    void state().send(CHAT, { text: 'One', files: [] })
    await state().stop(CHAT)
    expect(asked.some(({ door }) => door.endsWith('/stop'))).toBe(false)
    answer.begin()
    await vi.waitFor(() => expect(asked.at(-1)).toEqual({ door: 'POST /api/chat/stop', body: { turnId: 't1' } }))
  })
})

describe('another version', () => {
  const history = [message('u1', 'user', 'Hi'), message('a1', 'assistant', 'Hello.', { parent: 'u1' })]

  test('of an answer takes its place at once, and gives it back where it cannot begin', async () => {
    await openWith(history)
    let refuse: (answer: Response) => void = () => {}
    doors[`POST /api/chats/${CHAT}/regenerate`] = () => new Promise((resolve) => void (refuse = resolve)) as unknown as Response
    const running = state().regenerate(CHAT, 'a1')
    expect(contents()).toEqual(['Hi'])
    await vi.waitFor(() => expect(asked.at(-1)?.door).toContain('regenerate'))
    refuse(json({ code: 'noModel', message: 'no model' }, 409))
    await running
    expect(contents()).toEqual(['Hi', 'Hello.'])
    expect(state().notices.at(-1)?.text).toBe('No model.')
  })

  test('of a message is sent as an edit, and stands beside it', async () => {
    await openWith(history)
    const answer = turn('t1')
    doors['POST /api/chat/stream'] = answer.response
    void state().send(CHAT, { text: 'Good evening', files: [], editOf: 'u1' })
    answer.begin()
    await vi.waitFor(() => expect(contents()).toEqual(['Good evening', '']))
    expect(asked.at(-1)?.body).toMatchObject({ editOf: 'u1' })
    expect(state().conversations[CHAT]?.messages[0]?.siblings).toEqual(['u1', 'u2'])
  })
})

describe('a page that is opened', () => {
  test('resumes the turn that runs', async () => {
    const answer = turn('t1')
    const partial = message('answer of t1', 'assistant', 'One t', { parent: 'u2', status: 'streaming', turnId: 't1' })
    doors['POST /api/chats/load'] = () =>
      json(view([message('u2', 'user', 'Hi'), partial], { live: { turnId: 't1', conversationId: CHAT, messageId: partial.id, status: 'running' } }))
    doors['GET /api/chat/turns/t1'] = answer.response
    await state().openChat(CHAT)
    expect(contents()).toEqual(['Hi', 'One t'])
    answer.begin()
    answer.say('One two.')
    answer.end()
    await vi.waitFor(() => expect(state().conversations[CHAT]?.messages.at(-1)).toMatchObject({ content: 'One two.', status: 'complete' }))
    expect(state().live[CHAT]).toBeUndefined()
  })

  test('puts earlier pages before what is here', async () => {
    const latest = message('u2', 'user', 'two')
    doors['POST /api/chats/load'] = () => json(view([latest], { before: 'u2' }))
    doors[`GET /api/chats/${CHAT}?before=u2`] = () => json(view([message('u1', 'user', 'one')]))
    await state().openChat(CHAT)
    await Promise.all([state().loadEarlier(CHAT), state().loadEarlier(CHAT)])
    expect(contents()).toEqual(['one', 'two'])
    expect(asked.filter(({ door }) => door.includes('before'))).toHaveLength(1)
  })

  test('of a conversation that is gone says so', async () => {
    doors['POST /api/chats/load'] = () => json({ code: 'notFound', message: 'there is no such conversation' }, 404)
    await state().openChat(CHAT)
    expect(state().conversations[CHAT]).toMatchObject({ state: 'failed', trouble: 'There is no such conversation.' })
  })
})
