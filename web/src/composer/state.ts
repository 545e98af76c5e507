import type { Message, MessageId } from '@/api/protocol.gen'
import type { CodeOrder } from '@/code/runs'
import type { DraftFile } from './files'

export interface Draft {
  text: string
  files: DraftFile[]
  /** The number of files that are still being read. */
  reading: number
  trouble: string | null
  /**
   * The message that this draft will replace, and the draft from before the edit. Each edit has an id of its
   * own.
   */
  edit: { id: string; message: MessageId; aside: Words } | null
  /** A note on files that the edit lacks. It stays until the edit is sent or cancelled. */
  editTrouble: string | null
}

export type Words = Pick<Draft, 'text' | 'files'>

export interface Queued {
  id: string
  text: string
  files: DraftFile[]
  /** Present if the message is about code. */
  code?: CodeOrder | undefined
}

export interface ComposerSlice {
  drafts: Record<string, Draft>
  /** Messages that wait until the current reply is finished. */
  queues: Record<string, Queued[]>
  /** A counter that increases when the composer should take the focus. */
  composerCall: number

  setText: (place: string, text: string) => void
  addFiles: (place: string, files: File[]) => Promise<void>
  removeFile: (place: string, id: string) => void
  startEdit: (place: string, message: Message) => Promise<void>
  cancelEdit: (place: string) => void
  clearDraft: (place: string) => void
  enqueue: (place: string, message: Omit<Queued, 'id'>) => void
  dequeue: (place: string, id: string) => Queued | null
  /** Puts an unsent message back into the composer, above the text that is there. */
  takeBack: (place: string, message: Pick<Queued, 'text' | 'files'>) => void
  /** Moves a queued message back into the composer. */
  reconsider: (place: string, id: string) => void
  /** Turns all unsent messages of this place into a draft, so that nothing is sent and nothing is lost. */
  setAside: (place: string) => void
  /** Moves the draft of a deleted conversation to a place from which it can be sent. */
  moveDraft: (from: string, to: string) => void
  /**
   * Moves the draft and the queue that were written while a conversation was being created to that
   * conversation.
   */
  follow: (from: string, to: string) => void
  callComposer: () => void
}

export const EMPTY_DRAFT: Draft = { text: '', files: [], reading: 0, trouble: null, edit: null, editTrouble: null }
