import { Check, Redo2, Undo2, X } from 'lucide-react'
import { useMemo } from 'react'
import type { Proposal } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { Keys } from '@/design/Keys'
import { plain } from '@/tools/wording'
import { allChanges, takenCount } from './choices'
import { inYourFiles } from './decisions'
import type { Review } from './state'
import { useCodeStore } from './useCodeStore'

const BUSY: Record<Exclude<Review['busy'], null>, string> = { apply: 'Applying…', reject: 'Rejecting…', undo: 'Undoing…', redo: 'Redoing…', rebase: 'Updating…' }

/** The actions on a proposal, always visible. */
export function ReviewBar({ review, proposal }: { review: Review; proposal: Proposal }) {
  const { apply, stepReview } = useCodeStore.getState()
  const changes = useMemo(() => allChanges(proposal), [proposal])
  const taken = takenCount(review.choices, changes)
  const busy = review.busy !== null
  const { id, status } = proposal
  const stale = proposal.stale.length > 0
  if (status === 'rejected' || (status === 'applied' && !proposal.canUndo) || (status === 'undone' && !proposal.canRedo)) return <Ended proposal={proposal} />
  return (
    <div className="flex min-h-14 shrink-0 flex-wrap items-center gap-2 border-t border-hairline px-4 py-2.5">
      {status === 'open' && (
        <>
          <Button variant="primary" icon={<Check size={15} />} disabled={busy || taken === 0 || stale} onClick={() => void apply(id)}>
            {taken === changes.length || taken === 0 ? `Apply ${changes.length > 1 ? 'all' : 'it'}` : `Apply ${taken} of ${changes.length}`}
          </Button>
          <Button icon={<X size={15} />} disabled={busy} onClick={() => void stepReview(id, 'reject')}>
            Reject
          </Button>
          {stale && !review.refusal && <p className="text-13 text-muted max-sm:basis-full">Update it first.</p>}
          {taken > 0 && !stale && !review.refusal && proposal.verify?.outcome === 'failed' && <p className="text-13 text-warn max-sm:basis-full">{taken < changes.length ? 'The check fails with all of the changes.' : 'The check fails with this change.'}</p>}
          {taken === 0 && !stale && <p className="text-13 text-muted max-sm:basis-full">Everything is skipped.</p>}
        </>
      )}
      {status === 'applied' && (
        <>
          <Button icon={<Undo2 size={15} />} disabled={busy} onClick={() => void stepReview(id, 'undo')}>
            Undo
          </Button>
          <p className="text-13 text-muted">{inYourFiles(proposal.files)}</p>
        </>
      )}
      {status === 'undone' && (
        <>
          <Button icon={<Redo2 size={15} />} disabled={busy} onClick={() => void stepReview(id, 'redo')}>
            Redo
          </Button>
          <p className="text-13 text-muted">It was undone.</p>
        </>
      )}
      {review.refusal && !busy && (
        <p role="alert" className="min-w-0 text-13 text-pretty wrap-anywhere text-danger max-sm:basis-full">
          {plain(review.refusal)}
        </p>
      )}
      {review.busy && (
        <p role="status" className="text-13 text-faint">
          {BUSY[review.busy]}
        </p>
      )}
      {status === 'open' && !busy && !review.refusal && <Hints />}
    </div>
  )
}

function Ended({ proposal: { status, files } }: { proposal: Proposal }) {
  // Not necessarily rejected by the user: a later run may have built on it.
  const text = { rejected: 'These changes were rejected. No file was changed.', applied: `${inYourFiles(files)} It can no longer be undone here.`, undone: 'These changes were undone.', open: '' }[status]
  return <p className="shrink-0 border-t border-hairline px-5 py-4 text-13 text-muted">{text}</p>
}

const HINTS = [
  ['j', 'k', 'move'],
  ['y', 'n', 'keep, skip'],
  ['a', '', 'whole file'],
  ['e', '', 'edit'],
  ['enter', '', 'apply'],
] as const

function Hints() {
  return (
    <ul aria-label="Keys" className="ms-auto hidden items-center gap-4 text-12 text-faint @4xl/centre:flex touch:hidden!">
      {HINTS.map(([one, other, title]) => (
        <li key={title} className="flex items-center gap-1.5">
          <Keys keys={one} />
          {other !== '' && <Keys keys={other} />}
          {title}
        </li>
      ))}
    </ul>
  )
}
