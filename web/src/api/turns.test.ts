import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiFailure } from './http'
import { retryNow } from './retry'
import type { Event } from './protocol.gen'
import { followTurn, type TurnStart } from './turns'

const TURN = '0000000000trn'
const SEND: TurnStart = { kind: 'send', request: { message: 'Hi', conversationId: '00000000000ab', clientMessageId: 'once' } }

const EVENTS: Event[] = [
  { type: 'metadata', conversationId: '00000000000ab', model: 'm', turnId: TURN, userMessageId: '00000000000m1', messageId: '00000000000m2' },
  { type: 'token', content: 'One ' },
  { type: 'token', content: 'two.' },
  { type: 'done', conversationId: '00000000000ab', messageId: '00000000000m2', stopReason: 'end' },
]

/** A response with the events numbered `from` to `to`, after which the connection ends or breaks. */
function stream(from: number, to: number, how: 'ends' | 'breaks' = 'ends'): Response {
  const text = EVENTS.slice(from - 1, to)
    .map((event, index) => `id: ${TURN}:${from + index}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text))
      if (how === 'ends') controller.close()
    },
    pull(controller) {
      controller.error(new TypeError('network error'))
    },
  })
  return new Response(body, { status: 200 })
}

function refusal(status: number, code: string): Response {
  return new Response(JSON.stringify({ code, message: 'no model is set up' }), { status })
}

const calls: { method: string; path: string; last: string | null }[] = []

function serve(...answers: (Response | 'offline')[]): void {
  calls.length = 0
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    calls.push({ method: init.method ?? 'GET', path, last: new Headers(init.headers).get('last-event-id') })
    const answer = answers.shift() ?? 'offline'
    return answer === 'offline' ? Promise.reject(new TypeError('failed to fetch')) : Promise.resolve(answer)
  })
}

async function follow(start: TurnStart = SEND, signal = new AbortController().signal) {
  const events: Event[] = []
  const lines: string[] = []
  const impatient = setInterval(retryNow, 1)
  try {
    const end = await followTurn(start, { event: (event) => events.push(event), line: (state) => lines.push(state) }, signal)
    return { events, lines, end }
  } finally {
    clearInterval(impatient)
  }
}

beforeEach(() => vi.useRealTimers())
afterEach(() => vi.unstubAllGlobals())

describe('a turn', () => {
  test('is followed to its last event', async () => {
    serve(stream(1, 4))
    expect(await follow()).toEqual({ events: EVENTS, lines: [], end: 'ended' })
    expect(calls).toEqual([{ method: 'POST', path: '/api/chat/stream', last: null }])
  })

  test.each(['ends', 'breaks'] as const)('is resumed after the last event seen when the connection %s', async (how) => {
    serve(stream(1, 2, how), stream(3, 4))
    expect(await follow()).toEqual({ events: EVENTS, lines: ['lost', 'open'], end: 'ended' })
    expect(calls[1]).toEqual({ method: 'GET', path: `/api/chat/turns/${TURN}`, last: `${TURN}:2` })
  })

  test('shows no event twice, even if the server repeats some', async () => {
    serve(stream(1, 3), stream(1, 4))
    expect((await follow()).events).toEqual(EVENTS)
  })

  test.each<Event>([
    { type: 'done', conversationId: '00000000000ab', messageId: '00000000000m2', stopReason: 'cut' },
    { type: 'error', message: 'the model went away', code: 'modelUnreachable' },
  ])('that was cut by a crash ends with $type, though less was stored than was seen', async (last) => {
    const stored = new Response(`id: ${TURN}:2\ndata: ${JSON.stringify(last)}\n\n`)
    serve(stream(1, 3, 'breaks'), stored)
    expect(await follow()).toEqual({ events: [...EVENTS.slice(0, 3), last], lines: ['lost', 'open'], end: 'ended' })
    expect(calls).toHaveLength(2)
  })

  test('is resumed through many failures', async () => {
    serve(stream(1, 1), 'offline', 'offline', refusal(503, 'shuttingDown'), stream(2, 4))
    expect((await follow()).events).toEqual(EVENTS)
  })

  test('that the server no longer knows is told as such', async () => {
    serve(stream(1, 2), refusal(404, 'notFound'))
    expect((await follow()).end).toBe('unknown')
  })

  test('whose message does not get through is sent again, as the same message, and then given back', async () => {
    serve('offline', stream(1, 4))
    expect((await follow()).end).toBe('ended')
    serve('offline', 'offline', 'offline')
    await expect(follow()).rejects.toMatchObject({ code: 'offline' })
    expect(calls).toHaveLength(3)
  })

  test('that is refused says why', async () => {
    serve(refusal(409, 'noModel'))
    await expect(follow()).rejects.toEqual(new ApiFailure('noModel', 'No model is set up.', 409))
  })

  test('for another answer is not begun twice', async () => {
    serve('offline', stream(1, 4))
    await expect(follow({ kind: 'regenerate', chat: '00000000000ab', message: '00000000000m2' })).rejects.toBeInstanceOf(ApiFailure)
    expect(calls).toHaveLength(1)
  })

  test('for another answer is not begun twice when the connection ends before it has begun', async () => {
    serve(new Response(''), stream(1, 4))
    await expect(follow({ kind: 'regenerate', chat: '00000000000ab', message: '00000000000m2' })).rejects.toMatchObject({ code: 'offline' })
    expect(calls).toHaveLength(1)
  })

  test('that ends again and again before it has begun is given up, even if it says something', async () => {
    const progress: Event = { type: 'progress', stage: 'loading', done: 1, total: 2 }
    const early = () => new Response(`data: ${JSON.stringify(progress)}\n\n`)
    serve(early(), early(), early(), early(), early())
    await expect(follow()).rejects.toMatchObject({ code: 'offline' })
    expect(calls).toHaveLength(3)
  })

  test('is let go at once when nobody watches any more', async () => {
    const abort = new AbortController()
    serve('offline')
    const watching = followTurn({ kind: 'resume', turn: TURN }, { event: () => {}, line: () => abort.abort() }, abort.signal)
    await expect(watching).rejects.toBeDefined()
    expect(calls).toHaveLength(1)
  })
})
