import { Check, Circle, Minus } from 'lucide-react'
import type { PlanStep, StepStatus } from '@/api/protocol.gen'
import { classNames } from '@/design/classNames'
import { MoonCursor } from '@/design/Moon'
import { BacktickText } from '@/design/BacktickText'
import { plain } from '@/tools/wording'

const MOST_STEPS = 6
const SAID: Record<StepStatus, string> = { pending: 'to do', running: 'in progress', done: 'done', skipped: 'skipped' }

/** The steps of a long request. With `all`, for a plan that is to be reviewed, every step is shown. */
export function PlanList({ steps, live, all = false }: { steps: PlanStep[]; live: boolean; all?: boolean }) {
  if (steps.length === 0) return null
  return (
    <ol aria-label="Her plan" className="mt-1 mb-4 flex max-w-(--measure) flex-col gap-1.5">
      {(all ? steps : steps.slice(0, MOST_STEPS)).map((step, index) => {
        // The moon is animated only while the turn runs.
        const status = step.status === 'running' && !live ? 'pending' : step.status
        return (
          <li key={index} data-step={status} aria-current={status === 'running' ? 'step' : undefined} className="flex items-start gap-2.5 text-13">
            <span className="grid h-5 w-4 shrink-0 place-items-center" aria-hidden="true">
              <Sign status={status} />
            </span>
            <span
              dir="auto"
              className={classNames('min-w-0 wrap-anywhere', status === 'running' ? 'text-text' : status === 'done' || (all && status === 'pending') ? 'text-muted' : 'text-faint', status === 'skipped' && 'line-through')}
            >
              <BacktickText text={plain(step.title)} />
              <span className="sr-only">, {SAID[status]}</span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}

function Sign({ status }: { status: StepStatus }) {
  switch (status) {
    case 'done':
      return <Check size={14} className="text-ok" />
    case 'running':
      return (
        <span className="flex [&_.moon-cursor]:ms-0">
          <MoonCursor thinking />
        </span>
      )
    case 'skipped':
      return <Minus size={14} className="text-faint" />
    default:
      return <Circle size={9} className="text-faint" />
  }
}
