import { useEffect, useRef, useState } from 'react'
import type { ChatSummary } from '@/api/protocol.gen'
import { classNames } from '@/design/classNames'
import { useStore } from '@/store'

/** The field for renaming a conversation: Enter or leaving it saves, Escape discards. */
export function TitleField({ chat, className }: { chat: ChatSummary; className?: string }) {
  const [title, setTitle] = useState(chat.title)
  const field = useRef<HTMLInputElement>(null)
  const settled = useRef(false)

  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])

  const finish = (keep: boolean) => {
    if (settled.current) return
    settled.current = true
    const { rename, patchChat } = useStore.getState()
    rename(null)
    const wanted = title.trim()
    if (keep && wanted !== '' && wanted !== chat.title) void patchChat(chat.id, { title: wanted })
  }

  return (
    <input
      ref={field}
      aria-label="Title"
      dir="auto"
      value={title}
      maxLength={200}
      onChange={(event) => setTitle(event.target.value)}
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') finish(true)
        if (event.key === 'Escape') {
          event.stopPropagation()
          finish(false)
        }
      }}
      className={classNames('w-full min-w-0 rounded-control bg-well shadow-[inset_0_0_0_1px_var(--blue)] outline-none', className)}
    />
  )
}
