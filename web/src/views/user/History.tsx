import { ChevronDown } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { type OpenChat, ConversationBody } from '@/chat/OpenChat'
import { IconButton } from '@/design/IconButton'
import { useStore } from '@/store'
import { useDrag } from '../useDrag'

/** The complete conversation, in a sheet that is swiped up and away. */
export function History({ chat, onClose }: { chat: OpenChat; onClose: () => void }) {
  const name = useStore((state) => state.companionName)
  const sheet = useRef<HTMLElement>(null)
  const drag = useDrag({ onDown: onClose })
  useEffect(() => sheet.current?.focus({ preventScroll: true }), [])
  return (
    <aside ref={sheet} tabIndex={-1} aria-label="Conversation" className="history glass" style={drag.style}>
      <header className="history-head" {...drag.handlers}>
        <span className="history-grip" aria-hidden="true" />
        <h2 className="label">Conversation</h2>
        <IconButton label="Close" keys="escape" onClick={onClose}>
          <ChevronDown size={18} />
        </IconButton>
      </header>
      <div className="@container flex min-h-0 flex-1 flex-col">
        <ConversationBody chat={chat} empty={<p className="px-6 py-10 text-center text-15 text-muted">Nothing yet. What you and {name} say appears here.</p>} />
      </div>
    </aside>
  )
}
