import { CircleAlert, GitPullRequestArrow, Play } from 'lucide-react'
import { useEffect } from 'react'
import { sentence } from '@/api/http'
import type { CodeMeta, ConversationId, Message, VerifyError } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { duration, plural } from '@/design/format'
import { classNames } from '@/design/classNames'
import { own } from '@/design/own'
import { fragmentOf } from '@/shell/route'
import { useStore } from '@/store'
import { plain } from '@/tools/wording'
import { CheckList } from './CheckList'
import { ContextLine } from './ContextLine'
import { FileCounts } from './Counts'
import { requestRepair } from './requestRepair'
import { knownProposal } from './reviewSlice'
import type { CodeRun } from './runs'
import { StatusMark } from './StatusMark'
import { useCodeStore } from './useCodeStore'
import { nameOf } from './tree'

interface Props {
  where: 'above' | 'below'
  chat: ConversationId
  message: Message
  run: CodeRun
  live: boolean
  last: boolean
}

/** The parts of a reply about code besides its text: the files read, above it; the results, below. */
export default function RunParts({ where, message, run, live, last }: Props) {
  if (where === 'above') return <ContextLine files={run.files} parts={run.parts} />
  // Only the last stage counts: an earlier failure may have been repaired.
  const failed = run.stages.at(-1)?.ok === false
  return (
    <div className="flex flex-col gap-2.5 not-empty:mt-3">
      {run.stages.length > 0 && (
        <div className="-mx-1.5">
          <CheckList steps={run.stages} live={live} onJump={jump} />
        </div>
      )}
      {run.proposal && run.proposal.files.length > 0 && <ProposalCard run={run} live={live} />}
      {!live && run.meta && <MetaLine meta={run.meta} reply={message.content} />}
      {!live && last && (
        <div className="flex flex-wrap gap-2 empty:hidden">
          {isPlan(run, message) && (
            <Button variant="primary" icon={<Play size={14} />} onClick={() => carryOut(message)}>
              Do it
            </Button>
          )}
          {failed && (
            <Button onClick={() => requestRepair(run.stages)}>Fix it</Button>
          )}
        </div>
      )}
    </div>
  )
}

function jump({ file, line }: VerifyError): void {
  if (file) useStore.getState().go({ page: 'code', view: 'file', item: file, ...(line ? { line } : {}) })
}

/** Returns true if the reply is a plan that waits to be carried out. */
function isPlan({ options, proposal }: CodeRun, message: Message): boolean {
  const untouched = message.plan.length > 0 && message.plan.every((step) => step.status === 'pending')
  return stepsOf(message).length > 0 && message.status === 'complete' && proposal === null && (options ? options.mode === 'plan' : untouched)
}

/** Returns the steps of the plan, or else of a list in the text, since not every model writes checkboxes. */
function stepsOf({ plan, content }: Message): string[] {
  if (plan.length > 0) return plan.map(({ title }) => title)
  return [...content.matchAll(/^(?:\d+[.)]|[-*+])\s+(?:\[.\]\s+)?(\S.*)$/gm)].map((found) => found[1] ?? '')
}

function carryOut(message: Message): void {
  const planContext = stepsOf(message)
    .map((title) => `- [ ] ${title}`)
    .join('\n')
  useCodeStore.getState().setMode('agent')
  useCodeStore.getState().ask('Carry out this plan.', { mode: 'agent', planContext })
}

const MOST_NAMED = 4

/** The proposed changes, with a link to their review. */
function ProposalCard({ run, live }: { run: CodeRun; live: boolean }) {
  const { proposal } = run
  const id = proposal?.id
  const known = useCodeStore((state) => (id ? knownProposal(state, id) : null))
  const unknown = known === null
  const trouble = useCodeStore((state) => (id ? own(state.reviews, id)?.trouble : null))
  useEffect(() => {
    // The proposal may have been made after the list was read, or belong to another folder.
    if (id && !live && unknown) void useCodeStore.getState().knowProposal(id)
  }, [id, live, unknown])
  if (!proposal) return null
  // A proposal that cannot be read is not shown as open.
  const status = known?.status ?? (trouble ? null : 'open')
  const rest = proposal.files.length - MOST_NAMED
  const decided = (path: string) => known?.files.find((file) => file.path === path)?.decision
  return (
    <div className="overflow-hidden rounded-card bg-raised shadow-lit">
      <ul aria-label="Files that would change" className="flex flex-col px-3.5 pt-2.5 pb-1.5">
        {proposal.files.slice(0, MOST_NAMED).map((file) => (
          <li key={file.path} className="flex h-6 items-center gap-2 text-13" title={file.path}>
            <bdi className={classNames('min-w-0 flex-1 truncate', file.kind === 'deleted' && 'line-through', decided(file.path) === 'none' && 'text-faint')}>{plain(nameOf(file.path))}</bdi>
            <FileCounts file={file} decision={decided(file.path)} />
          </li>
        ))}
        {rest > 0 && <li className="text-12 text-faint">and {plural(rest, 'file')} more</li>}
      </ul>
      <div className="flex items-center gap-3 border-t border-hairline py-2 ps-3.5 pe-2">
        <span className="min-w-0 flex-1">
          {live ? <span className="text-12 text-muted">Still working…</span> : status && <StatusMark status={status} stale={(known?.stale.length ?? 0) > 0} />}
        </span>
        <a
          href={fragmentOf({ page: 'code', view: 'review', item: proposal.id })}
          className="flex h-7 items-center gap-2 rounded-control px-2.5 text-13 font-medium text-accent-text transition-colors hover:bg-hover pointer-coarse:h-10"
        >
          <GitPullRequestArrow size={14} />
          {status === 'open' ? 'Review' : 'Look at it'}
        </a>
      </div>
    </div>
  )
}

/** Normalises text for comparison, regardless of line breaks. */
const flat = (text: string) => text.replace(/\s+/g, ' ').replace(/…$/, '').trim()

function MetaLine({ meta, reply }: { meta: CodeMeta; reply: string }) {
  // The summary mostly repeats the end of the reply, which is shown right above.
  const summary = flat(reply).includes(flat(meta.summary)) ? '' : meta.summary

  // Changes that wait for review have their own card, and an answer to a question changes nothing.
  const changed = meta.files.length > 0 && !meta.requiresApproval ? `${plural(meta.files.length, 'file')} changed` : ''
  if (summary === '' && meta.files.length === 0) return null
  return (
    <p className="flex items-start gap-2 text-12 text-faint">
      {!meta.ok && <CircleAlert size={14} className="mt-px text-warn" />}
      <span className="min-w-0 wrap-anywhere" dir="auto">
        {summary !== '' && <span className="text-muted">{sentence(plain(summary))} </span>}
        <span className="whitespace-nowrap">
          {changed === '' ? `Took ${duration(meta.durationMs)}` : `${changed} · ${duration(meta.durationMs)}`}
        </span>
      </span>
    </p>
  )
}
