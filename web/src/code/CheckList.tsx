import { Check, ChevronRight, X } from 'lucide-react'
import { useState } from 'react'
import type { VerifyError, VerifyStage } from '@/api/protocol.gen'
import { duration, plural } from '@/design/format'
import { classNames } from '@/design/classNames'
import { MoonCursor } from '@/design/Moon'
import { LiveOutput } from '@/tools/LiveOutput'
import { plain } from '@/tools/wording'
import { unescaped } from './outputParts'

/** A stage of building and testing, running or finished. */
export interface CheckStep {
  stage: VerifyStage
  command?: string
  /** Null while the stage runs. */
  ok: boolean | null
  output: string
  errors: VerifyError[]
  durationMs?: number
}

const TITLES: Record<VerifyStage, string> = { build: 'Build', test: 'Test', run: 'Run' }
const MOST_ERRORS = 20

interface Props {
  steps: CheckStep[]
  /** True while the check runs: an unfinished last stage is still running. */
  live: boolean
  onJump: (error: VerifyError) => void
}

/** The stages, each with its errors; a click shows its output. */
export function CheckList({ steps, live, onJump }: Props) {
  return (
    <ul aria-label="Building and testing" className="flex flex-col gap-0.5">
      {steps.map((step, index) => (
        <StepView key={index} step={step} live={live && index === steps.length - 1} onJump={onJump} />
      ))}
    </ul>
  )
}

function StepView({ step, live, onJump }: { step: CheckStep; live: boolean; onJump: Props['onJump'] }) {
  const [open, setOpen] = useState(false)
  const going = step.ok === null && live
  const output = unescaped(step.output)
  const shown = going ? output !== '' : open
  return (
    <li>
      <button
        type="button"
        aria-expanded={shown}
        disabled={going}
        onClick={() => setOpen(!open)}
        className="flex h-7 w-full min-w-0 items-center gap-2 rounded-control px-1.5 text-start text-13 transition-colors hover:bg-hover disabled:opacity-100 pointer-coarse:h-10"
      >
        <Sign ok={step.ok} going={going} />
        <span className="shrink-0">{TITLES[step.stage]}</span>
        {step.command && <code className="min-w-0 truncate font-mono text-12 text-faint">{plain(step.command)}</code>}
        <span className="ms-auto flex shrink-0 items-center gap-2 text-12 text-faint">
          {step.errors.length > 0 && <span className="text-danger">{plural(step.errors.length, 'error')}</span>}
          {step.ok === false && step.errors.length === 0 && <span className="text-danger">failed</span>}
          {step.ok === null && !live && <span>stopped</span>}
          {step.durationMs !== undefined && <span>{duration(step.durationMs)}</span>}
        </span>
        {!going && <ChevronRight size={14} className={classNames('text-faint transition-transform duration-200', open && 'rotate-90')} />}
      </button>
      {step.errors.length > 0 && (
        <ul aria-label="Errors" className="mb-1 flex flex-col ps-1.5">
          {step.errors.slice(0, MOST_ERRORS).map((error, index) => (
            <li key={index}>
              <ErrorLine error={error} onJump={onJump} />
            </li>
          ))}
          {step.errors.length > MOST_ERRORS && <li className="px-1.5 py-1 text-12 text-faint">and {step.errors.length - MOST_ERRORS} more</li>}
        </ul>
      )}
      {shown && (
        <div className="mt-1 mb-2">
          <LiveOutput text={output.trim() === '' ? 'No output.' : output} label={`What ${TITLES[step.stage].toLowerCase()} printed`} className={going ? 'max-h-32' : 'max-h-64'} />
        </div>
      )}
    </li>
  )
}

function Sign({ ok, going }: { ok: boolean | null; going: boolean }) {
  if (going) return <span className="grid w-4 place-items-center [&_.moon-cursor]:ms-0"><MoonCursor thinking /></span>
  if (ok === null) return <span className="grid w-4 place-items-center"><span className="size-1.5 rounded-full bg-faint" /></span>
  return ok ? <Check size={15} className="text-ok" aria-label="passed" /> : <X size={15} className="text-danger" aria-label="failed" />
}

function ErrorLine({ error, onJump }: { error: VerifyError; onJump: Props['onJump'] }) {
  const location = error.file ? `${error.file}${error.line ? `:${error.line}` : ''}` : null
  const text = (
    <>
      <span className="line-clamp-3 wrap-anywhere text-text" dir="auto">
        {plain(error.message)}
      </span>
      {location && <span className="block truncate font-mono text-faint" dir="ltr">{plain(location)}</span>}
    </>
  )
  const style = 'my-0.5 block w-full rounded-e-control border-s-2 border-[color-mix(in_oklab,var(--danger)_55%,transparent)] px-2.5 py-0.5 text-start text-12'
  if (!location) return <div className={style}>{text}</div>
  return (
    <button type="button" onClick={() => onJump(error)} title={`Go to ${location}`} className={classNames(style, 'transition-colors hover:bg-hover')}>
      {text}
    </button>
  )
}
