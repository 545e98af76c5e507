import type { ChatSummary, ChatView, Message, MessageId, PinnedAct, SummaryMark } from '@/api/protocol.gen'

/** A conversation as held by this page: the shown branch, or its newest part. */
export interface Conversation {
  chat: ChatSummary | null
  messages: Message[]
  /** The oldest message here if there are earlier ones on the server, otherwise null. */
  before: MessageId | null
  summary: SummaryMark | null
  /** The items pinned by the user, oldest first. */
  pinned: PinnedAct[]
  state: 'loading' | 'ready' | 'failed'
  trouble: string | null
  /** True if loading failed because the conversation does not exist: a retry does not help. */
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

/** Returns a newer view of the same branch, keeping the earlier pages that are loaded already. */
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

/** Returns the messages before this one. */
export function upTo(messages: Message[], id: MessageId): Message[] {
  const index = messages.findIndex((message) => message.id === id)
  return index < 0 ? messages : messages.slice(0, index)
}

export function lastOf(messages: Message[], role: Message['role']): Message | null {
  return messages.findLast((message) => message.role === role) ?? null
}
