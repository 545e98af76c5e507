import { errorText } from '@/api/http'
import type { ConversationId, Event, ToolStatus } from '@/api/protocol.gen'
import { own } from '@/design/own'
import type { Slice } from '@/store/slice'
import { resultText } from '@/tools/wording'
import type { ServerServices } from './services'

/** A tool that was tried by hand, and its result. */
export interface Try {
  server: string
  /** The temporary conversation in which the tool can ask questions; it is not stored. */
  chat: ConversationId | null
  status: ToolStatus
  /** The output while it runs. */
  output: string
  result: string
  /** The command with which it opens something on the screen. */
  shows: { action: string; payload: unknown } | null
  ms: number | null
}

export interface TrySlice {
  /** The last run of each tool, by its full name. */
  tries: Record<string, Try>
  /** Runs a tool, subject to the same permissions as a call by the model. */
  tryTool: (server: string, tool: string, args: Record<string, unknown>) => Promise<void>
}

const BEGUN = { chat: null, status: 'running', output: '', result: '', shows: null, ms: null } as const

export const trySlice = ({ followTurn, followQuestions }: ServerServices): Slice<TrySlice> => (set, get) => ({
  tries: {},

  tryTool: async (server, tool, args) => {
    const status = own(get().tries, tool)?.status
    if (status === 'running' || status === 'waiting') return
    const put = (part: Partial<Try>) => set((state) => ({ tries: { ...state.tries, [tool]: { ...(own(state.tries, tool) ?? { server, ...BEGUN }), ...part } } }))
    put({ server, ...BEGUN })
    let chat = ''
    let message = ''
    const event = (event: Event) => {
      if (event.type === 'metadata') {
        chat = event.conversationId
        message = event.messageId
        put({ chat })
      }
      if (event.type === 'toolOutput') put({ output: (own(get().tries, tool)?.output ?? '') + event.text })
      if (event.type === 'command') put({ shows: { action: event.action, payload: event.payload } })
      if (event.type === 'tool') put({ status: event.status, ...(event.result === undefined ? {} : { result: resultText(event.result) }), ...(event.ms === undefined ? {} : { ms: event.ms }) })
      if (event.type === 'error') put({ status: 'failed', result: event.message })
      followQuestions(chat, message, [event])
    }
    try {
      await followTurn({ kind: 'tool', name: tool, request: { args } }, { event, line: () => {} }, new AbortController().signal)
    } catch (error) {
      put({ status: 'failed', result: errorText(error) })
    }
  },
})
