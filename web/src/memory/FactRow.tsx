import { Check, Lock } from 'lucide-react'
import { memo } from 'react'
import type { Fact } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { since } from '@/design/format'
import { classNames } from '@/design/classNames'
import { own } from '@/design/own'
import { plain } from '@/tools/wording'
import { UnsavedChange } from './UnsavedChange'
import { factKey } from './drafts'
import { FactPanel } from './FactPanel'
import { ConfidenceMeter } from './ConfidenceMeter'
import { OriginMark } from './OriginMark'
import { changes } from './factChanges'
import { DoubtQuestion } from './DoubtQuestion'
import { useDraft } from './useDraft'
import { useMemoryStore } from './useMemoryStore'
import { about, CATEGORIES, ENDED, endOf, until } from './wording'

/** A fact as a line, or as a panel while it is open for editing. */
export const FactRow = memo(function FactRow({ fact, tabbable }: { fact: Fact; tabbable: boolean }) {
  const open = useMemoryStore((state) => state.openedFact === fact.id)
  const { openFact } = useMemoryStore.getState()
  return open ? (
    <div className="-mx-4 my-2 rounded-panel bg-surface px-4 py-4 shadow-lit sm:-mx-5 sm:px-5">
      <FactPanel fact={fact} onClose={() => openFact(null)} />
    </div>
  ) : (
    <Line fact={fact} tabbable={tabbable} />
  )
})

function Line({ fact, tabbable }: { fact: Fact; tabbable: boolean }) {
  const trouble = useMemoryStore((state) => own(state.factTrouble, fact.id))
  const chosen = useMemoryStore((state) => state.chosenFacts.some(({ id }) => id === fact.id))
  const draft = useDraft(factKey(fact.id))
  const begun = draft !== undefined && Object.keys(changes(fact, draft)).length > 0
  const { openFact, dropFactChange } = useMemoryStore.getState()
  const past = ENDED[fact.status] !== ''
  const end = endOf(fact)
  return (
    <div className={classNames('group -mx-3 rounded-card transition-colors', chosen ? 'bg-[color-mix(in_oklab,var(--blue)_12%,transparent)]' : 'hover:bg-hover')}>
      <div className="flex items-start">
        <Choose fact={fact} chosen={chosen} />
        <button
          type="button"
          data-row={fact.id}
          tabIndex={tabbable ? 0 : -1}
          aria-expanded={false}
          onClick={() => openFact(fact.id)}
          className="flex min-w-0 flex-1 items-start gap-4 rounded-card py-2.5 pe-3 text-start"
        >
          <span className="min-w-0 flex-1">
            <span className={classNames('line-clamp-3 text-15 wrap-anywhere', past && 'text-muted')} dir="auto">
              {plain(fact.content)}
            </span>
            <span className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-12/5 text-faint">
              <span className="min-w-0 wrap-anywhere">
                {CATEGORIES[fact.category]?.title ?? fact.category}, <bdi>{about(fact.subject)}</bdi>
              </span>
              <span>{past ? ENDED[fact.status] : used(fact)}</span>
              {end !== null && !past && <span className="text-muted">{until(end, new Date())}</span>}
              {fact.private && (
                <span title="It never leaves this machine" className="flex items-center gap-1">
                  <Lock size={12} />
                  private
                </span>
              )}
              <OriginMark origins={fact.origins} />
            </span>
          </span>
          <span className="mt-1.5 flex">{!past && <ConfidenceMeter fact={fact} />}</span>
        </button>
      </div>
      {fact.status === 'unconfirmed' && <YesOrNo fact={fact} />}
      {fact.doubt && <DoubtQuestion fact={fact} doubt={fact.doubt} className="ps-11 pe-3 pb-3" />}
      {begun && !trouble && <UnsavedChange name={plain(fact.content)} onResume={() => openFact(fact.id)} onDrop={() => dropFactChange(fact.id)} />}
      {trouble && (
        <p role="alert" className="flex flex-wrap items-center gap-x-3 ps-11 pe-3 pb-2.5 text-13 text-danger">
          <span className="min-w-0 wrap-anywhere">{trouble} It stays as it was.</span>
          <Button variant="quiet" className="h-7" onClick={() => openFact(fact.id)}>
            Change it again
          </Button>
        </p>
      )}
    </div>
  )
}

function used({ lastUsedAt, useCount, createdAt }: Fact): string {
  if (lastUsedAt === null || useCount === 0) return `learned ${since(createdAt, new Date())}`
  return `came up ${since(lastUsedAt, new Date())}`
}

/**
 * The icon of the fact's kind, which becomes a checkbox on hover. Touch screens have no hover, so there it is
 * always the checkbox.
 */
function Choose({ fact, chosen }: { fact: Fact; chosen: boolean }) {
  const choosing = useMemoryStore((state) => state.chosenFacts.length > 0)
  const Icon = CATEGORIES[fact.category]?.icon ?? CATEGORIES.personal.icon
  return (
    <label className="relative grid size-11 shrink-0 place-items-center">
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={`Select: ${plain(fact.content)}`}
        checked={chosen}
        onChange={(event) => useMemoryStore.getState().chooseFact(fact, event.target.checked)}
        className="peer absolute inset-0 opacity-0"
      />
      <Icon size={17} className={classNames('text-faint', choosing ? 'hidden' : 'group-hover:hidden touch:hidden')} />
      <span
        aria-hidden="true"
        className={classNames(
          'size-4 place-items-center rounded-[4px] peer-focus-visible:outline-2 peer-focus-visible:outline-blue',
          choosing ? 'grid' : 'hidden group-hover:grid touch:grid',
          chosen ? 'bg-blue text-ground' : 'shadow-[inset_0_0_0_1.5px_var(--faint)]',
        )}
      >
        {chosen && <Check size={12} strokeWidth={2.5} />}
      </span>
    </label>
  )
}

/** The buttons to confirm or reject a fact that came from untrusted content. */
function YesOrNo({ fact }: { fact: Fact }) {
  const changeFact = useMemoryStore((state) => state.changeFact)
  return (
    <div className="flex flex-wrap items-center gap-2 ps-11 pe-3 pb-3">
      <Button className="h-7" aria-label={`Correct: ${plain(fact.content)}`} onClick={() => void changeFact(fact.id, { confirmed: true })}>
        Correct
      </Button>
      <Button variant="quiet" className="h-7" aria-label={`Wrong: ${plain(fact.content)}`} onClick={() => void changeFact(fact.id, { confirmed: false })}>
        Wrong
      </Button>
    </div>
  )
}
