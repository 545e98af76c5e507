import type { Message, MessageId } from '@/api/protocol.gen'
import type { CodeRequestOptions } from '@/code/runs'
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
  edit: { id: string; message: MessageId; aside: UnsentMessage } | null
  /** A note on files that the edit lacks. It stays until the edit is sent or cancelled. */
  editTrouble: string | null
}

export type UnsentMessage = Pick<Draft, 'text' | 'files'>

export interface Queued {
  id: string
  text: string
  files: DraftFile[]
  /** Present if the message is about code. */
  code?: CodeRequestOptions | undefined
}

export interface ComposerSlice {
  drafts: Record<string, Draft>
  /** Messages that wait until the current reply is finished. */
  queues: Record<string, Queued[]>
  /** A counter that increases when the composer should take the focus. */
  composerFocus: number

  setText: (draftKey: string, text: string) => void
  addFiles: (draftKey: string, files: File[]) => Promise<void>
  removeFile: (draftKey: string, id: string) => void
  startEdit: (draftKey: string, message: Message) => Promise<void>
  cancelEdit: (draftKey: string) => void
  clearDraft: (draftKey: string) => void
  enqueue: (draftKey: string, message: Omit<Queued, 'id'>) => void
  dequeue: (draftKey: string, id: string) => Queued | null
  /** Puts an unsent message back into the composer, above the text that is there. */
  returnToDraft: (draftKey: string, message: Pick<Queued, 'text' | 'files'>) => void
  /** Moves a queued message back into the composer. */
  editQueued: (draftKey: string, id: string) => void
  /** Turns all unsent messages under this key into a draft, so that nothing is sent and nothing is lost. */
  moveUnsentToDraft: (draftKey: string) => void
  /** Moves the draft of a deleted conversation to a key from which it can be sent. */
  moveDraft: (from: string, to: string) => void
  /**
   * Moves the draft and the queue that were written while a conversation was being created to that
   * conversation.
   */
  moveComposer: (from: string, to: string) => void
  focusComposer: () => void
}

export const EMPTY_DRAFT: Draft = { text: '', files: [], reading: 0, trouble: null, edit: null, editTrouble: null }
