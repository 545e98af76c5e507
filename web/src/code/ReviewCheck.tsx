import { BadgeCheck, CircleStop, RotateCw } from 'lucide-react'
import { sentence } from '@/api/http'
import type { Proposal, VerifyError, VerifyOutcome } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { classNames } from '@/design/classNames'
import { own } from '@/design/own'
import { BacktickText } from '@/design/BacktickText'
import { Questions } from '@/tools/Questions'
import { plain } from '@/tools/wording'
import { CheckList, type CheckStep } from './CheckList'
import { allChanges, takenCount } from './choices'
import { isPartial } from './decisions'
import { requestRepair } from './requestRepair'
import type { Review } from './state'
import { useCodeStore } from './useCodeStore'

const OUTCOMES: Record<VerifyOutcome, { title: string; colour: string }> = {
  passed: { title: 'Passed', colour: 'text-ok' },
  failed: { title: 'Failed', colour: 'text-danger' },
  timedOut: { title: 'Took too long', colour: 'text-warn' },
  missing: { title: 'Cannot be checked here', colour: 'text-warn' },
  nothing: { title: 'Nothing to check', colour: 'text-muted' },
  stopped: { title: 'Stopped', colour: 'text-muted' },
}

/** The outcomes that say something about the changes. */
const TRIED: VerifyOutcome[] = ['passed', 'failed', 'timedOut']

/** Describes what was tested, if that differs from what the user accepts. */
function tried({ choices, edits }: Review, proposal: Proposal): string {
  const changes = allChanges(proposal)
  if (isPartial(proposal.files) || takenCount(choices, changes) < changes.length) return ', with all changes'
  return Object.keys(edits).length > 0 ? ', as she wrote it' : ''
}

/** The result of building and testing the proposal, with a button to repeat it. */
export function ReviewCheck({ review, proposal, rail, onJump }: { review: Review; proposal: Proposal; rail: boolean; onJump: (error: VerifyError) => void }) {
  const check = useCodeStore((state) => own(state.checks, proposal.id))
  const { verify, stopVerify } = useCodeStore.getState()
  const report = proposal.verify
  const running = check?.running ?? false
  const steps: CheckStep[] = check && (running || !report) ? check.stages : (report?.steps ?? [])
  const possible = proposal.status === 'open' || proposal.status === 'undone'
  const outcome = running ? null : report ? OUTCOMES[report.outcome] : null
  const about = report && TRIED.includes(report.outcome) ? tried(review, proposal) : ''
  // The summary is omitted if the stages already show it.
  const last = report?.steps.at(-1)
  const summary = !report || (last && (report.outcome === 'passed' || last.errors.length > 0)) ? '' : report.summary
  if (!report && !check && !possible) return null
  return (
    <section aria-label="Build and test" className={rail ? 'mx-4 border-t border-hairline pt-3 pb-2' : 'px-4 pt-3 pb-3'}>
      <div className="flex items-center gap-2">
        <h2 className="flex flex-1 flex-wrap gap-x-2 text-13 font-medium">
          {running ? 'Building and testing…' : 'Build and test'}
          {outcome && <span className={classNames('font-normal', outcome.colour)}>{outcome.title}{about}</span>}
        </h2>
      </div>
      {report && !running && summary !== '' && <p className="mt-0.5 text-12 text-pretty wrap-anywhere text-muted" dir="auto"><BacktickText text={sentence(plain(summary))} /></p>}
      {!report && !check && <p className="mt-0.5 text-12 text-pretty text-muted">This runs in a copy, with all of these changes. Your files stay as they are.</p>}
      {check?.trouble && !running && <p role="alert" className="mt-1 text-12 wrap-anywhere text-danger">{sentence(check.trouble)}</p>}
      {steps.length > 0 && (
        <div className="mt-1.5 -mx-1.5">
          <CheckList steps={steps} live={running} onJump={onJump} />
        </div>
      )}
      {check?.chat && <Questions chat={check.chat} edge="pt-2" />}
      <div className="mt-2 flex flex-wrap gap-2">
        {running ? (
          <Button className="h-7" icon={<CircleStop size={14} />} onClick={() => stopVerify(proposal.id)}>
            Stop
          </Button>
        ) : (
          possible && (
            <Button className="h-7" icon={report || check ? <RotateCw size={14} /> : <BadgeCheck size={14} />} onClick={() => void verify(proposal.id)}>
              {report || check ? 'Check again' : 'Check it'}
            </Button>
          )
        )}
        {!running && report?.outcome === 'failed' && (
          <Button className="h-7" onClick={() => requestRepair(report.steps)}>
            Fix it
          </Button>
        )}
      </div>
    </section>
  )
}
