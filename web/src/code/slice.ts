import type { ConversationId, Event, MessageId } from '@/api/protocol.gen'
import type { SendSlice } from '@/chat/state'
import { storedValue, storeValue } from '@/shell/storage'
import type { Slice } from '@/store/slice'
import { type CodeRun, afterEvent, NO_RUN } from './runs'

/**
 * The state of the workspace that the rest of the app needs. Everything else is in `code/store`, which is
 * loaded with its page.
 */
export interface CodeSlice {
  /** The runs of replies about code, by message. */
  codeRuns: Record<MessageId, CodeRun>
  /** The conversation beside the code. */
  codeChat: ConversationId | null
  /** The conversations whose confirmation requests are answered in the workspace. */
  codeChats: ConversationId[]

  showCodeChat: (id: ConversationId | null) => void
  answerInWorkspace: (id: ConversationId) => void
  followCode: (chat: ConversationId, message: MessageId, events: Event[]) => void
}

export const codeSlice: Slice<CodeSlice, Pick<SendSlice, 'live'>> = (set, get) => ({
  codeRuns: {},
  codeChat: storedValue('code-chat'),
  codeChats: [],

  showCodeChat: (id) => {
    storeValue('code-chat', id)
    set({ codeChat: id })
    if (id !== null) get().answerInWorkspace(id)
  },

  answerInWorkspace: (id) => {
    if (!get().codeChats.includes(id)) set((state) => ({ codeChats: [...state.codeChats, id] }))
  },

  followCode: (chat, message, events) => {
    const opening = get().live[chat]?.origin
    const order = (opening?.kind === 'send' && opening.code) || null
    const known = get().codeRuns[message]
    // When a turn is followed again, its events start over.
    const begins = events.some((event) => event.type === 'metadata')
    const before: CodeRun = begins || !known ? { ...NO_RUN, options: known?.options ?? order } : known
    const run = events.reduce(afterEvent, before)
    if (run === known || (run === before && order === null && !known)) return
    set((state) => ({ codeRuns: { ...state.codeRuns, [message]: run } }))
  },
})
