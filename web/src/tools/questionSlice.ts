import { isMissing, words } from '@/api/http'
import type { ConversationId, Event, MessageId, Remember, WaitingConfirmation } from '@/api/protocol.gen'
import { confirm, waitingQuestions } from '@/api/tools'
import { raise } from '@/shell/raise'
import type { Slice } from '@/store'

/** Something she may not do without a yes, while it waits. */
export interface Question extends WaitingConfirmation {
  answering: 'yes' | 'no' | null
  /** Why the answer did not get through. */
  trouble: string | null
  /** When this page first heard of it. */
  heardAt: number
}

export interface QuestionSlice {
  /** Oldest first. */
  questions: Question[]
  refreshQuestions: () => Promise<void>
  asked: (waiting: WaitingConfirmation) => void
  /** It waits no more, whoever answered. */
  settled: (id: string) => void
  answer: (id: string, approved: boolean, remember?: Remember) => Promise<void>
  /** What the events of a turn mean for its questions. */
  followQuestions: (chat: ConversationId, message: MessageId, events: Event[]) => void
  /** A turn that has ended asks nothing. */
  forgetQuestions: (message: MessageId) => void
}

const LATE = 'That had been answered already, or its time was up.'
/** A question that was answered may be heard of again, by a slower way, for as long as this many others. */
const MOST_REMEMBERED = 500

export const questionSlice: Slice<QuestionSlice> = (set, get) => {
  const over = new Set<string>()
  const remember = (id: string) => {
    over.add(id)
    const [oldest] = over
    if (over.size > MOST_REMEMBERED && oldest !== undefined) over.delete(oldest)
  }
  const change = (id: string, part: Partial<Question>) =>
    set((state) => ({ questions: state.questions.map((question) => (question.confirmation.id === id ? { ...question, ...part } : question)) }))

  return {
    questions: [],

    refreshQuestions: async () => {
      const began = Date.now()
      const reply = await waitingQuestions().catch(() => null)
      if (!reply) return
      const ids = new Set(reply.waiting.map(({ confirmation }) => confirmation.id))
      // What was asked while the list was on its way is not in it.
      set((state) => ({ questions: state.questions.filter(({ confirmation, heardAt }) => ids.has(confirmation.id) || heardAt > began) }))
      for (const waiting of reply.waiting) get().asked(waiting)
    },

    asked: (waiting) => {
      const { id, description } = waiting.confirmation
      if (over.has(id)) return
      const known = get().questions.some(({ confirmation }) => confirmation.id === id)
      if (known) return
      set((state) => ({ questions: [...state.questions, { ...waiting, answering: null, trouble: null, heardAt: Date.now() }] }))
      // What it can do to the world is told beside it.
      if (!get().tools) void get().refreshTools()
      raise(`question ${id}`, `${get().herName} asks`, description)
    },

    settled: (id) => {
      remember(id)
      if (!get().questions.some(({ confirmation }) => confirmation.id === id)) return
      set((state) => ({ questions: state.questions.filter(({ confirmation }) => confirmation.id !== id) }))
    },

    answer: async (id, approved, lasting) => {
      const question = get().questions.find(({ confirmation }) => confirmation.id === id)
      if (!question || question.answering !== null) return
      change(id, { answering: approved ? 'yes' : 'no', trouble: null })
      try {
        const { settled } = await confirm(id, { approved, ...(lasting ? { remember: lasting } : {}) })
        get().settled(id)
        if (!settled) get().notify({ tone: 'plain', text: LATE })
        else if (lasting) void get().refreshTools()
      } catch (error) {
        if (isMissing(error)) {
          get().settled(id)
          get().notify({ tone: 'plain', text: LATE })
        } else change(id, { answering: null, trouble: words(error) })
      }
    },

    followQuestions: (chat, message, events) => {
      const fresh = new Map<string, WaitingConfirmation>()
      // A turn that is watched from its beginning asks again what was answered long ago: only the end counts.
      for (const event of events) {
        if (event.type === 'confirmation') {
          const { type: _type, ...confirmation } = event
          fresh.set(event.id, { conversationId: chat, messageId: message, confirmation })
        } else if (event.type === 'tool' && event.status !== 'waiting') {
          fresh.delete(event.id)
          if (get().questions.some(({ confirmation }) => confirmation.id === event.id)) get().settled(event.id)
        } else if (event.type === 'done' || event.type === 'error') {
          fresh.clear()
          get().forgetQuestions(message)
        }
      }
      for (const waiting of fresh.values()) get().asked(waiting)
    },

    forgetQuestions: (message) => {
      for (const { messageId, confirmation } of get().questions) if (messageId === message) get().settled(confirmation.id)
    },
  }
}
