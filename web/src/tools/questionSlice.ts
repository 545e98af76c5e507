import { isMissing, words } from '@/api/http'
import type { ConversationId, Event, MessageId, Remember, WaitingConfirmation } from '@/api/protocol.gen'
import { confirm, waitingQuestions } from '@/api/tools'
import { isSettled } from '@/chat/acts'
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
  answer: (id: string, approved: boolean, more?: { remember?: Remember | undefined; filled?: Record<string, unknown> | undefined }) => Promise<void>
  /** What the events of a turn mean for its questions. */
  followQuestions: (chat: ConversationId, message: MessageId, events: Event[]) => void
  /** A turn that has ended asks nothing. */
  forgetQuestions: (message: MessageId) => void
}

const LATE = 'That had been answered already, or its time was up.'
/** A question that was answered may be heard of again, by a slower way, for as long as this many others. */
const MOST_REMEMBERED = 500

/** When the time of a question is up, which tells it from another of the same call: a tool may ask again in the midst of its work. */
const end = (until: string) => new Date(until).getTime()

export const questionSlice: Slice<QuestionSlice> = (set, get) => {
  /** The ends of those that were answered last, by their id. */
  const over = new Map<string, string>()
  /** What was asked last by each of the two ways on which one hears of it. They do not keep step: an end that is told on one is the end of what was asked there. */
  const told = { feed: new Map<string, string>(), turn: new Map<string, string>() }

  const change = (id: string, part: Partial<Question>) =>
    set((state) => ({ questions: state.questions.map((question) => (question.confirmation.id === id ? { ...question, ...part } : question)) }))
  const known = (id: string) => get().questions.find(({ confirmation }) => confirmation.id === id)

  const take = (waiting: WaitingConfirmation) => {
    const { id, until, description } = waiting.confirmation
    const last = over.get(id) ?? known(id)?.confirmation.until
    if (last !== undefined && !(end(until) > end(last))) return
    const question = { ...waiting, answering: null, trouble: null, heardAt: Date.now() }
    set((state) => ({ questions: [...state.questions.filter(({ confirmation }) => confirmation.id !== id), question] }))
    // What it can do to the world is told beside it.
    if (!get().tools) void get().refreshTools()
    raise(`question ${id} ${until}`, `${get().herName} asks`, description)
  }

  /** Without an `until`, whatever this call asks is over. */
  const settle = (id: string, until = known(id)?.confirmation.until) => {
    if (until === undefined) return
    over.set(id, until)
    const [oldest] = over.keys()
    if (over.size > MOST_REMEMBERED && oldest !== undefined) over.delete(oldest)
    if (known(id)?.confirmation.until !== until) return
    set((state) => ({ questions: state.questions.filter(({ confirmation }) => confirmation.id !== id) }))
  }

  /** It is over by what one of the two ways says. */
  const settleBy = (way: Map<string, string>, id: string) => {
    settle(id, way.get(id))
    way.delete(id)
  }

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
      told.feed.set(waiting.confirmation.id, waiting.confirmation.until)
      take(waiting)
    },

    settled: (id) => settleBy(told.feed, id),

    answer: async (id, approved, { remember, filled } = {}) => {
      const question = known(id)
      if (!question || question.answering !== null) return
      const { until } = question.confirmation
      change(id, { answering: approved ? 'yes' : 'no', trouble: null })
      try {
        const { settled } = await confirm(id, { approved, filled, ...(remember ? { remember } : {}) })
        settle(id, until)
        if (!settled) get().notify({ tone: 'plain', text: LATE })
        else if (remember === 'rule') void get().refreshCommandRules()
        else if (remember) void get().refreshTools()
      } catch (error) {
        if (isMissing(error)) {
          settle(id, until)
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
          told.turn.set(event.id, event.until)
          fresh.set(event.id, { conversationId: chat, messageId: message, confirmation })
        } else if (event.type === 'tool' && event.status !== 'waiting') {
          fresh.delete(event.id)
          // That it began to run before this turn told of a question ends none: the feed may be ahead with what it asks next.
          if (told.turn.has(event.id) || isSettled(event.status)) settleBy(told.turn, event.id)
        } else if (event.type === 'done' || event.type === 'error') {
          fresh.clear()
          get().forgetQuestions(message)
        }
      }
      for (const waiting of fresh.values()) take(waiting)
    },

    forgetQuestions: (message) => {
      for (const { messageId, confirmation } of get().questions) if (messageId === message) settle(confirmation.id, confirmation.until)
    },
  }
}
