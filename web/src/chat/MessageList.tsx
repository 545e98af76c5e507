import { ArrowDown, ChevronRight } from 'lucide-react'
import { memo, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { ConversationId, SummaryMark } from '@/api/protocol.gen'
import { dayName } from '@/design/format'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import { PlainText } from '@/markdown/PlainText'
import { TrialNote } from '@/models/TrialNote'
import { useStore } from '@/store'
import type { Conversation } from './conversation'
import { Trouble } from './EndMark'
import { FileChips, fromDraft } from './FileChips'
import { Activity, AssistantFrame, AssistantMessage } from './AssistantMessage'
import type { LiveTurn } from './live'
import type { Outgoing } from './state'
import { groupTurns, type TurnGroup } from './turns'
import { useReadingPosition } from './useReadingPosition'
import { UserBubble, UserMessage } from './UserMessage'

interface Props {
  draftKey: string
  id: ConversationId | null
  conversation: Conversation | undefined
}

export default function MessageList({ draftKey, id, conversation }: Props) {
  const outgoing = useStore((state) => state.outgoing[draftKey])
  const live = useStore((state) => (id === null ? undefined : state.live[id]))
  const view = useStore((state) => state.view)
  const target = useStore((state) => (state.route.page === 'chat' ? (state.route.message ?? null) : null))
  const scroller = useRef<HTMLDivElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const ready = conversation?.state === 'ready' || outgoing !== undefined
  const freshKey = useFreshTurn(draftKey, outgoing, live)
  const { below, toEnd } = useReadingPosition(scroller, end, {
    id: id ?? draftKey,
    view,
    ready,
    firstKey: conversation?.messages[0]?.id ?? null,
    sentKey: freshKey,
  })
  useTarget(scroller, id, target, ready)
  const earlier = useEarlier(scroller, id, Boolean(conversation?.before))
  return (
    <div className="@container-[size] relative min-h-0 flex-1">
      <div
        ref={scroller}
        tabIndex={-1}
        className="relative @container-[size] h-full overflow-y-auto overscroll-contain scroll-fade outline-none"
        data-testid="messages"
      >
        <div className="mx-auto w-full max-w-[46rem] px-4 pt-2 pb-6 @xl:px-6">
          <div ref={earlier} className="h-px" />
          {conversation?.loadingEarlier && <p className="py-3 text-center text-13 text-faint">Loading earlier messages…</p>}
          <Turns draftKey={draftKey} conversation={conversation} outgoing={outgoing} live={live} roomy={freshKey !== null} end={end} />
        </div>
      </div>
      {below && (
        <IconButton
          label="Go to the latest message"
          side="left"
          onClick={toEnd}
          // Placed beside the column if there is room, so that it covers no text. Hidden if a confirmation
          // request leaves hardly any height, where it would cover the content above and below.
          className="absolute [@container(max-height:7rem)]:hidden end-[max(0.75rem,calc(50%-26rem))] bottom-2 size-9! animate-appear rounded-full! bg-raised text-text shadow-float hover:bg-[color-mix(in_oklab,var(--text)_5%,var(--raised))] pointer-coarse:size-11!"
        >
          <ArrowDown size={16} />
        </IconButton>
      )}
    </div>
  )
}

interface Fresh {
  draftKey: string
  key: string
}

/** The turn that was begun last, for another view of the same conversation. */
let begunLast: Fresh | null = null

/**
 * Returns the key of the turn begun here, which keeps room below its message so that the reply grows into
 * empty space, or null if there is none.
 */
function useFreshTurn(draftKey: string, outgoing: Outgoing | undefined, live: LiveTurn | undefined): string | null {
  const [fresh, setFresh] = useState<Fresh | null>(() => (begunLast?.draftKey === draftKey ? begunLast : null))
  const beginning = outgoing?.clientMessageId ?? (live && live.origin.kind === 'regenerate' ? `again ${live.startedAt}` : null)
  useEffect(() => {
    if (beginning === null) return
    begunLast = { draftKey, key: beginning }
    setFresh(begunLast)
  }, [beginning, draftKey])
  return fresh !== null && (fresh.draftKey === draftKey || fresh.draftKey === 'new') ? fresh.key : null
}

interface TurnsProps {
  draftKey: string
  conversation: Conversation | undefined
  outgoing: Outgoing | undefined
  live: LiveTurn | undefined
  roomy: boolean
  end: RefObject<HTMLDivElement | null>
}

/** The stored turns, and the one that is beginning. */
function Turns({ draftKey, conversation, outgoing, live, roomy, end }: TurnsProps) {
  const messages = conversation?.messages
  const known = useRef<TurnGroup[]>([])
  const groups = useMemo(() => {
    known.current = groupTurns(messages ?? [], new Date(), known.current)
    return known.current
  }, [messages])
  const waiting = live !== undefined && live.messageId === null
  const begins = (outgoing !== undefined || waiting) && live?.origin.kind !== 'regenerate'
  const tail = (
    <>
      {waiting && <Waiting live={live} />}
      {!live && !outgoing && <TrialNote className="@xl:ps-11" />}
      <div ref={end} />
    </>
  )
  return (
    <>
      {groups.map((group, index) => {
        const closing = index === groups.length - 1 && !begins
        return (
          <Turn key={group.key} group={group} chat={draftKey} last={closing} roomy={closing && roomy} summary={conversation?.summary ?? null}>
            {closing && tail}
          </Turn>
        )
      })}
      {begins && (
        <section data-last-turn className={classNames('flex flex-col gap-4 pt-6', roomy && ROOM)}>
          {outgoing && <OutgoingView draftKey={draftKey} message={outgoing} />}
          {tail}
        </section>
      )}
    </>
  )
}

/** The minimum height of a turn with room for a reply: it fills the view. */
const ROOM = 'min-h-[calc(100cqh-2rem)]'

interface TurnProps {
  group: TurnGroup
  chat: ConversationId
  last: boolean
  roomy: boolean
  summary: SummaryMark | null
  children: React.ReactNode
}

const Turn = memo(function Turn({ group, chat, last, roomy, summary, children }: TurnProps) {
  const first = group.messages[0]
  return (
    <section
      data-last-turn={last ? '' : undefined}
      className={classNames('flex flex-col gap-4 pt-6', roomy && ROOM)}
    >
      {group.opensDay && first && (
        <div className="flex items-center gap-4 pb-1 text-12 text-faint" role="separator" aria-label={dayName(first.createdAt, new Date())}>
          <span className="h-px flex-1 bg-hairline" />
          {dayName(first.createdAt, new Date())}
          <span className="h-px flex-1 bg-hairline" />
        </div>
      )}
      {group.messages.map((message, index) =>
        message.role === 'user' ? (
          <UserMessage key={message.id} chat={chat} message={message} />
        ) : (
          <AssistantMessage key={message.id} chat={chat} message={message} last={last && index === group.messages.length - 1} />
        ),
      )}
      {summary && group.messages.some((message) => message.id === summary.upTo) && <SummaryLine summary={summary} />}
      {children}
    </section>
  )
})

/** The mark up to which the model receives the conversation as a summary. Here the messages stay complete. */
function SummaryLine({ summary }: { summary: SummaryMark }) {
  const [open, setOpen] = useState(false)
  return (
    <div className="rounded-card bg-[color-mix(in_oklab,var(--text)_4%,transparent)] px-4 py-2.5 text-13 text-muted">
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className="flex w-full items-center gap-2 text-start">
        <ChevronRight size={15} className={classNames('transition-transform duration-200', open && 'rotate-90')} />
        Up to here she remembers this conversation as a summary.
      </button>
      {open && <div className="mt-2 ps-6 wrap-anywhere whitespace-pre-wrap">{summary.text}</div>}
    </div>
  )
}

function OutgoingView({ draftKey, message }: { draftKey: string; message: Outgoing }) {
  const { resend, discard } = useStore.getState()
  return (
    <article aria-label="You" className="flex flex-col items-end">
      <UserBubble>
        <FileChips files={message.files.map(fromDraft)} large />
        {message.text !== '' && <PlainText text={message.text} />}
      </UserBubble>
      {!message.trouble && <div className="mt-1 h-8 pointer-coarse:h-9" />}
      {message.trouble && (
        <div className="max-w-full">
          <Trouble
            message={`${message.trouble.message} Your message is kept here.`}
            code={message.trouble.code}
            onRetry={() => void resend(draftKey)}
            onDiscard={() => discard(draftKey)}
          />
        </div>
      )}
    </article>
  )
}

function Waiting({ live }: { live: LiveTurn }) {
  return (
    <AssistantFrame mood="thinking">
      <Activity live={live} moon />
    </AssistantFrame>
  )
}

/** Loads earlier messages before the reader reaches the first one. */
function useEarlier(scroller: RefObject<HTMLDivElement | null>, id: ConversationId | null, more: boolean) {
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!more || id === null || !mark.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) void useStore.getState().loadEarlier(id)
      },
      { root: scroller.current, rootMargin: '800px 0px 0px 0px' },
    )
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [scroller, id, more])
  return mark
}

/** Scrolls to the message named in the address, loading it first if needed. */
function useTarget(scroller: RefObject<HTMLDivElement | null>, id: ConversationId | null, target: string | null, ready: boolean): void {
  useEffect(() => {
    if (id === null || target === null || !ready) return
    let gone = false
    void useStore
      .getState()
      .findMessage(id, target)
      .then((found) => {
        if (gone || !found) return
        requestAnimationFrame(() => {
          const element = scroller.current?.querySelector<HTMLElement>(`[data-message="${target}"]`)
          element?.scrollIntoView({ block: 'start' })
          element?.setAttribute('data-found', '')
          setTimeout(() => element?.removeAttribute('data-found'), 2400)
        })
      })
    return () => {
      gone = true
    }
  }, [scroller, id, target, ready])
}
