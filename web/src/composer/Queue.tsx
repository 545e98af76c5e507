import { Clock, Pencil, Send, X } from 'lucide-react'
import { IconButton } from '@/design/IconButton'
import { plural } from '@/design/format'
import { useStore } from '@/store'
import type { Queued } from './state'

const NONE: Queued[] = []

/** The messages that are sent when the current reply is finished. */
export function Queue({ draftKey }: { draftKey: string }) {
  const queue = useStore((state) => state.queues[draftKey] ?? NONE)
  const busy = useStore((state) => state.live[draftKey] !== undefined)
  const { editQueued, dequeue, sendQueued } = useStore.getState()
  if (queue.length === 0) return null
  return (
    <ul aria-label="Waiting to be sent" className="mb-2 flex flex-col gap-1">
      {queue.map((message, index) => (
        <li key={message.id} className="flex h-9 items-center gap-2.5 rounded-card bg-[color-mix(in_oklab,var(--text)_5%,transparent)] ps-3.5 pe-1 text-13 text-muted pointer-coarse:h-12">
          <Clock size={14} className="text-faint" />
          <span className="min-w-0 flex-1 truncate" dir="auto">
            {message.text || plural(message.files.length, 'file')}
          </span>
          {index === 0 && !busy && (
            <IconButton size="small" label="Send" onClick={() => sendQueued(draftKey)}>
              <Send size={14} />
            </IconButton>
          )}
          <IconButton size="small" label="Change" onClick={() => editQueued(draftKey, message.id)}>
            <Pencil size={14} />
          </IconButton>
          <IconButton size="small" label="Do not send" onClick={() => dequeue(draftKey, message.id)}>
            <X size={15} />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}
