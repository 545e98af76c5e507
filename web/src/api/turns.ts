import { ApiFailure, OFFLINE_TEXT, open, request } from './http'
import { retryDelay, waitToRetry } from './retry'
import type {
  ChatRequest,
  CodeRequest,
  CodeRunRequest,
  ConversationId,
  Event,
  MessageId,
  RunToolRequest,
  StopReply,
  TurnId,
  VerifyRequest,
  Why,
} from './protocol.gen'
import { frames } from './sse'

/** The silence after which a stream counts as stalled. The server sends heartbeats far more often. */
const SILENCE_MS = 45_000
/**
 * The number of attempts to send a message that does not reach the server. After that the message is kept.
 */
const SEND_ATTEMPTS = 3

const NEVER_BEGAN = 'The answer never started. Perigee may be restarting: try again in a moment.'

export type TurnStart =
  | { kind: 'send'; request: ChatRequest & { clientMessageId: string } }
  | { kind: 'regenerate'; chat: ConversationId; message: MessageId }
  | { kind: 'tool'; name: string; request: RunToolRequest }
  | { kind: 'code'; request: CodeRequest & { clientMessageId: string } }
  /** A command or a check in the workspace. */
  | { kind: 'work'; route: 'run' | 'verify'; request: CodeRunRequest | VerifyRequest }
  | { kind: 'resume'; turn: TurnId }

/**
 * `ended`: the last event arrived. `unknown`: the server no longer has this turn, and what it stored must be
 * loaded.
 */
export type TurnEnd = 'ended' | 'unknown'

export interface TurnWatcher {
  event: (event: Event) => void
  /** Called when the connection breaks and when it is restored. */
  line: (state: 'lost' | 'open') => void
}

/**
 * Starts or resumes a turn and follows it until its last event, reconnecting as often as necessary. Throws an
 * `ApiFailure` if the server refuses, or if it cannot be reached and the request is not safe to repeat.
 */
export async function followTurn(start: TurnStart, watcher: TurnWatcher, signal: AbortSignal): Promise<TurnEnd> {
  let turn: TurnId | null = start.kind === 'resume' ? start.turn : null
  let last = { id: '', seq: -1 }
  for (let attempt = 0; ; attempt += 1) {
    try {
      const response = await (turn === null ? begin(start, signal) : resume(turn, last.id, signal))
      if (attempt > 0) watcher.line('open')
      if (!response.body) throw new ApiFailure('nonsense', 'The response is empty.')
      for await (const frame of frames(response.body, SILENCE_MS)) {
        const event = JSON.parse(frame.data) as Event
        const isLast = event.type === 'done' || event.type === 'error'
        const seq = sequence(frame.id)
        // After a crash the server may have stored fewer events than were received, so the last event of the
        // turn may carry a number that was already seen.
        if (seq !== null && seq <= last.seq && !isLast) continue
        if (seq !== null) last = { id: frame.id, seq }
        if (event.type === 'metadata') turn = event.turnId
        if (turn !== null) attempt = 0
        watcher.event(event)
        if (isLast) return 'ended'
      }
      if (turn === null) throw new ApiFailure('offline', NEVER_BEGAN)
    } catch (error) {
      if (signal.aborted) throw error
      if (error instanceof ApiFailure && !error.isTransient) {
        if (turn !== null && error.status === 404) return 'unknown'
        throw error
      }
      const repeatable = turn !== null || ((start.kind === 'send' || start.kind === 'code') && attempt + 1 < SEND_ATTEMPTS)
      if (!repeatable) throw error instanceof ApiFailure ? error : new ApiFailure('offline', OFFLINE_TEXT)
    }
    watcher.line('lost')
    await waitToRetry(retryDelay(attempt), signal)
  }
}

function begin(start: TurnStart, signal: AbortSignal): Promise<Response> {
  const options = { signal, headers: { accept: 'text/event-stream' } }
  switch (start.kind) {
    case 'send':
      return open('POST', '/api/chat/stream', { ...options, body: start.request })
    case 'regenerate':
      return open('POST', `/api/chats/${start.chat}/regenerate`, { ...options, body: { messageId: start.message } })
    case 'tool':
      return open('POST', `/api/tools/${encodeURIComponent(start.name)}/run`, { ...options, body: start.request })
    case 'code':
      return open('POST', '/api/code/stream', { ...options, body: start.request })
    case 'work':
      return open('POST', `/api/code/${start.route}`, { ...options, body: start.request })
    case 'resume':
      return resume(start.turn, '', signal)
  }
}

function resume(turn: TurnId, lastId: string, signal: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { accept: 'text/event-stream' }
  if (lastId !== '') headers['last-event-id'] = lastId
  return open('GET', `/api/chat/turns/${turn}`, { headers, signal })
}

/** Returns the number in `turnId:seq`. */
function sequence(id: string): number | null {
  const seq = Number.parseInt(id.slice(id.indexOf(':') + 1), 10)
  return Number.isNaN(seq) ? null : seq
}

export function stopTurn(turnId: TurnId): Promise<StopReply> {
  return request('POST', '/api/chat/stop', { body: { turnId } })
}

export function readWhy(turnId: TurnId): Promise<Why> {
  return request('GET', `/api/chat/turns/${turnId}/why`)
}
