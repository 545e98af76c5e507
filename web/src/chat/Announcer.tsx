import { useEffect, useRef, useState } from 'react'
import type { Act, ConversationId } from '@/api/protocol.gen'
import { useStore } from '@/store'
import { phrase } from '@/tools/wording'

/** The interval at which screen readers receive whole sentences, instead of every token. */
const PACE_MS = 4000
const CLEAR_MS = 1500

/** Returns the part of `text` after `from`, up to its last complete sentence, line or block. */
export function sentences(text: string, from: number): string {
  const fresh = text.slice(from)
  const end = Math.max(...['. ', '? ', '! ', '.\n', '\n\n'].map((sign) => fresh.lastIndexOf(sign)))
  return end < 0 ? '' : fresh.slice(0, end + 1)
}

/** Strips the Markdown markup, which should not be read out. */
export function spoken(text: string): string {
  return text
    .replace(/^[^\S\n]*(?:```|~~~).*$/gm, '')
    .replace(/!?\[([^[\]]{0,500})\]\([^()]{0,1000}\)/g, '$1')
    .replace(/^\s{0,3}(?:#{1,6}|>|[-*+]|\d+[.)])\s+/gm, '')
    .replace(/[*_`~|$]+/g, '')
    .trim()
}

function toolAnnouncement({ name, args, status }: Act): string {
  const { does, what } = phrase(name, args, status)
  return what === '' ? does : `${does} ${what}`
}

/** Announces the reply to screen readers, politely, while it is written. */
export function Announcer({ chat }: { chat: ConversationId }) {
  const writing = useStore((state) => state.live[chat]?.messageId ?? null)
  const [announced, setAnnounced] = useState<string[]>([])
  const heard = useRef(0)

  useEffect(() => {
    if (writing === null) return
    heard.current = 0
    setAnnounced([`${useStore.getState().companionName} is answering.`])
    const answer = () => useStore.getState().conversations[chat]?.messages.find((message) => message.id === writing)
    const text = () => answer()?.content ?? ''
    let acts = 0
    const timer = setInterval(() => {
      const begun = answer()?.acts.slice(acts) ?? []
      acts += begun.length
      const next = sentences(text(), heard.current)
      heard.current += next.length
      const fresh = [...begun.map(toolAnnouncement), ...(next === '' ? [] : [next])]
      if (fresh.length > 0) setAnnounced((before) => [...before.slice(-3), ...fresh])
    }, PACE_MS)
    return () => {
      clearInterval(timer)
      const rest = text().slice(heard.current)
      setAnnounced((before) => [...before.slice(-3), rest || 'The answer is finished.'])
    }
  }, [chat, writing])

  // Cleared once it has been announced: the text is in the conversation and should not be found twice.
  useEffect(() => {
    if (writing !== null || announced.length === 0) return
    const timer = setTimeout(() => setAnnounced([]), CLEAR_MS)
    return () => clearTimeout(timer)
  }, [writing, announced])

  return (
    <div role="log" aria-live="polite" aria-relevant="additions" aria-label="Her answer, read out" className="sr-only">
      {announced.map((text, index) => (
        <p key={`${index} ${text}`}>{spoken(text)}</p>
      ))}
    </div>
  )
}
