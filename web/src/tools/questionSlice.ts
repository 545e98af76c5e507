import { isMissing, errorText } from '@/api/http'
import type { ConversationId, Event, MessageId, Remember, WaitingConfirmation } from '@/api/protocol.gen'
import { confirm, waitingQuestions } from '@/api/tools'
import { isSettled } from '@/chat/acts'
import type { SettingsSlice } from '@/settings/slice'
import { showDesktopNotification } from '@/shell/desktopNotification'
import type { Notices } from '@/shell/slice'
import type { Slice } from '@/store/slice'
import type { RuleSlice } from './ruleSlice'

/** A pending confirmation. */
export interface Question extends WaitingConfirmation {
  answering: 'yes' | 'no' | null
  /** The reason why the answer did not reach the server. */
  trouble: string | null
  /** The time at which this page first received it. */
  heardAt: number
}

export interface QuestionSlice {
  /** The pending confirmations, oldest first. */
  questions: Question[]
  refreshQuestions: () => Promise<void>
  questionAsked: (waiting: WaitingConfirmation) => void
  /** Called when a confirmation is no longer pending, wherever it was answered. */
  questionSettled: (id: string) => void
  answerQuestion: (id: string, approved: boolean, more?: { remember?: Remember | undefined; filled?: Record<string, unknown> | undefined }) => Promise<void>
  /** Updates the confirmations from the events of a turn. */
  followQuestions: (chat: ConversationId, message: MessageId, events: Event[]) => void
  /** Drops the confirmations of a turn that has ended. */
  forgetQuestions: (message: MessageId) => void
}

/** What an answer may change. The tools are loaded as soon as one of them asks. */
interface Uses extends Pick<Notices, 'notify'>, Pick<SettingsSlice, 'companionName'>, Pick<RuleSlice, 'refreshCommandRules'> {
  tools: unknown
  refreshTools: () => Promise<void>
}

const LATE = 'That was already answered, or its time had run out.'
/**
 * The number of answered confirmations to remember, since each may be reported again by the slower channel.
 */
const MOST_REMEMBERED = 500

/**
 * Converts the expiry time of a confirmation. It distinguishes several confirmations of one call, as a tool
 * may ask again while running.
 */
const end = (until: string) => new Date(until).getTime()

export const questionSlice: Slice<QuestionSlice, Uses> = (set, get) => {
  /** The expiry times of the confirmations answered last, by id. */
  const over = new Map<string, string>()
  /**
   * The last confirmation of each call as reported by the feed and by the turn. The two channels are not in
   * step: an end reported on one refers to what was asked on the same one.
   */
  const lastAsked = { feed: new Map<string, string>(), turn: new Map<string, string>() }

  const change = (id: string, part: Partial<Question>) =>
    set((state) => ({ questions: state.questions.map((question) => (question.confirmation.id === id ? { ...question, ...part } : question)) }))
  const known = (id: string) => get().questions.find(({ confirmation }) => confirmation.id === id)

  const take = (waiting: WaitingConfirmation) => {
    const { id, until, description } = waiting.confirmation
    const last = over.get(id) ?? known(id)?.confirmation.until
    if (last !== undefined && !(end(until) > end(last))) return
    const question = { ...waiting, answering: null, trouble: null, heardAt: Date.now() }
    set((state) => ({ questions: [...state.questions.filter(({ confirmation }) => confirmation.id !== id), question] }))
    // The card shows the effects of the tool as well.
    if (!get().tools) void get().refreshTools()
    showDesktopNotification(`question ${id} ${until}`, `${get().companionName} asks`, description)
  }

  /** Settles a confirmation; without `until`, whichever one of this call is pending. */
  const settle = (id: string, until = known(id)?.confirmation.until) => {
    if (until === undefined) return
    over.set(id, until)
    const [oldest] = over.keys()
    if (over.size > MOST_REMEMBERED && oldest !== undefined) over.delete(oldest)
    if (known(id)?.confirmation.until !== until) return
    set((state) => ({ questions: state.questions.filter(({ confirmation }) => confirmation.id !== id) }))
  }

  /** Settles the confirmation that was last reported on this channel. */
  const settleBy = (channel: Map<string, string>, id: string) => {
    settle(id, channel.get(id))
    channel.delete(id)
  }

  return {
    questions: [],

    refreshQuestions: async () => {
      const began = Date.now()
      const reply = await waitingQuestions().catch(() => null)
      if (!reply) return
      const ids = new Set(reply.waiting.map(({ confirmation }) => confirmation.id))
      // The list does not contain confirmations that arrived while it was loading.
      set((state) => ({ questions: state.questions.filter(({ confirmation, heardAt }) => ids.has(confirmation.id) || heardAt > began) }))
      for (const waiting of reply.waiting) get().questionAsked(waiting)
    },

    questionAsked: (waiting) => {
      lastAsked.feed.set(waiting.confirmation.id, waiting.confirmation.until)
      take(waiting)
    },

    questionSettled: (id) => settleBy(lastAsked.feed, id),

    answerQuestion: async (id, approved, { remember, filled } = {}) => {
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
        } else change(id, { answering: null, trouble: errorText(error) })
      }
    },

    followQuestions: (chat, message, events) => {
      const fresh = new Map<string, WaitingConfirmation>()
      // A turn that is replayed from its beginning contains confirmations answered long ago, so only the
      // state after all events counts.
      for (const event of events) {
        if (event.type === 'confirmation') {
          const { type: _type, ...confirmation } = event
          lastAsked.turn.set(event.id, event.until)
          fresh.set(event.id, { conversationId: chat, messageId: message, confirmation })
        } else if (event.type === 'tool' && event.status !== 'waiting') {
          fresh.delete(event.id)
          // A tool that starts before this turn has reported a confirmation does not settle one: the feed may
          // already have reported its next one.
          if (lastAsked.turn.has(event.id) || isSettled(event.status)) settleBy(lastAsked.turn, event.id)
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
