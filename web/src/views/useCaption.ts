import { useEffect, useMemo, useState } from 'react'
import type { Message } from '@/api/protocol.gen'
import { lastOf } from '@/chat/conversation'
import type { OpenChat } from '@/chat/OpenChat'
import { useStore } from '@/store'
import { captions, dwell } from './captionText'

export interface Caption {
  /** A key that changes with each caption. */
  key: string
  text: string
}

const NONE: Message[] = []

/**
 * Returns the current caption of the latest reply. A view opened during a reply starts at its current
 * position; a finished reply shows its end.
 */
export function useCaption({ id, conversation }: OpenChat): Caption | null {
  const message = lastOf(conversation?.messages ?? NONE, 'assistant')
  const streaming = useStore((state) => id !== null && message !== null && state.live[id]?.messageId === message.id)
  const key = message?.id ?? ''
  const content = message?.content ?? ''
  const all = useMemo(() => captions(content, !streaming), [content, streaming])
  const [shown, setShown] = useState({ key, index: all.length - 1 })
  // A new reply starts at its beginning.
  const index = shown.key === key ? Math.min(shown.index, all.length - 1) : streaming ? -1 : all.length - 1
  const last = all.length - 1

  useEffect(() => {
    if (shown.key !== key) setShown({ key, index })
  }, [shown.key, key, index])

  useEffect(() => {
    if (index >= last) return
    const waits = index < 0 ? 0 : dwell(all[index] ?? '', last - index)
    const timer = setTimeout(() => setShown({ key, index: index + 1 }), waits)
    return () => clearTimeout(timer)
    // Arriving text does not restart the timer.
  }, [key, index, index >= last])

  const text = all[index]
  return text === undefined ? null : { key: `${key} ${index}`, text }
}
