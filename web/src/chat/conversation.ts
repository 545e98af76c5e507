import type { ChatSummary, ChatView, Message, MessageId, PinnedAct, SummaryMark } from '@/api/protocol.gen'

/** A conversation as this page holds it: the shown branch, or the newest part of it. */
export interface Conversation {
  chat: ChatSummary | null
  messages: Message[]
  /** Earlier messages exist before this one. */
  before: MessageId | null
  summary: SummaryMark | null
  /** What the user keeps at hand, oldest first. */
  pinned: PinnedAct[]
  state: 'loading' | 'ready' | 'failed'
  trouble: string | null
  /** It failed because there is no such conversation: trying again will not help. */
  gone: boolean
  loadingEarlier: boolean
}

export const LOADING: Conversation = {
  chat: null,
  messages: [],
  before: null,
  summary: null,
  pinned: [],
  state: 'loading',
  trouble: null,
  gone: false,
  loadingEarlier: false,
}

export function fromView(view: ChatView): Conversation {
  return { ...LOADING, chat: view.chat, messages: view.messages, before: view.before, summary: view.summary, pinned: view.pinned, state: 'ready' }
}

/** A newer view of the same branch, keeping the earlier pages that are here already. */
export function refreshed(known: Conversation, view: ChatView): Conversation {
  const first = view.messages[0]
  const seam = first ? known.messages.findIndex((message) => message.id === first.id) : -1
  if (seam <= 0) return fromView(view)
  const earlier = known.messages.slice(0, seam)
  const joins = earlier.at(-1)?.id === first?.parent
  return joins ? { ...fromView(view), messages: [...earlier, ...view.messages], before: known.before } : fromView(view)
}

export function withEarlier(known: Conversation, view: ChatView): Conversation {
  const have = new Set(known.messages.map((message) => message.id))
  const earlier = view.messages.filter((message) => !have.has(message.id))
  return { ...known, messages: [...earlier, ...known.messages], before: view.before, loadingEarlier: false }
}

/** The messages that stand before this one. */
export function upTo(messages: Message[], id: MessageId): Message[] {
  const index = messages.findIndex((message) => message.id === id)
  return index < 0 ? messages : messages.slice(0, index)
}

export function lastOf(messages: Message[], role: Message['role']): Message | null {
  return messages.findLast((message) => message.role === role) ?? null
}
