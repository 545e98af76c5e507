import { Eraser, Pencil } from 'lucide-react'
import { memo } from 'react'
import type { ConversationId, Message } from '@/api/protocol.gen'
import { CopyButton } from '@/design/CopyButton'
import { timeOfDay } from '@/design/format'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import { PlainText } from '@/markdown/PlainText'
import { useMemoryStore } from '@/memory/useMemoryStore'
import { useStore } from '@/store'
import { Branches } from './Branches'
import { FileChips, fromDraft, fromStored } from './FileChips'

interface Props {
  chat: ConversationId
  message: Message
}

/** A message of the user: an unobtrusive raised shape on the right. */
export const UserMessage = memo(function UserMessage({ chat, message }: Props) {
  const sent = useStore((state) => state.sentFiles[message.id])
  const edited = useStore((state) => state.drafts[chat]?.edit?.message === message.id)
  const busy = useStore((state) => state.live[chat] !== undefined)
  const leavesNothing = useStore((state) => state.incognito === chat)
  // Requests about code have no branches.
  const fixed = useStore((state) => state.codeChat === chat)
  const files = message.attachments.length > 0 ? message.attachments.map(fromStored) : (sent ?? []).map(fromDraft)
  return (
    <article aria-label="You" data-message={message.id} className="group flex flex-col items-end">
      <h2 className="sr-only">You</h2>
      <UserBubble edited={edited}>
        <FileChips files={files} large />
        {message.content !== '' && <PlainText text={message.content} />}
      </UserBubble>
      <div className="mt-1 flex h-8 items-center gap-0.5 pointer-coarse:h-9">
        <div className="message-actions flex items-center gap-0.5">
          <span className="me-1.5 text-12 text-faint">{timeOfDay(message.createdAt)}</span>
          <CopyButton text={message.content} label="Copy" />
          {!fixed && (
            <IconButton size="small" label="Edit" disabled={busy} onClick={() => void useStore.getState().startEdit(chat, message)}>
              <Pencil size={15} />
            </IconButton>
          )}
          {!leavesNothing && (
            <IconButton size="small" label="Forget this" disabled={busy} onClick={() => void useMemoryStore.getState().askToForget({ message: message.id })}>
              <Eraser size={15} />
            </IconButton>
          )}
        </div>
        <Branches chat={chat} message={message} />
      </div>
    </article>
  )
})

export function UserBubble({ edited = false, children }: { edited?: boolean; children: React.ReactNode }) {
  return (
    <div
      className={classNames(
        'flex max-w-[min(36rem,88%)] min-w-0 flex-col gap-3 rounded-panel bg-raised px-4 py-2.5 shadow-lit',
        edited && 'outline-2 outline-offset-2 outline-blue',
      )}
    >
      {children}
    </div>
  )
}
