import type { ConversationId, Push } from '@/api/protocol.gen'
import type { Slice } from '@/store/slice'

export type LineKind = 'turn' | 'tool' | 'ask' | 'body' | 'model' | 'memory' | 'line'

/** An entry of the console: one event pushed by the server. */
export interface ConsoleLine {
  id: number
  at: number
  kind: LineKind
  what: string
  /** The subject of the event, if it has a short text. */
  about: string
  /** The conversation in which it happened. */
  chat: ConversationId | null
}

/** The recent events from the server, kept for the lifetime of the page. */
export interface ConsoleSlice {
  consoleLines: ConsoleLine[]
  logPush: (push: Push) => void
  /** Removes the entries of a deleted conversation. */
  forgetLines: (chat: ConversationId) => void
}

const MOST = 240
const LONGEST = 160

type LineText = Pick<ConsoleLine, 'kind' | 'what'> & { about?: string; chat?: ConversationId }

/** Describes an event, or returns null for those that only keep pages in sync. */
function describe(push: Push): LineText | null {
  switch (push.action) {
    case 'hello':
      return { kind: 'line', what: 'connected', about: push.version }
    case 'resync':
      return { kind: 'line', what: 'everything reloaded' }
    case 'turn_started':
      return { kind: 'turn', what: 'turn began', chat: push.conversationId }
    case 'turn_ended':
      return { kind: 'turn', what: 'turn ended', chat: push.conversationId }
    case 'chat_summarised':
      return { kind: 'memory', what: 'conversation summarised', chat: push.conversationId }
    case 'download':
      return { kind: 'model', what: `download ${push.download.state}`, about: push.download.name }
    case 'model':
      return { kind: 'model', what: `model ${push.current.state}`, about: 'name' in push.current ? push.current.name : '' }
    case 'confirmation_asked':
      return { kind: 'ask', what: 'asks for approval', about: push.waiting.confirmation.tool, chat: push.waiting.conversationId }
    case 'confirmation_settled':
      return { kind: 'ask', what: 'question settled' }
    case 'memory_changed':
      return { kind: 'memory', what: 'memory changed' }
    case 'personality_changed':
      return { kind: 'memory', what: 'personality changed' }
    case 'tool_call':
      return { kind: 'tool', what: push.name, about: written(push.arguments), chat: push.conversationId }
    case 'play':
      return { kind: 'body', what: 'plays', about: push.animation }
    case 'expression':
      return { kind: 'body', what: push.expression, about: push.intensity.toFixed(2) }
    case 'set_background':
      return { kind: 'body', what: 'background', about: push.filename }
    default:
      return null
  }
}

function written(args: unknown): string {
  return typeof args === 'object' && args !== null && Object.keys(args).length === 0 ? '' : (JSON.stringify(args) ?? '')
}

export const consoleSlice: Slice<ConsoleSlice> = (set) => {
  let count = 0
  return {
    consoleLines: [],
    logPush: (push) => {
      const words = describe(push)
      if (!words) return
      count += 1
      const line: ConsoleLine = { id: count, at: Date.now(), about: '', chat: null, ...words }
      set(({ consoleLines: before }) => {
        const last = before.at(-1)
        // A download reports its progress many times a second.
        const again = last && last.what === line.what && last.about === line.about && last.kind === 'model'
        return again ? {} : { consoleLines: [...before.slice(1 - MOST), { ...line, about: line.about.slice(0, LONGEST) }] }
      })
    },
    forgetLines: (chat) => set(({ consoleLines }) => ({ consoleLines: consoleLines.filter((line) => line.chat !== chat) })),
  }
}
