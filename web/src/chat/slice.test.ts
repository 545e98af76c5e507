import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { retryNow } from '@/api/retry'
import type { Message } from '@/api/protocol.gen'
import { NEW, readDrafts } from '@/composer/drafts'
import type { DraftFile } from '@/composer/files'
import { useStore } from '@/store'
import { requests, routes, json, message, refusal, serve, summary, turn as turnIn, view as viewOf } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'

/** The conversation of the current test. Each test has its own, since turns outlive their followers. */
let CHAT = ''
let count = 0

const view = (messages: Message[], more: Parameters<typeof viewOf>[2] = {}) => viewOf(CHAT, messages, more)
const turn = (name: string) => turnIn(name, CHAT)
const state = () => useStore.getState()
const contents = () => state().conversations[CHAT]?.messages.map(({ content }) => content)

beforeEach(() => {
  localStorage.clear()
  count += 1
  CHAT = String(count).padStart(13, '0')
  serve()
  freshStores({ route: { page: 'chat', id: CHAT } })
})

afterEach(() => vi.unstubAllGlobals())

async function openWith(messages: Message[]): Promise<void> {
  routes['POST /api/chats/load'] = () => json(view(messages))
  await state().openChat(CHAT)
}

describe('a conversation', () => {
  test('begins with the first message, and not before', async () => {
    const answer = turn('t1')
    useStore.setState({ route: { page: 'new' } })
    routes['POST /api/chats/new'] = () => json(summary(CHAT))
    routes['POST /api/chat/stream'] = answer.response
    void state().send(NEW, { text: 'Hi', files: [] })
    expect(state().outgoing[NEW]?.text).toBe('Hi')
    await vi.waitFor(() => expect(state().route).toEqual({ page: 'chat', id: CHAT }))
    answer.begin()
    answer.say('Hello.')
    await vi.waitFor(() => expect(contents()).toEqual(['Hi', 'Hello.']))
    expect(state().outgoing).toEqual({})
    expect(requests[1]?.body).toMatchObject({ message: 'Hi', conversationId: CHAT })
  })

  test('takes along what is typed and queued while it is being made', async () => {
    const answer = turn('t1')
    useStore.setState({ route: { page: 'new' } })
    routes['POST /api/chats/new'] = () => json(summary(CHAT))
    routes['POST /api/chat/stream'] = answer.response
    void state().send(NEW, { text: 'Hi', files: [] })
    void state().send(NEW, { text: 'One more thing', files: [] })
    state().setText(NEW, 'and then')
    await vi.waitFor(() => expect(state().route).toEqual({ page: 'chat', id: CHAT }))
    expect(state().drafts).toMatchObject({ [CHAT]: { text: 'and then' } })
    expect(state().queues).toMatchObject({ [CHAT]: [{ text: 'One more thing' }] })
    expect(readDrafts()).toEqual({ [CHAT]: 'One more thing\n\nand then' })
  })

  test('that cannot be made keeps the message', async () => {
    useStore.setState({ route: { page: 'new' } })
    routes['POST /api/chats/new'] = () => json({ code: 'internal', message: 'the disk is full' }, 500)
    await state().send(NEW, { text: 'Hi', files: [] })
    expect(state().outgoing[NEW]).toMatchObject({ text: 'Hi', trouble: { message: 'The disk is full.' } })
  })
})

describe('a message', () => {
  test('that is refused is kept with the reason, and sent again as the same message', async () => {
    await openWith([])
    routes['POST /api/chat/stream'] = () => json({ code: 'noModel', message: 'no model is set up' }, 409)
    await state().send(CHAT, { text: 'Hi', files: [] })
    expect(state().outgoing[CHAT]).toMatchObject({ text: 'Hi', trouble: { code: 'noModel' } })
    expect(state().live[CHAT]).toBeUndefined()

    const answer = turn('t1')
    routes['POST /api/chat/stream'] = answer.response
    void state().resend(CHAT)
    answer.begin()
    await vi.waitFor(() => expect(contents()).toEqual(['Hi', '']))
    const ids = requests.filter(({ route }) => route.endsWith('/stream')).map(({ body }) => body['clientMessageId'])
    expect(new Set(ids).size).toBe(1)
  })

  test('that was not sent can go back to the composer', async () => {
    await openWith([])
    routes['POST /api/chat/stream'] = () => json({ code: 'internal', message: 'no' }, 500)
    await state().send(CHAT, { text: 'Hi', files: [] })
    state().discard(CHAT)
    expect(state().drafts[CHAT]?.text).toBe('Hi')
    expect(state().outgoing[CHAT]).toBeUndefined()
  })

  test('written during an answer waits for its end', async () => {
    await openWith([])
    const [first, second] = [turn('t1'), turn('t2')]
    const answers = [first, second]
    routes['POST /api/chat/stream'] = () => (answers.shift() ?? first).response()
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
    routes['POST /api/chat/stream'] = answer.response
    routes['POST /api/chat/stop'] = () => json({ stopped: true })
    void state().send(CHAT, { text: 'One', files: [] })
    answer.begin()
    await vi.waitFor(() => expect(state().live[CHAT]?.turnId).toBe('t1'))
    await state().send(CHAT, { text: 'Two', files: [] })
    await state().stop(CHAT)
    answer.end()
    await vi.waitFor(() => expect(state().live[CHAT]).toBeUndefined())
    expect(state().queues[CHAT]).toHaveLength(1)
  })

  test.each(['stopped', 'cut'] as const)('does not leave the queue after an answer that was %s elsewhere', async (reason) => {
    await openWith([])
    const answer = turn('t1')
    routes['POST /api/chat/stream'] = answer.response
    void state().send(CHAT, { text: 'One', files: [] })
    answer.begin()
    await vi.waitFor(() => expect(state().live[CHAT]?.turnId).toBe('t1'))
    await state().send(CHAT, { text: 'Two', files: [] })
    answer.end(reason)
    await vi.waitFor(() => expect(state().live[CHAT]).toBeUndefined())
    expect(state().queues[CHAT]?.map(({ text }) => text)).toEqual(['Two'])
    expect(requests.filter(({ route }) => route.endsWith('/stream'))).toHaveLength(1)
  })

  test('stopped before its turn has begun is stopped when it begins', async () => {
    await openWith([])
    const answer = turn('t1')
    routes['POST /api/chat/stream'] = answer.response
    routes['POST /api/chat/stop'] = () => json({ stopped: true })
    void state().send(CHAT, { text: 'One', files: [] })
    await state().stop(CHAT)
    expect(requests.some(({ route }) => route.endsWith('/stop'))).toBe(false)
    answer.begin()
    await vi.waitFor(() => expect(requests.at(-1)).toEqual({ route: 'POST /api/chat/stop', body: { turnId: 't1' } }))
  })
})

describe('files', () => {
  const note: DraftFile = { id: 'f1', name: 'a.txt', mime: 'text/plain', bytes: 2, kind: 'text', data: btoa('hi'), preview: null }
  const stored = { id: '00000000000f1', name: 'a.txt', mime: 'text/plain', bytes: 2 }

  test('of a message are held until the server is known to have them', async () => {
    await openWith([])
    const answer = turn('t1')
    routes['POST /api/chat/stream'] = answer.response
    routes[`GET /api/chats/${CHAT}`] = () =>
      json(view([message('u2', 'user', 'Look', { attachments: [stored] }), message('answer of t1', 'assistant', 'I see.')]))
    void state().send(CHAT, { text: 'Look', files: [note] })
    answer.begin()
    await vi.waitFor(() => expect(state().sentFiles).toEqual({ u2: [note] }))
    answer.end()
    await vi.waitFor(() => expect(state().sentFiles).toEqual({}))
    expect(state().conversations[CHAT]?.messages[0]?.attachments).toEqual([stored])
  })

  test('stay where the server cannot say that it has them', async () => {
    await openWith([])
    const answer = turn('t1')
    routes['POST /api/chat/stream'] = answer.response
    routes[`GET /api/chats/${CHAT}`] = () => refusal(500, 'internal', 'the disk is full')
    void state().send(CHAT, { text: 'Look', files: [note] })
    answer.begin()
    answer.end()
    await vi.waitFor(() => expect(requests.at(-1)?.route).toBe(`GET /api/chats/${CHAT}`))
    expect(state().sentFiles).toEqual({ u2: [note] })
  })
})

describe('another version', () => {
  const history = [message('u1', 'user', 'Hi'), message('a1', 'assistant', 'Hello.', { parent: 'u1' })]

  test('of an answer takes its place at once, and gives it back where it cannot begin', async () => {
    await openWith(history)
    let refuse: (answer: Response) => void = () => {}
    routes[`POST /api/chats/${CHAT}/regenerate`] = () => new Promise((resolve) => void (refuse = resolve))
    const running = state().regenerate(CHAT, 'a1')
    expect(contents()).toEqual(['Hi'])
    await vi.waitFor(() => expect(requests.at(-1)?.route).toContain('regenerate'))
    refuse(json({ code: 'noModel', message: 'no model' }, 409))
    await running
    expect(contents()).toEqual(['Hi', 'Hello.'])
    expect(state().notices.at(-1)?.text).toBe('No model.')
  })

  test('of a message is sent as an edit, and stands beside it', async () => {
    await openWith(history)
    const answer = turn('t1')
    routes['POST /api/chat/stream'] = answer.response
    void state().send(CHAT, { text: 'Good evening', files: [], editOf: 'u1' })
    answer.begin()
    await vi.waitFor(() => expect(contents()).toEqual(['Good evening', '']))
    expect(requests.at(-1)?.body).toMatchObject({ editOf: 'u1' })
    expect(state().conversations[CHAT]?.messages[0]?.siblings).toEqual(['u1', 'u2'])
  })
})

describe('a page that is opened', () => {
  test('resumes the turn that runs', async () => {
    const answer = turn('t1')
    const partial = message('answer of t1', 'assistant', 'One t', { parent: 'u2', status: 'streaming', turnId: 't1' })
    routes['POST /api/chats/load'] = () =>
      json(view([message('u2', 'user', 'Hi'), partial], { live: { turnId: 't1', conversationId: CHAT, messageId: partial.id, status: 'running' } }))
    routes['GET /api/chat/turns/t1'] = answer.response
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
    routes['POST /api/chats/load'] = () => json(view([latest], { before: 'u2' }))
    routes[`GET /api/chats/${CHAT}?before=u2`] = () => json(view([message('u1', 'user', 'one')]))
    await state().openChat(CHAT)
    await Promise.all([state().loadEarlier(CHAT), state().loadEarlier(CHAT)])
    expect(contents()).toEqual(['one', 'two'])
    expect(requests.filter(({ route }) => route.includes('before'))).toHaveLength(1)
  })

  test('is loaded anew when the server no longer knows the turn it followed', async () => {
    await openWith([])
    const answer = turn('t1')
    routes['POST /api/chat/stream'] = answer.response
    routes['GET /api/chat/turns/t1'] = () => refusal(404, 'notFound', 'there is no such turn')
    routes[`GET /api/chats/${CHAT}`] = () =>
      json(view([message('u2', 'user', 'Hi'), message('answer of t1', 'assistant', 'One two.', { status: 'partial', stopReason: 'cut' })]))
    void state().send(CHAT, { text: 'Hi', files: [] })
    answer.begin()
    answer.say('One t')
    await vi.waitFor(() => expect(contents()).toEqual(['Hi', 'One t']))
    answer.break()
    await vi.waitFor(() => expect(state().live[CHAT]?.lineLost).toBe(true))
    retryNow()
    await vi.waitFor(() => expect(contents()).toEqual(['Hi', 'One two.']))
    expect(state().live[CHAT]).toBeUndefined()
  })

  test('does not lose a turn that begins while it is loaded anew', async () => {
    await openWith([message('u1', 'user', 'Hi'), message('a1', 'assistant', 'Hello.', { parent: 'u1' })])
    let arrive: (answer: Response) => void = () => {}
    routes[`GET /api/chats/${CHAT}`] = () => new Promise((resolve) => void (arrive = resolve))
    const loading = state().refreshChat(CHAT)
    await vi.waitFor(() => expect(requests.at(-1)?.route).toBe(`GET /api/chats/${CHAT}`))
    const answer = turn('t1')
    routes['POST /api/chat/stream'] = answer.response
    void state().send(CHAT, { text: 'And you?', files: [] })
    answer.begin()
    answer.say('Fine.')
    await vi.waitFor(() => expect(contents()?.at(-1)).toBe('Fine.'))
    arrive(json(view([message('u1', 'user', 'Hi'), message('a1', 'assistant', 'Hello.', { parent: 'u1' })])))
    await loading
    expect(contents()).toEqual(['Hi', 'Hello.', 'And you?', 'Fine.'])
  })

  test('does not lose a turn that came and went while it was loaded anew', async () => {
    const before = [message('u1', 'user', 'Hi'), message('a1', 'assistant', 'Hello.', { parent: 'u1' })]
    await openWith(before)
    const arrive: ((answer: Response) => void)[] = []
    routes['POST /api/chats/load'] = () => new Promise((resolve) => void arrive.push(resolve))
    const loading = state().openChat(CHAT)
    await vi.waitFor(() => expect(arrive).toHaveLength(1))
    const answer = turn('t1')
    routes['POST /api/chat/stream'] = answer.response
    const sending = state().send(CHAT, { text: 'And you?', files: [] })
    answer.begin()
    answer.say('Fine.')
    answer.end()
    await sending
    arrive[0]?.(json(view(before)))
    await vi.waitFor(() => expect(arrive).toHaveLength(2))
    expect(contents()).toEqual(['Hi', 'Hello.', 'And you?', 'Fine.'])
    arrive[1]?.(json(view([...before, message('u2', 'user', 'And you?', { parent: 'a1' }), message('answer of t1', 'assistant', 'Fine.', { parent: 'u2' })])))
    await loading
    expect(contents()).toEqual(['Hi', 'Hello.', 'And you?', 'Fine.'])
  })

  test('says that a conversation is gone, even if it knows it from before', async () => {
    await openWith([message('u1', 'user', 'Hi')])
    routes['POST /api/chats/load'] = () => refusal(404, 'notFound', 'there is no such conversation')
    await state().openChat(CHAT)
    expect(state().conversations[CHAT]).toMatchObject({ state: 'failed', gone: true, messages: [], trouble: 'There is no such conversation.' })
  })

  test('keeps a message to a conversation that is gone as a draft', async () => {
    await openWith([message('u1', 'user', 'Hi')])
    routes['POST /api/chat/stream'] = () => refusal(404, 'notFound', 'there is no such conversation')
    await state().send(CHAT, { text: 'Still there?', files: [] })
    await vi.waitFor(() => expect(state().conversations[CHAT]?.gone).toBe(true))
    expect(state().outgoing[CHAT]).toBeUndefined()
    expect(state().drafts[CHAT]?.text).toBe('Still there?')
  })

  test('keeps what it has where the server merely fails', async () => {
    await openWith([message('u1', 'user', 'Hi')])
    routes['POST /api/chats/load'] = () => refusal(500, 'internal', 'the disk is full')
    await state().openChat(CHAT)
    expect(contents()).toEqual(['Hi'])
  })

  test('of a conversation that is gone says so', async () => {
    routes['POST /api/chats/load'] = () => refusal(404, 'notFound', 'there is no such conversation')
    await state().openChat(CHAT)
    expect(state().conversations[CHAT]).toMatchObject({ state: 'failed', trouble: 'There is no such conversation.' })
  })
})
