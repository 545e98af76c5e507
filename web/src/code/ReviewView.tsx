import { AlignJustify, Columns2 } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { isTyping } from '@/actions/useShortcuts'
import type { Proposal, ProposalId, VerifyError } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { plural, since } from '@/design/format'
import { IconButton } from '@/design/IconButton'
import { isStill } from '@/design/media'
import { own } from '@/design/own'
import { BacktickText } from '@/design/BacktickText'
import { useWidth } from '@/design/useSize'
import { RetryNote, LoadingNote } from '@/shell/PageFrame'
import { useStore } from '@/store'
import { plain } from '@/tools/wording'
import { changesOf } from './choices'
import { Counts } from './Counts'
import { fileCount, acceptedFiles } from './decisions'
import { holdsLine } from './hunks'
import { ReviewBar } from './ReviewBar'
import { ReviewCheck } from './ReviewCheck'
import { ReviewFile } from './ReviewFile'
import { ReviewRail } from './ReviewRail'
import type { Review } from './state'
import { StatusMark } from './StatusMark'
import { useCodeStore } from './useCodeStore'

/** The width from which two columns of code fit. */
const ROOM_FOR_TWO = 1000
/** The width from which the list of files fits beside it. */
const ROOM_FOR_RAIL = 720

/** The review of a proposal, file by file and hunk by hunk. */
export default function ReviewView({ id }: { id: ProposalId }) {
  const review = useCodeStore((state) => own(state.reviews, id))
  const { openReview } = useCodeStore.getState()
  if (!review?.proposal) {
    return <div className="px-6">{review?.trouble ? <RetryNote text={review.trouble} onRetry={() => void openReview(id)} /> : <LoadingNote text="Fetching the changes…" rows={3} />}</div>
  }
  return <Loaded review={review} proposal={review.proposal} />
}

function Loaded({ review, proposal }: { review: Review; proposal: Proposal }) {
  const frame = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const wanted = useCodeStore((state) => state.diffView)
  const split = wanted === 'split' && width >= ROOM_FOR_TWO
  const rail = width >= ROOM_FOR_RAIL
  const [found, setFound] = useState<{ path: string; line: number } | null>(null)
  useFollow(scroller, review.at)
  useFocus(scroller)
  const jump = (error: VerifyError) => {
    const file = proposal.files.find(({ path }) => path === error.file)
    const hunk = error.line === undefined ? undefined : file?.hunks.find((known) => holdsLine(known, error.line ?? 0))
    if (file && hunk && error.line !== undefined) {
      setFound({ path: file.path, line: error.line })
      requestAnimationFrame(() => scroller.current?.querySelector('[data-found-line]')?.scrollIntoView({ block: 'center', behavior: isStill() ? 'auto' : 'smooth' }))
    } else if (error.file) useStore.getState().go({ page: 'code', view: 'file', item: error.file, ...(error.line ? { line: error.line } : {}) })
  }
  const check = <ReviewCheck review={review} proposal={proposal} rail={rail} onJump={jump} />
  return (
    <div ref={frame} className="flex min-h-0 flex-1 flex-col" onKeyDown={(event) => press(event, proposal)}>
      <Head proposal={proposal} roomy={width >= ROOM_FOR_TWO} />
      <div className="flex min-h-0 flex-1">
        {rail && (
          <div className="flex w-60 shrink-0 flex-col overflow-y-auto border-e border-hairline pb-4">
            <ReviewRail review={review} proposal={proposal} />
            {check}
          </div>
        )}
        <div ref={scroller} tabIndex={-1} role="group" aria-label="Changes" className="relative min-w-0 flex-1 overflow-y-auto overscroll-contain outline-none" data-testid="changes">
          {!rail && check}
          {proposal.stale.length > 0 && proposal.status === 'open' && <Stale proposal={proposal} busy={review.busy === 'rebase'} />}
          {proposal.files.map((file) => (
            <ReviewFile key={file.path} id={proposal.id} open={proposal.status === 'open'} file={file} review={review} split={split} found={found?.path === file.path ? found.line : null} />
          ))}
          {proposal.files.length === 0 && <p className="px-6 py-10 text-15 text-muted">There are no changes.</p>}
        </div>
      </div>
      <ReviewBar review={review} proposal={proposal} />
    </div>
  )
}

/** Handles the single-key shortcuts, except while the user types. */
function press(event: KeyboardEvent, { id, status, canUndo }: Proposal): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  const state = useCodeStore.getState()
  const at = state.reviews[id]?.at ?? null
  const file = at === null ? null : at.slice(at.indexOf(' ') + 1)
  const onControl = event.target instanceof Element && event.target.closest('button, a, summary') !== null
  switch (event.key) {
    case 'j':
      state.stepChange(id, 1)
      break
    case 'k':
      state.stepChange(id, -1)
      break
    case 'y':
      if (at !== null) state.decide(id, at, 'yes')
      break
    case 'n':
      if (at !== null) state.decide(id, at, 'no')
      break
    case 'e':
      event.currentTarget.querySelector<HTMLButtonElement>('[data-active] [data-edit]')?.click()
      break
    case 'a':
      if (file !== null) state.decideFile(id, file)
      break
    case 'u':
      if (status !== 'applied' || !canUndo) return
      void state.stepReview(id, 'undo')
      break
    case 'Enter':
      // On a button, Enter presses that button.
      if (onControl || event.repeat) return
      void state.apply(id)
      break
    default:
      return
  }
  event.preventDefault()
}

/** Keeps the current change in view. */
function useFollow(scroller: RefObject<HTMLDivElement | null>, at: string | null): void {
  const first = useRef(true)
  useEffect(() => {
    if (first.current) {
      first.current = false
      return
    }
    const row = [...(scroller.current?.querySelectorAll<HTMLElement>('[data-change]') ?? [])].find(({ dataset }) => dataset['change'] === at)
    row?.scrollIntoView?.({ block: 'nearest', behavior: isStill() ? 'auto' : 'smooth' })
  }, [scroller, at])
}

/** Focuses the view so that its keys work at once, unless the user types elsewhere. */
function useFocus(scroller: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    if (!isTyping(document.activeElement) && !document.querySelector('[role=dialog]')) scroller.current?.focus({ preventScroll: true })
  }, [scroller])
}

function Head({ proposal, roomy }: { proposal: Proposal; roomy: boolean }) {
  const view = useCodeStore((state) => state.diffView)
  const { setDiffView } = useCodeStore.getState()
  const taken = useMemo(() => acceptedFiles(proposal.files), [proposal])
  const changes = taken.flatMap(changesOf).length
  const at = new Date(proposal.createdAt).toISOString()
  return (
    <div className="flex shrink-0 items-center gap-3 border-b border-hairline px-5 pt-1 pb-3">
      <div className="min-w-0 flex-1">
        <h1 className="truncate text-17 font-medium" dir="auto" title={proposal.title}>
          <BacktickText text={plain(proposal.title)} />
        </h1>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-12 text-muted">
          <StatusMark status={proposal.status} stale={proposal.stale.length > 0} />
          <span>
            {fileCount(proposal.files)}, {plural(changes, 'change')}
          </span>
          <Counts files={taken} />
          <span className="text-faint">{since(at, new Date())}</span>
        </p>
      </div>
      {roomy && (
        <div role="group" aria-label="How the changes are shown" className="flex shrink-0 gap-0.5">
          <IconButton label="One below the other" side="bottom" aria-pressed={view === 'unified'} onClick={() => setDiffView('unified')}>
            <AlignJustify size={16} />
          </IconButton>
          <IconButton label="Side by side" side="bottom" aria-pressed={view === 'split'} onClick={() => setDiffView('split')}>
            <Columns2 size={16} />
          </IconButton>
        </div>
      )}
    </div>
  )
}

/** The notice that the files have changed since the proposal. */
function Stale({ proposal, busy }: { proposal: Proposal; busy: boolean }) {
  const { stepReview } = useCodeStore.getState()
  const { stale } = proposal
  return (
    <div role="alert" className="m-4 rounded-card bg-[color-mix(in_oklab,var(--warn)_10%,transparent)] px-4 py-3">
      <p className="text-15 text-pretty">
        {stale.length === 1 ? <code className="font-mono text-13 wrap-anywhere">{plain(stale[0] ?? '')}</code> : plural(stale.length, 'file')} {stale.length === 1 ? 'has' : 'have'} changed since she wrote this, so it cannot be
        applied as it is.
      </p>
      <Button className="mt-2.5" disabled={busy} onClick={() => void stepReview(proposal.id, 'rebase')}>
        {busy ? 'Updating…' : 'Update it'}
      </Button>
    </div>
  )
}
