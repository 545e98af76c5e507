import { CircleHelp, RefreshCw } from 'lucide-react'
import { memo, useEffect, useState } from 'react'
import type { ConversationId, Message, Usage } from '@/api/protocol.gen'
import { CopyButton } from '@/design/CopyButton'
import { timeOfDay } from '@/design/format'
import { IconButton } from '@/design/IconButton'
import { Face, type Mood, MoonCursor } from '@/design/Moon'
import { Markdown } from '@/markdown/Markdown'
import { useStore } from '@/store'
import { Branches } from './Branches'
import { EndMark } from './EndMark'
import type { Live } from './live'
import { Reasoning } from './Reasoning'
import { activity, isTroubled, usageParts } from './words'

interface Props {
  chat: ConversationId
  message: Message
  last: boolean
}

/** Hers: on the ground, without a bubble, beside her small face. */
export const HerMessage = memo(function HerMessage({ chat, message, last }: Props) {
  const live = useStore((state) => (state.live[chat]?.messageId === message.id ? state.live[chat] : undefined))
  const streaming = live !== undefined
  const thoughtMs = message.usage?.reasoningMs ?? live?.thoughtMs ?? null
  const mood: Mood = !streaming && isTroubled(message) ? 'sorry' : streaming && live.phase !== 'writing' ? 'thinking' : 'calm'
  return (
    <HerFrame mood={mood} id={message.id} time={message.createdAt}>
      {message.reasoning && <Reasoning text={message.reasoning} thinking={live?.phase === 'thinking'} ms={thoughtMs} />}
      {message.content !== '' && <Markdown source={message.content} streaming={streaming} />}
      {streaming && says(live, message) && <Activity live={live} moon={message.content === ''} />}
      {!streaming && <EndMark chat={chat} message={message} last={last} />}
      {streaming ? <div className="mt-1 h-8 pointer-coarse:h-9" /> : <Actions chat={chat} message={message} />}
    </HerFrame>
  )
})

/** The line of her thoughts says by itself that she thinks. */
function says(live: Live, message: Message): boolean {
  return live.lineLost || live.stopping || (message.content === '' && !message.reasoning)
}

interface FrameProps {
  mood: Mood
  id?: string
  time?: string
  children: React.ReactNode
}

export function HerFrame({ mood, id, time, children }: FrameProps) {
  const name = useStore((state) => state.herName)
  return (
    <article aria-label={name} data-message={id} className="group relative sm:ps-11">
      <div className="mb-1 flex items-center gap-2.5">
        <Face size={28} mood={mood} className="sm:absolute sm:-start-0 sm:-top-0.5" />
        <h2 className="display text-15 font-medium text-accent-text">{name}</h2>
        {time && <span className="message-actions text-12 text-faint">{timeOfDay(time)}</span>}
      </div>
      {children}
    </article>
  )
}

/** What she does while there is nothing to read yet. Words come within a second. */
export function Activity({ live, moon }: { live: Live; moon: boolean }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return (
    <p className="flex h-7 items-center gap-2.5 text-15 text-muted" data-testid="activity">
      {moon && <MoonCursor thinking />}
      <span className="tabular-nums">{activity(live, now - live.startedAt)}</span>
    </p>
  )
}

function Actions({ chat, message }: { chat: ConversationId; message: Message }) {
  const busy = useStore((state) => state.live[chat] !== undefined)
  const { regenerate, showWhy } = useStore.getState()
  const turn = message.turnId
  return (
    <div className="mt-1 -ml-1.5 flex h-8 items-center gap-0.5 pointer-coarse:h-9">
      <Branches chat={chat} message={message} />
      <div className="message-actions flex min-w-0 items-center gap-0.5">
        {message.content !== '' && <CopyButton text={message.content} label="Copy" />}
        {!isTroubled(message) && (
          <IconButton size="small" label="Answer again" disabled={busy} onClick={() => void regenerate(chat, message.id)}>
            <RefreshCw size={15} />
          </IconButton>
        )}
        {turn && (
          <IconButton size="small" label="Why did you say that?" onClick={() => void showWhy(turn, message.id)}>
            <CircleHelp size={15} />
          </IconButton>
        )}
        {message.usage && <Cost usage={message.usage} />}
      </div>
    </div>
  )
}

/** On a phone there is room for the first part. */
function Cost({ usage }: { usage: Usage }) {
  const [first, ...rest] = usageParts(usage)
  return (
    <span className="ms-2 min-w-0 truncate text-12 text-faint">
      {first}
      <span className="max-sm:hidden">{rest.map((part) => ` · ${part}`)}</span>
    </span>
  )
}
