import { ArrowRightLeft, Check, CircleDashed, CircleDot, CircleHelp, Hourglass, type LucideIcon, Merge, Pencil, Repeat, Star, Undo2 } from 'lucide-react'
import { memo, useEffect, useMemo, useRef } from 'react'
import type { FactChangeKind, FactId } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { dayName, fullTime, timeOfDay } from '@/design/format'
import { classNames } from '@/design/classNames'
import { RetryNote, LoadingNote, EmptyState, PageFrame } from '@/shell/PageFrame'
import { fragmentOf } from '@/shell/route'
import { plain } from '@/tools/wording'
import { timelineDays, type TimelineItem, type TimelineDay } from './pastTexts'
import { useMemoryStore } from './useMemoryStore'
import { happened } from './wording'

const SIGNS: Record<FactChangeKind, { icon: LucideIcon; colour: string }> = {
  learned: { icon: CircleDot, colour: 'text-accent-text' },
  repeated: { icon: Repeat, colour: 'text-faint' },
  edited: { icon: Pencil, colour: 'text-faint' },
  confirmed: { icon: Check, colour: 'text-ok' },
  superseded: { icon: ArrowRightLeft, colour: 'text-faint' },
  replaced: { icon: ArrowRightLeft, colour: 'text-blue' },
  merged: { icon: Merge, colour: 'text-faint' },
  expired: { icon: Hourglass, colour: 'text-faint' },
  doubted: { icon: CircleHelp, colour: 'text-accent-text' },
  faded: { icon: CircleDashed, colour: 'text-faint' },
  promoted: { icon: Star, colour: 'text-accent-text' },
  undone: { icon: Undo2, colour: 'text-faint' },
}

/** The changes after which a fact no longer holds. */
const GONE: readonly FactChangeKind[] = ['superseded', 'expired', 'faded']
const NO_MORE = 'text-13 wrap-anywhere text-faint line-through decoration-1'

/** The timeline, day by day: facts learned, replaced and faded. */
export function TimelineView() {
  const { days, next, state, trouble } = useMemoryStore((store) => store.timeline)
  const { openTimeline } = useMemoryStore.getState()
  useEffect(() => void openTimeline(), [openTimeline])
  const shown = useMemo(() => timelineDays(days), [days])
  const empty = days.length === 0
  return (
    <PageFrame page="timeline" about="Day by day: what she learned, what replaced what, and what faded.">
      <div className="pt-5">
        {shown.map((day) => (
          <Day key={day.day} day={day} />
        ))}
      </div>
      {empty && state === 'ready' && <EmptyState title="Nothing here yet" text="What she learns from now on appears here, day by day." />}
      {empty && state === 'loading' && <LoadingNote text="Loading earlier days…" rows={4} />}
      {state === 'failed' && <RetryNote text={trouble ?? ''} onRetry={() => void openTimeline()} />}
      {!empty && next !== null && state !== 'failed' && <Older busy={state === 'loading'} />}
      {!empty && next === null && state === 'ready' && <p className="py-6 text-center text-13 text-faint">This is the beginning.</p>}
    </PageFrame>
  )
}

const Day = memo(function Day({ day }: { day: TimelineDay }) {
  // A calendar day: noon belongs to it in every time zone of the reader.
  const title = dayName(`${day.day}T12:00:00`, new Date())
  return (
    <section aria-label={title} className="pb-6 [contain-intrinsic-size:auto_12rem] [content-visibility:auto]">
      <h2 className="pb-1 text-12 text-faint">{title}</h2>
      <ol className="relative before:absolute before:inset-y-4 before:start-[7px] before:w-px before:bg-hairline">
        {day.items.map((item, index) => (
          <Entry key={`${item.entry.fact.id} ${item.entry.at} ${index}`} item={item} />
        ))}
      </ol>
    </section>
  )
})

function Entry({ item }: { item: TimelineItem }) {
  const { entry, text, before, inPlaceOf } = item
  const { icon: Icon, colour } = SIGNS[inPlaceOf ? 'replaced' : entry.kind] ?? SIGNS.learned
  return (
    <li className="relative flex gap-4 py-1.5">
      <span className="mt-0.5 grid size-4 shrink-0 place-items-center bg-ground py-3">
        <Icon size={15} className={colour} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2.5">
          <span className="text-12 text-faint">{happened(entry.kind, inPlaceOf !== null)}</span>
          <time dateTime={entry.at} title={fullTime(entry.at)} className="text-12 text-faint">
            {timeOfDay(entry.at)}
          </time>
        </p>
        <FactLink
          id={entry.fact.id}
          text={text}
          className={classNames('text-15 underline decoration-transparent underline-offset-3 hover:decoration-faint', GONE.includes(entry.kind) && 'text-muted')}
        />
        {before !== null && (
          <p className={NO_MORE} dir="auto">
            {plain(before)}
          </p>
        )}
        {inPlaceOf?.map(({ id, text: once }) => <FactLink key={id} id={id} text={once} className={classNames(NO_MORE, 'hover:text-muted')} />)}
      </div>
    </li>
  )
}

function FactLink({ id, text, className }: { id: FactId; text: string; className: string }) {
  return (
    <a href={fragmentOf({ page: 'memory', tab: 'facts', item: id })} dir="auto" className={classNames('block wrap-anywhere transition-colors', className)}>
      {plain(text)}
    </a>
  )
}

/** Loads older days before the reader reaches the end; a button does the same. */
function Older({ busy }: { busy: boolean }) {
  const mark = useRef<HTMLDivElement>(null)
  const olderTimeline = useMemoryStore((state) => state.olderTimeline)
  useEffect(() => {
    const element = mark.current
    if (!element || busy) return
    const observer = new IntersectionObserver((seen) => seen.some((entry) => entry.isIntersecting) && void olderTimeline(), {
      root: element.closest('[data-testid=page]'),
      rootMargin: '600px 0px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [busy, olderTimeline])
  return (
    <div ref={mark} className="py-4 text-center">
      {busy ? (
        <p role="status" className="text-13 text-faint">
          Loading older days…
        </p>
      ) : (
        <Button variant="quiet" onClick={() => void olderTimeline()}>
          Show older days
        </Button>
      )}
    </div>
  )
}
