import { CircleHelp, Eraser, RefreshCw } from 'lucide-react'
import { memo, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { ConversationId, Message, Usage } from '@/api/protocol.gen'
import { runOf } from '@/code/runs'
import { Boundary } from '@/design/Boundary'
import { CopyButton } from '@/design/CopyButton'
import { timeOfDay } from '@/design/format'
import { IconButton } from '@/design/IconButton'
import { Face, type Mood, MoonCursor } from '@/design/Moon'
import { lazyPart } from '@/design/lazyPart'
import { Markdown } from '@/markdown/Markdown'
import { useMemoryStore } from '@/memory/useMemoryStore'
import { useStore } from '@/store'
import { isSettled } from './acts'
import { ActList, isShown } from './ActList'
import { Branches } from './Branches'
import { EndMark } from './EndMark'
import type { LiveTurn } from './live'
import { MemoryChip } from './MemoryChip'
import { cutIntoPieces, type Cuts, NO_CUTS, type Piece } from './pieces'
import { PlanList } from './PlanList'
import { Reasoning } from './Reasoning'
import { activity, isTroubled, usageParts } from './wording'

/** The parts of a reply about code that accompany its text. */
const RunParts = lazyPart(() => import('@/code/RunParts'))

interface Props {
  chat: ConversationId
  message: Message
  last: boolean
}

/** A message from Luna: without a bubble, beside the small avatar. */
export const AssistantMessage = memo(function AssistantMessage({ chat, message, last }: Props) {
  const live = useStore((state) => (state.live[chat]?.messageId === message.id ? state.live[chat] : undefined))
  const streaming = live !== undefined
  const thoughtMs = message.usage?.reasoningMs ?? live?.thoughtMs ?? null
  const hidden = useStore((state) => state.cardsHidden)
  const pieces = usePieces(message, hidden)
  const seen = useStore((state) => state.codeRuns[message.id])
  const { work } = message
  const code = useMemo(() => runOf({ work }, seen), [work, seen])
  const about = (where: 'above' | 'below') =>
    code && (
      <Boundary fallback={null}>
        <Suspense>
          <RunParts where={where} chat={chat} message={message} run={code} live={streaming} last={last} />
        </Suspense>
      </Boundary>
    )
  const mood: Mood = !streaming && isTroubled(message) ? 'sorry' : streaming && live.phase !== 'writing' ? 'thinking' : 'calm'
  return (
    <AssistantFrame mood={mood} id={message.id} time={message.createdAt}>
      <MemoryChip items={message.memory} />
      {about('above')}
      {!isWritten(message) && <PlanList steps={message.plan} live={streaming} all={code !== undefined} />}
      {message.reasoning && <Reasoning text={message.reasoning} thinking={live?.phase === 'thinking'} ms={thoughtMs} />}
      {pieces.length > 0 && (
        <div className="flex min-w-0 flex-col gap-3">
          {pieces.map((piece, index) =>
            piece.kind === 'text' ? (
              <Markdown key={piece.key} source={piece.source} streaming={streaming && index === pieces.length - 1} />
            ) : (
              <ActList key={piece.key} chat={chat} message={message.id} acts={piece.acts} live={streaming} hidden={hidden} />
            ),
          )}
        </div>
      )}
      {streaming && needsActivityLine(live, message, pieces) && <Activity live={live} moon={pieces.at(-1)?.kind !== 'text'} />}
      {about('below')}
      {!streaming && <EndMark chat={chat} message={message} last={last} />}
      {streaming ? <div className="mt-1 h-8 pointer-coarse:h-9" /> : <Actions chat={chat} message={message} />}
    </AssistantFrame>
  )
})

/** Returns true if no step of the plan has begun and the reply lists all of them in its text. */
function isWritten({ plan, content }: Message): boolean {
  return plan.every(({ title, status }) => status === 'pending' && content.includes(title))
}

/** The reply's text and tool calls in order, recomputed only from the point of change. */
function usePieces({ content, acts }: Message, hidden: boolean): Piece[] {
  const cuts = useRef<Cuts>(NO_CUTS)
  return useMemo(() => {
    const made = cutIntoPieces(cuts.current, content, acts.filter((act) => isShown(act, hidden)))
    cuts.current = made.cuts
    return made.pieces
  }, [content, acts, hidden])
}

/**
 * Returns true if a line must state the current activity: visible reasoning, text and running tools need
 * none.
 */
function needsActivityLine(live: LiveTurn, message: Message, pieces: Piece[]): boolean {
  if (live.lineLost || live.stopping) return true
  if (pieces.length === 0) return !message.reasoning || message.acts.length > 0
  const last = pieces.at(-1)
  return last?.kind === 'acts' && last.acts.every((act) => isSettled(act.status))
}

interface FrameProps {
  mood: Mood
  id?: string
  time?: string
  children: React.ReactNode
}

export function AssistantFrame({ mood, id, time, children }: FrameProps) {
  const name = useStore((state) => state.companionName)
  return (
    <article aria-label={name} data-message={id} className="group relative @xl:ps-11">
      <div className="mb-1 flex items-center gap-2.5">
        <Face size={28} mood={mood} className="@xl:absolute @xl:-start-0 @xl:-top-0.5" />
        <h2 className="display text-15 font-medium text-accent-text">{name}</h2>
        {time && <span className="message-actions text-12 text-faint">{timeOfDay(time)}</span>}
      </div>
      {children}
    </article>
  )
}

/** The current activity while there is nothing to read yet. A text appears within a second. */
export function Activity({ live, moon }: { live: LiveTurn; moon: boolean }) {
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
  const { askToForget } = useMemoryStore.getState()
  const { regenerate, showWhy } = useStore.getState()
  const leavesNothing = useStore((state) => state.incognito === chat)
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
        {!leavesNothing && (
          <IconButton size="small" label="Forget this" disabled={busy} onClick={() => void askToForget({ message: message.id })}>
            <Eraser size={15} />
          </IconButton>
        )}
        {message.usage && <Cost usage={message.usage} />}
      </div>
    </div>
  )
}

/** The cost of the reply. A phone has room only for the first part. */
function Cost({ usage }: { usage: Usage }) {
  const [first, ...rest] = usageParts(usage)
  return (
    <span className="ms-2 min-w-0 truncate text-12 text-faint">
      {first}
      <span className="max-sm:hidden">{rest.map((part) => ` · ${part}`)}</span>
    </span>
  )
}
