import { ChevronRight } from 'lucide-react'
import { memo, useState } from 'react'
import type { Act, ConversationId } from '@/api/protocol.gen'
import { duration } from '@/design/format'
import { classNames } from '@/design/classNames'
import { MoonCursor } from '@/design/Moon'
import { own } from '@/design/own'
import { useStore } from '@/store'
import { Arguments } from '@/tools/Arguments'
import { ShortenedText } from '@/tools/ShortenedText'
import { toolIcon } from '@/tools/icons'
import { LiveOutput } from '@/tools/LiveOutput'
import { type ActState, phrase, resultText } from '@/tools/wording'
import { isSettled } from './acts'

/**
 * The result of a tool call that was stopped, itself or its confirmation request. It neither failed nor was
 * denied.
 */
const STOPPED = /^it was stopped\.?$/i

/**
 * Returns the state of a tool call to show. One that is unfinished when its turn has ended counts as stopped.
 */
export function actState({ status, result }: Pick<Act, 'status' | 'result'>, live: boolean): ActState {
  const stopped = typeof result === 'string' && STOPPED.test(result)
  if (stopped && status === 'failed') return 'stopped'
  if (stopped && status === 'denied') return 'dropped'
  if (live || isSettled(status) || status === 'requested') return status
  return status === 'waiting' ? 'dropped' : 'stopped'
}

const MARKS: Partial<Record<ActState, { text: string; colour: string }>> = {
  waiting: { text: 'waiting for you', colour: 'text-warn' },
  failed: { text: 'failed', colour: 'text-danger' },
  denied: { text: 'not allowed', colour: 'text-warn' },
  blocked: { text: 'blocked', colour: 'text-warn' },
  stopped: { text: 'stopped', colour: 'text-faint' },
  dropped: { text: 'stopped', colour: 'text-faint' },
}

const NOTHING: Record<string, string> = {}

/** A tool call in one line; a click shows its arguments and its result. */
export const ToolCard = memo(function ToolCard({ chat, act, live }: { chat: ConversationId; act: Act; live: boolean }) {
  const [open, setOpen] = useState(false)
  const state = actState(act, live)
  const { does, what } = phrase(act.name, act.args, state)
  const Icon = toolIcon(act.name)
  const output = useStore((store) => (isSettled(act.status) ? undefined : own(store.live[chat]?.outputs ?? NOTHING, act.id)))
  return (
    <li data-act={act.id} data-status={state}>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="group/card flex h-8 w-full min-w-0 items-center gap-2.5 rounded-control px-2.5 text-start text-13 text-muted transition-colors hover:bg-hover pointer-coarse:h-11"
      >
        <Icon size={15} className={state === 'failed' ? 'text-danger' : 'text-faint'} />
        <span className="min-w-0 flex-1 truncate">
          {does} {what !== '' && <bdi className="text-text">{what}</bdi>}
        </span>
        <Mark state={state} ms={act.ms} />
        <ChevronRight size={14} className={classNames('text-faint transition-transform duration-200', open && 'rotate-90')} />
      </button>
      {output !== undefined && (
        <div className="mt-1 mb-2 ps-[2.1875rem] pe-3">
          <LiveOutput text={output} label="Output so far" />
        </div>
      )}
      {open && <Details act={act} state={state} />}
    </li>
  )
})

function Mark({ state, ms }: { state: ActState; ms: number | null }) {
  const mark = MARKS[state]
  if (state === 'running') return <MoonCursor thinking />
  return (
    <span className="flex shrink-0 items-center gap-2 text-12 text-faint">
      {mark && <span className={mark.colour}>{mark.text}</span>}
      {ms !== null && (state === 'done' || state === 'failed') && <span>{duration(ms)}</span>}
    </span>
  )
}

function Details({ act, state }: { act: Act; state: ActState }) {
  const result = resultText(act.result)
  return (
    <div className="mt-1 mb-3 flex flex-col gap-3 ps-[2.1875rem] pe-3">
      <p className="font-mono text-12 text-faint">{act.name}</p>
      <Arguments args={act.args} />
      {result !== '' && (
        <div className="border-t border-hairline pt-3">
          <p className="mb-1 text-12 text-faint">{state === 'done' ? 'Result' : 'Why'}</p>
          <ShortenedText text={result} label="Result" />
        </div>
      )}
      {result === '' && <p className="text-12 text-faint">{NO_RESULT[state] ?? 'No output.'}</p>}
    </div>
  )
}

const NO_RESULT: Partial<Record<ActState, string>> = {
  running: 'Still running.',
  waiting: 'Nothing happens until you answer.',
  stopped: 'The answer ended before this was finished.',
  dropped: 'The answer ended before you replied.',
  requested: 'It was passed to the program that asked.',
}
