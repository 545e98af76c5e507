import { ArrowUpRight, Eraser, Lock, LockOpen, RotateCcw } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Fact, FactCategory } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { fullTime, percent, plural, since } from '@/design/format'
import { classNames } from '@/design/classNames'
import { Select } from '@/design/Select'
import { fragmentOf } from '@/shell/route'
import { plain } from '@/tools/wording'
import { factKey, type MemoryDraft } from './drafts'
import { CancelButton, EditText, editKeys } from './EditText'
import { FactHistoryView } from './FactHistoryView'
import { returnToRow } from './VirtualList'
import { OriginMark } from './OriginMark'
import { changes, day } from './factChanges'
import { DoubtQuestion } from './DoubtQuestion'
import { useDraft } from './useDraft'
import { useMemoryStore } from './useMemoryStore'
import { about, CATEGORIES, ENDED, endOf, fading, sourceRoute, sourceWords, sureness } from './wording'

/** The maximum length of a fact, which should be a sentence. */
const LONGEST = 2000
/** The maximum length of a subject, such as a name or a relation to the user. */
const LONGEST_SUBJECT = 100
const FIELD = 'h-9 rounded-control bg-[color-mix(in_oklab,var(--text)_5%,transparent)] px-2.5 text-13 pointer-coarse:h-11'
/** The maximum total of the scroll margins above and below the panel, in pixels. */
const MARGINS = 240

interface Props {
  fact: Fact
  onClose: () => void
  /** True on a page of its own, where there is nothing to close. */
  alone?: boolean
}

/**
 * The details of a fact, for reading and editing. Ctrl+S saves, Escape discards, and leaving keeps the
 * changes as a draft.
 */
export function FactPanel({ fact, onClose, alone = false }: Props) {
  const begun = useDraft(factKey(fact.id)) ?? {}
  const { changeFact, keepDraft, dropFactChange, askToForget } = useMemoryStore.getState()
  const { content = fact.content, subject = fact.subject, category = fact.category, private: isPrivate = fact.private, expiresAt: expires = day(fact.expiresAt) } = begun
  const change = (part: MemoryDraft) => keepDraft(factKey(fact.id), { ...begun, ...part })
  const past = ENDED[fact.status] !== ''
  const patch = changes(fact, begun)
  const changed = Object.keys(patch).length > 0
  const panel = useRef<HTMLElement>(null)
  // A panel opened at the lower edge would show only its first line. The scroll margins leave room for a
  // notice below it and for the sticky search above it.
  useEffect(() => {
    const { current } = panel
    if (alone || !current) return
    // For a panel that does not fit, `nearest` could align its lower edge.
    const room = (current.closest('[data-testid=page]')?.clientHeight ?? 0) - MARGINS
    current.scrollIntoView({ block: current.offsetHeight > room ? 'start' : 'nearest' })
  }, [alone])
  const save = () => {
    // The error message is shown below the text.
    if (!past && content.trim() === '') return
    dropFactChange(fact.id)
    if (changed && !past) void changeFact(fact.id, patch)
    if (!alone) finish()
  }
  const cancel = () => {
    dropFactChange(fact.id)
    if (!alone) finish()
  }
  const finish = () => {
    onClose()
    returnToRow(fact.id)
  }

  return (
    <section ref={panel} aria-label={plain(fact.content)} onKeyDown={editKeys(save, cancel)} className="scroll-mt-32 scroll-mb-20 pointer-coarse:scroll-mt-40">
      {past ? (
        <>
          <p className="text-15 wrap-anywhere" dir="auto">
            {plain(fact.content)}
          </p>
          <p className="mt-1 flex flex-wrap gap-x-3 text-13 text-muted">
            {ENDED[fact.status]}.
            {fact.supersededBy && (
              <a href={fragmentOf({ page: 'memory', tab: 'facts', item: fact.supersededBy })} className="text-blue underline decoration-1 underline-offset-3">
                What replaced it
              </a>
            )}
          </p>
        </>
      ) : (
        <>
          <EditText focus label="What the fact says" value={content} onChange={(text) => change({ content: text })} maxLength={LONGEST} />
          {content.trim() === '' && <p className="mt-1 text-13 text-warn">It cannot be empty. To remove it, use “Forget this”.</p>}
          <div className="mt-3 flex flex-wrap items-center gap-2">
            <Select label="Kind" value={category} onChange={(value) => change({ category: value as FactCategory })} className="w-36">
              {Object.entries(CATEGORIES).map(([value, { title }]) => (
                <option key={value} value={value}>
                  {title}
                </option>
              ))}
            </Select>
            <Button variant={isPrivate ? 'raised' : 'quiet'} className="h-9" aria-pressed={isPrivate} title="It never leaves this machine, and she tells it only to you" onClick={() => change({ private: !isPrivate })}>
              {isPrivate ? <Lock size={15} className="text-accent-text" /> : <LockOpen size={15} />}
              Private
            </Button>
            <label className="flex items-center gap-2 text-13 text-muted">
              About
              <input
                value={subject}
                placeholder="you"
                maxLength={LONGEST_SUBJECT}
                dir="auto"
                onChange={(event) => change({ subject: event.target.value })}
                className={classNames(FIELD, 'w-36 text-text placeholder:text-faint')}
              />
            </label>
            <label className="flex items-center gap-2 text-13 text-muted">
              Until
              <input
                type="date"
                value={expires}
                onChange={(event) => change({ expiresAt: event.target.value })}
                className={classNames(FIELD, expires === '' ? 'text-faint' : 'text-text')}
              />
            </label>
          </div>
        </>
      )}
      {fact.doubt && <DoubtQuestion fact={fact} doubt={fact.doubt} className="mt-4" />}
      <Provenance fact={fact} />
      <FactHistoryView fact={fact} />
      <div className="mt-4 flex flex-wrap items-center gap-2 border-t border-hairline pt-4">
        <Button variant="danger" icon={<Eraser size={15} />} onClick={() => void askToForget({ fact: fact.id })}>
          Forget this
        </Button>
        {fact.status === 'faded' && (
          <Button icon={<RotateCcw size={15} />} onClick={() => void changeFact(fact.id, { confirmed: true })}>
            Restore it
          </Button>
        )}
        <span className="flex-1" />
        {(!alone || changed) && (
          <CancelButton onCancel={cancel}>{past ? 'Close' : 'Cancel'}</CancelButton>
        )}
        {!past && (!alone || changed) && (
          <Button variant="primary" onClick={save}>
            Save
          </Button>
        )}
      </div>
    </section>
  )
}

/** The origin of a fact, its confidence, and the period in which it is valid. */
function Provenance({ fact }: { fact: Fact }) {
  const route = sourceRoute(fact.source)
  const now = new Date()
  return (
    <>
      {fact.quote !== null && fact.quote !== '' && (
        <blockquote className="mt-4 border-s-2 border-hairline ps-3.5">
          <p className="display text-15 wrap-anywhere whitespace-pre-wrap text-muted" dir="auto">
            “{plain(fact.quote)}”
          </p>
        </blockquote>
      )}
      <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-13 text-muted">
        <span className="min-w-0 wrap-anywhere">
          <bdi>{sourceWords(fact.source)}</bdi>, {fullTime(fact.createdAt)}
        </span>
        {route && (
          <a href={fragmentOf(route)} className="flex items-center gap-0.5 text-blue underline decoration-1 underline-offset-3 pointer-coarse:py-2">
            Where does this come from?
            <ArrowUpRight size={14} />
          </a>
        )}
        <OriginMark origins={fact.origins} />
      </p>
      <p className="mt-1 text-13 text-muted">
        {ENDED[fact.status] === '' && (
          <>
            {sureness(fact.confidence)} ({percent(fact.confidence)}), <bdi>{about(fact.subject)}</bdi>. {fading(fact.halfLifeDays, endOf(fact), now)}.{' '}
          </>
        )}
        {fact.useCount > 0 && fact.lastUsedAt ? `It came up ${plural(fact.useCount, 'time')}, last ${since(fact.lastUsedAt, now)}.` : 'It has not come up yet.'}
        {fact.validFrom && ` Valid from ${dayWords(fact.validFrom)}${fact.validTo ? ` to ${dayWords(fact.validTo)}` : ''}.`}
        {!fact.validFrom && fact.validTo && ` Valid until ${dayWords(fact.validTo)}.`}
      </p>
    </>
  )
}

const days = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', year: 'numeric' })

function dayWords(at: string): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? plain(at) : days.format(date)
}
