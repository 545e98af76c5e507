import { CircleAlert, FilePen, GitPullRequestArrow, Redo2, RotateCcw, Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Checkpoint, CodeNote, Proposal } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { fullTime, since } from '@/design/format'
import { BacktickText } from '@/design/BacktickText'
import { RetryNote, LoadingNote, EmptyState } from '@/shell/PageFrame'
import { fragmentOf } from '@/shell/route'
import { useStore } from '@/store'
import { plain } from '@/tools/wording'
import { Counts } from './Counts'
import { fileCount, acceptedFiles } from './decisions'
import { StatusMark } from './StatusMark'
import { useCodeStore } from './useCodeStore'

/** The history of the folder: proposals, notes on the work, and checkpoints. */
export default function HistoryView() {
  const history = useCodeStore((state) => state.history)
  const trouble = useCodeStore((state) => state.historyTrouble)
  const { refreshHistory } = useCodeStore.getState()
  const empty = history && history.proposals.length + history.notes.length + history.checkpoints.length === 0
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto w-full max-w-[46rem] px-6 pt-2 pb-16">
        <h1 className="display text-30">History</h1>
        {trouble && <RetryNote text={trouble} onRetry={() => void refreshHistory()} />}
        {!history && !trouble && <LoadingNote text="Loading the history…" rows={3} />}
        {empty && <EmptyState title="Nothing yet" text="What she changes here, and how to undo it, appears on this page." />}
        {history && history.proposals.length > 0 && (
          <HistorySection title="Changes">
            {history.proposals.map((proposal) => (
              <ProposalRow key={proposal.id} proposal={proposal} />
            ))}
          </HistorySection>
        )}
        {history && history.checkpoints.length > 0 && (
          <HistorySection title="Restore points" about="The files as they were before she started.">
            {history.checkpoints.map((checkpoint) => (
              <CheckpointRow key={checkpoint.id} checkpoint={checkpoint} />
            ))}
          </HistorySection>
        )}
        {history && history.notes.length > 0 && (
          <HistorySection title="What she remembers of it">
            {history.notes.map((note, index) => (
              <NoteRow key={index} note={note} />
            ))}
          </HistorySection>
        )}
      </div>
    </div>
  )
}

function HistorySection({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="pt-6">
      <div className="border-b border-hairline pb-2">
        <h2 className="text-15 font-medium">{title}</h2>
        {about && <p className="text-13 text-muted">{about}</p>}
      </div>
      <ul className="-mx-3 pt-1">{children}</ul>
    </section>
  )
}

function When({ at }: { at: number }) {
  const time = new Date(at).toISOString()
  return (
    <time dateTime={time} title={fullTime(time)} className="shrink-0 text-12 text-faint">
      {since(time, new Date())}
    </time>
  )
}

function ProposalRow({ proposal }: { proposal: Proposal }) {
  const { stepReview, refreshHistory } = useCodeStore.getState()
  const busy = useCodeStore((state) => state.reviews[proposal.id]?.busy != null)
  const step = proposal.status === 'applied' && proposal.canUndo ? 'undo' : proposal.status === 'undone' && proposal.canRedo ? 'redo' : null
  return (
    <li className="flex items-center gap-2 rounded-card pe-2 transition-colors hover:bg-hover">
      <a href={fragmentOf({ page: 'code', view: 'review', item: proposal.id })} className="flex min-w-0 flex-1 items-start gap-3 rounded-card px-3 py-2.5">
        <GitPullRequestArrow size={16} className="mt-1 text-faint" />
        <span className="min-w-0 flex-1">
          <span className="block truncate text-15" dir="auto">
            <BacktickText text={plain(proposal.title)} />
          </span>
          <span className="flex flex-wrap items-center gap-x-3 text-12 text-muted">
            <StatusMark status={proposal.status} stale={proposal.stale.length > 0} />
            {proposal.files.length > 0 && (
              <>
                {fileCount(proposal.files)}
                <Counts files={acceptedFiles(proposal.files)} />
              </>
            )}
            <When at={proposal.createdAt} />
          </span>
        </span>
      </a>
      {step && (
        <Button className="h-7" disabled={busy} icon={step === 'undo' ? <Undo2 size={14} /> : <Redo2 size={14} />} onClick={() => void stepReview(proposal.id, step).then(refreshHistory)}>
          {step === 'undo' ? 'Undo' : 'Redo'}
        </Button>
      )}
    </li>
  )
}

/** A checkpoint. Restoring it asks for confirmation, since all files are restored at once. */
function CheckpointRow({ checkpoint }: { checkpoint: Checkpoint }) {
  const [asking, setAsking] = useState(false)
  const restoring = useCodeStore((state) => state.restoring)
  const { restore } = useCodeStore.getState()
  return (
    <li className="rounded-card px-3 py-2.5 transition-colors hover:bg-hover">
      <div className="flex items-center gap-3">
        <RotateCcw size={16} className="text-faint" />
        <span className="min-w-0 flex-1 truncate text-15" dir="auto">
          {plain(checkpoint.label)}
        </span>
        <When at={checkpoint.createdAt} />
        {!asking && (
          <Button className="h-7" disabled={restoring !== null} onClick={() => setAsking(true)}>
            {restoring === checkpoint.id ? 'Going back…' : 'Go back'}
          </Button>
        )}
      </div>
      {asking && (
        <div role="alertdialog" aria-label="Go back to this?" className="mt-2 ps-7">
          <p className="text-13 text-pretty text-muted">The files, and the conversation about them, go back to what they were then. Later changes are undone.</p>
          <div className="mt-2 flex gap-2">
            <Button
              variant="primary"
              className="h-8"
              autoFocus
              onClick={() => {
                setAsking(false)
                void restore(checkpoint)
              }}
            >
              Go back
            </Button>
            <Button className="h-8" onClick={() => setAsking(false)}>
              Stay here
            </Button>
          </div>
        </div>
      )}
    </li>
  )
}

function NoteRow({ note }: { note: CodeNote }) {
  const failed = note.kind === 'failure'
  // The path is shown below, so it is cut from the text.
  const words = note.path && note.text.startsWith(`${note.path}: `) ? note.text.slice(note.path.length + 2) : note.text
  return (
    <li className="flex items-start gap-3 px-3 py-2">
      {failed ? <CircleAlert size={16} className="mt-0.5 text-warn" aria-label="It failed" /> : <FilePen size={16} className="mt-0.5 text-faint" />}
      <span className="min-w-0 flex-1">
        <span className="line-clamp-3 text-13 wrap-anywhere" dir="auto">
          <BacktickText text={plain(words)} />
        </span>
        {note.path && (
          <button type="button" onClick={() => useStore.getState().go({ page: 'code', view: 'file', item: note.path ?? '' })} className="max-w-full truncate font-mono text-12 text-blue underline decoration-1 underline-offset-2">
            {plain(note.path)}
          </button>
        )}
      </span>
      <When at={note.createdAt} />
    </li>
  )
}
