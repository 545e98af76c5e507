import type { FailureCode } from '@/api/http'
import type { Act, ConversationId, MessageId, TurnId } from '@/api/protocol.gen'
import type { CodeRequestOptions } from '@/code/runs'
import type { DraftFile } from '@/composer/files'
import type { Conversation } from './conversation'
import type { LiveTurn } from './live'

/** The loaded conversations; sending is in `SendSlice`. */
export interface ChatSlice {
  conversations: Record<ConversationId, Conversation>
  /** The files of messages sent from this page, until the server's copies are known. */
  sentFiles: Record<MessageId, DraftFile[]>

  openChat: (id: ConversationId) => Promise<void>
  /** Loads a conversation and its running turn, beside the one that is open. */
  peekChat: (id: ConversationId) => Promise<void>
  refreshChat: (id: ConversationId) => Promise<void>
  loadEarlier: (id: ConversationId) => Promise<void>
  /** Loads pages, or another branch, until the message is loaded. */
  findMessage: (id: ConversationId, message: MessageId) => Promise<boolean>
  branch: (id: ConversationId, message: MessageId) => Promise<void>
  changeConversation: (id: ConversationId, change: (known: Conversation) => Conversation) => void
  /** Handles a conversation that the server does not know: its viewer is told. */
  chatMissing: (id: ConversationId, trouble: string) => void
}

/** A message that is being sent, or whose sending failed. */
export interface Outgoing {
  clientMessageId: string
  text: string
  files: DraftFile[]
  editOf: MessageId | null
  /** Set if the message is about code and goes to the workspace. */
  code?: CodeRequestOptions | undefined
  trouble: { message: string; code: FailureCode } | null
}

/** Sent messages and the turns that answer them. */
export interface SendSlice {
  live: Record<ConversationId, LiveTurn>
  outgoing: Record<string, Outgoing>

  send: (draftKey: string, message: { text: string; files: DraftFile[]; editOf?: MessageId | null; code?: CodeRequestOptions | undefined }) => Promise<void>
  resend: (draftKey: string) => Promise<void>
  /** Keeps a message whose sending failed, with the reason. Returns false if there is none. */
  markUnsent: (draftKey: string, error: unknown) => boolean
  discard: (draftKey: string) => void
  regenerate: (id: ConversationId, message: MessageId) => Promise<void>
  stop: (id: ConversationId) => Promise<void>
  sendQueued: (id: ConversationId) => void
  /** Follows a running turn, unless it is followed already. */
  watch: (id: ConversationId, turn: TurnId) => Promise<void>
  turnEnded: (id: ConversationId, turn: TurnId) => void
  unfollow: (id: ConversationId) => void
  unfollowAll: () => void
}

/** The items pinned at the top of a conversation. */
export interface PinSlice {
  /** The tool call whose pinned view is open. */
  openPin: string | null
  showPin: (act: string | null) => void
  pin: (chat: ConversationId, message: MessageId, act: Act, pinned: boolean) => Promise<void>
}

/**
 * The incognito conversation, which leaves no traces. There is at most one, and only while it is on the
 * screen.
 */
export interface IncognitoSlice {
  incognito: ConversationId | null
  startIncognito: () => Promise<void>
  /** Deletes the conversation, here and on the server. */
  closeIncognito: () => void
}
