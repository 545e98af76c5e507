import type { Event, Message, MessageId, TurnId } from '@/api/protocol.gen'
import type { CodeRequestOptions } from '@/code/runs'
import { own } from '@/design/own'
import { withCommand, withQuestion, withTool } from './acts'
import { upTo } from './conversation'

/** The origin of a turn, which decides where its messages are placed. */
export type TurnOrigin =
  | { kind: 'send'; text: string; editOf: MessageId | null; code?: CodeRequestOptions | undefined }
  | { kind: 'regenerate'; message: Message }
  | { kind: 'watch' }

export type Phase = 'waiting' | 'reading' | 'thinking' | 'writing' | 'acting'

/** A running turn. */
export interface LiveTurn {
  origin: TurnOrigin
  turnId: TurnId | null
  messageId: MessageId | null
  phase: Phase
  progress: { stage: string; done: number; total: number; secondsLeft?: number | undefined } | null
  lineLost: boolean
  stopping: boolean
  startedAt: number
  thinkingSince: number | null
  /** The thinking time as measured here, until the server reports it. */
  thoughtMs: number | null
  /** The output of running tools so far, by call id; if it is long, only its end. */
  outputs: Record<string, string>
  /** The messages shown before, restored if the turn does not begin. */
  before: Message[]
}

export interface Transcript {
  messages: Message[]
  live: LiveTurn
}

export function beginLive(origin: TurnOrigin, before: Message[], now: number): LiveTurn {
  return {
    origin,
    turnId: null,
    messageId: null,
    phase: 'waiting',
    progress: null,
    lineLost: false,
    stopping: false,
    startedAt: now,
    thinkingSince: null,
    thoughtMs: null,
    outputs: {},
    before,
  }
}

/** The most output kept of a running tool. Only its end is kept, since that is what users look at. */
const MOST_OUTPUT = 20_000

/**
 * Returns the scene after these events, in order. Pure: the same events give the same scene, however they are
 * batched.
 */
export function applyEvents(scene: Transcript, events: Event[], now: number): Transcript {
  return events.reduce((current, event) => applyEvent(current, event, now), scene)
}

function applyEvent(scene: Transcript, event: Event, now: number): Transcript {
  switch (event.type) {
    case 'metadata':
      return begin(scene, event, now)
    case 'progress':
      return withLive(scene, { phase: 'reading', progress: { stage: event.stage, done: event.done, total: event.total, secondsLeft: event.secondsLeft } })
    case 'memory':
      return write(scene, (message) => ({ ...message, memory: event.items }))
    case 'reasoning':
      return write(withLive(scene, { phase: 'thinking', progress: null, thinkingSince: scene.live.thinkingSince ?? now }), (message) => ({
        ...message,
        reasoning: (message.reasoning ?? '') + event.content,
      }))
    case 'token':
      return write(withLive(endThinking(scene, now), { phase: 'writing', progress: null }), (message) => ({
        ...message,
        content: message.content + event.content,
      }))
    case 'tool':
      return write(withLive(endThinking(scene, now), { phase: 'acting', progress: null }), (message) => withTool(message, event))
    case 'toolOutput':
      return withLive(scene, { outputs: { ...scene.live.outputs, [event.id]: ((own(scene.live.outputs, event.id) ?? '') + event.text).slice(-MOST_OUTPUT) } })
    case 'command':
      return write(scene, (message) => withCommand(message, event))
    case 'confirmation':
      return write(withLive(endThinking(scene, now), { phase: 'acting', progress: null }), (message) => withQuestion(message, event))
    case 'plan':
      return write(scene, (message) => ({ ...message, plan: event.steps }))
    case 'usage': {
      const { type: _type, ...usage } = event
      return write(scene, (message) => ({ ...message, usage }))
    }
    case 'done':
      return write(endThinking(scene, now), (message) => ({
        ...message,
        status: event.stopReason === 'stopped' || event.stopReason === 'cut' ? 'partial' : 'complete',
        stopReason: event.stopReason,
      }))
    case 'error':
      return write(endThinking(scene, now), (message) => ({
        ...message,
        status: 'failed',
        error: event.message,
        errorCode: event.code,
      }))
    default:
      return scene
  }
}

type Metadata = Extract<Event, { type: 'metadata' }>

function begin(scene: Transcript, event: Metadata, now: number): Transcript {
  const { origin } = scene.live
  const createdAt = new Date(now).toISOString()
  const live = { ...scene.live, turnId: event.turnId, messageId: event.messageId, outputs: {} }
  const answer: Message = {
    ...blank(event.messageId, 'assistant', createdAt),
    status: 'streaming',
    model: event.model,
    turnId: event.turnId,
  }
  const known = scene.messages.find((message) => message.id === event.messageId)
  if (known) {
    // The stream starts over, so its events replace the content received before.
    const fresh: Message = { ...known, content: '', reasoning: null, acts: [], plan: [], memory: [], work: [], status: 'streaming', error: null, errorCode: null, usage: null }
    return { ...scene, live, messages: scene.messages.map((message) => (message === known ? fresh : message)) }
  }
  if (origin.kind === 'regenerate') {
    const parent = origin.message.parent
    const siblings = [...origin.message.siblings, event.messageId]
    return { ...scene, live, messages: [...upTo(scene.messages, origin.message.id), { ...answer, parent, siblings }] }
  }
  if (origin.kind === 'send' && event.userMessageId) {
    const edited = live.before.find((message) => message.id === origin.editOf)
    const earlier = edited ? upTo(scene.messages, edited.id) : scene.messages
    const question: Message = {
      ...blank(event.userMessageId, 'user', createdAt),
      content: origin.text,
      parent: edited ? edited.parent : (earlier.at(-1)?.id ?? null),
      siblings: [...(edited?.siblings ?? []), event.userMessageId],
    }
    return { ...scene, live, messages: [...earlier, question, { ...answer, parent: question.id }] }
  }
  return { ...scene, live, messages: [...scene.messages, { ...answer, parent: scene.messages.at(-1)?.id ?? null }] }
}

function blank(id: MessageId, role: Message['role'], createdAt: string): Message {
  return {
    id,
    parent: null,
    role,
    content: '',
    reasoning: null,
    createdAt,
    status: 'complete',
    stopReason: null,
    error: null,
    errorCode: null,
    model: null,
    turnId: null,
    usage: null,
    attachments: [],
    siblings: [id],
    acts: [],
    plan: [],
    memory: [],
  }
}

function withLive(scene: Transcript, change: Partial<LiveTurn>): Transcript {
  return { ...scene, live: { ...scene.live, ...change } }
}

/** Ends the thinking phase at the first text of the reply. */
function endThinking(scene: Transcript, now: number): Transcript {
  const since = scene.live.thinkingSince
  return since === null ? scene : withLive(scene, { thinkingSince: null, thoughtMs: now - since })
}

function write(scene: Transcript, change: (message: Message) => Message): Transcript {
  const id = scene.live.messageId
  return { ...scene, messages: scene.messages.map((message) => (message.id === id ? change(message) : message)) }
}
