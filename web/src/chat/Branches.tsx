import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ConversationId, Message } from '@/api/protocol.gen'
import { IconButton } from '@/design/IconButton'
import { useStore } from '@/store'

/** The switcher between the versions of this message: ‹ 2/3 ›. */
export function Branches({ chat, message }: { chat: ConversationId; message: Message }) {
  const busy = useStore((state) => state.live[chat] !== undefined)
  const branch = useStore((state) => state.branch)
  const index = message.siblings.indexOf(message.id)
  const total = message.siblings.length
  if (total < 2) return null
  const to = (at: number) => {
    const id = message.siblings[at]
    if (id) void branch(chat, id)
  }
  return (
    <div className="flex items-center text-muted" role="group" aria-label="Versions">
      <IconButton size="small" label="Earlier version" disabled={busy || index <= 0} onClick={() => to(index - 1)}>
        <ChevronLeft size={16} />
      </IconButton>
      <span className="min-w-8 text-center text-12" aria-label={`Version ${index + 1} of ${total}`}>
        {index + 1}/{total}
      </span>
      <IconButton size="small" label="Later version" disabled={busy || index >= total - 1} onClick={() => to(index + 1)}>
        <ChevronRight size={16} />
      </IconButton>
    </div>
  )
}
