import { BadgeCheck, CircleStop, Eraser, Play, Wrench, X } from 'lucide-react'
import { type KeyboardEvent, memo, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { sentence } from '@/api/http'
import { SidebarButton } from '@/chat/ChatHead'
import { Button } from '@/design/Button'
import { duration } from '@/design/format'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import { hasMouse } from '@/design/media'
import { MoonCursor } from '@/design/Moon'
import { own } from '@/design/own'
import { BacktickText } from '@/design/BacktickText'
import { useStore } from '@/store'
import { Questions } from '@/tools/Questions'
import { plain } from '@/tools/wording'
import { CheckList } from './CheckList'
import { requestRepair } from './requestRepair'
import { toPane } from './panes'
import { ProgramOutput } from './ProgramOutput'
import { AS_IS, type CheckRun, type TerminalCommand } from './state'
import { useCodeStore } from './useCodeStore'
import { isRunning, outputEnd } from './terminalSlice'

/** A terminal for the user's own commands, in the sandbox. With `alone` it fills the page. */
export function Terminal({ alone = false }: { alone?: boolean }) {
  const commands = useCodeStore((state) => state.commands)
  const check = useCodeStore((state) => own(state.checks, AS_IS))
  const scroller = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const { verify, stopVerify, clearTerminal, showTerminal } = useCodeStore.getState()
  useLayoutEffect(() => {
    if (follows.current && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight
  }, [commands, check])
  const empty = commands.length === 0 && !check
  // The check is shown between the commands before and after it.
  const [before, since] = check ? [commands.filter(({ id }) => id <= check.after), commands.filter(({ id }) => id > check.after)] : [commands, []]
  const Title = alone ? 'h1' : 'h2'
  return (
    <section aria-label="Terminal" className="flex h-full min-h-0 flex-col bg-well">
      <header className={classNames('flex shrink-0 items-center gap-1 ps-4 pe-3', alone ? 'h-14 pt-[env(safe-area-inset-top)]' : 'h-10')}>
        {alone && (
          <span className="-ms-1">
            <SidebarButton />
          </span>
        )}
        <Title className={classNames('flex-1', alone ? 'text-15 font-medium' : 'text-13 text-muted')}>Terminal</Title>
        {check?.running ? (
          <Button variant="quiet" className="h-7" icon={<CircleStop size={14} />} onClick={() => stopVerify(AS_IS)}>
            Stop
          </Button>
        ) : (
          <Button variant="quiet" className="h-7" icon={<BadgeCheck size={14} />} onClick={() => void verify(AS_IS)}>
            Build and test
          </Button>
        )}
        {!empty && (
          <IconButton size="small" label="Clear" onClick={clearTerminal}>
            <Eraser size={15} />
          </IconButton>
        )}
        {!alone && (
          <IconButton size="small" label="Hide the terminal" keys="mod+j" onClick={() => showTerminal(false)}>
            <X size={15} />
          </IconButton>
        )}
      </header>
      <div
        ref={scroller}
        role="log"
        aria-label="Output"
        aria-live="off"
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          follows.current = scrollHeight - scrollTop - clientHeight < 32
        }}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 pb-2 outline-offset-[-2px]"
      >
        {empty && <p className="max-w-(--measure) pt-1 text-13 text-pretty text-muted">Commands run in this folder, in the sandbox. Their output stays here, and you can click the file locations in it.</p>}
        {before.map((command) => (
          <CommandView key={command.id} command={command} />
        ))}
        {check && <CheckView check={check} />}
        {since.map((command) => (
          <CommandView key={command.id} command={command} />
        ))}
      </div>
      <Prompt />
    </section>
  )
}

/** The check of the files as they are. */
function CheckView({ check }: { check: CheckRun }) {
  const { stages, running, trouble, summary } = check
  const failed = !running && stages.at(-1)?.ok === false
  // The errors of a stage say more than the summary.
  const summaryText = running || trouble || stages.at(-1)?.errors.length ? '' : failed || stages.length === 0 ? summary || 'There is nothing to build or test here.' : ''
  return (
    <div className="-mx-1.5 mb-3 max-w-[46rem]">
      <CheckList steps={stages} live={running} onJump={({ file, line }) => file && useStore.getState().go({ page: 'code', view: 'file', item: file, ...(line ? { line } : {}) })} />
      {running && stages.length === 0 && <p className="px-1.5 text-13 text-muted">Getting ready…</p>}
      {trouble && !running && (
        <p role="alert" className="px-1.5 text-13 wrap-anywhere text-danger">
          {sentence(trouble)}
        </p>
      )}
      {summaryText !== '' && (
        <p className="px-1.5 text-13 wrap-anywhere text-muted">
          <BacktickText text={sentence(plain(summaryText))} />
        </p>
      )}
      {failed && (
        <Button className="ms-1.5 mt-1 h-7" icon={<Wrench size={14} />} onClick={() => requestRepair(stages)}>
          Fix it
        </Button>
      )}
      {check.chat && <Questions chat={check.chat} edge="pt-2" />}
    </div>
  )
}

const ENDS: Partial<Record<TerminalCommand['status'], { text: string; colour: string }>> = {
  failed: { text: 'failed', colour: 'text-danger' },
  denied: { text: 'not allowed', colour: 'text-warn' },
  blocked: { text: 'blocked', colour: 'text-warn' },
  stopped: { text: 'stopped', colour: 'text-faint' },
  waiting: { text: 'waiting for you', colour: 'text-warn' },
}

const CommandView = memo(function CommandView({ command }: { command: TerminalCommand }) {
  const end = ENDS[command.status]
  const running = isRunning(command)
  return (
    <article aria-label={command.command} className="pb-3">
      <p className="flex items-baseline gap-2 font-mono text-12/5">
        <span aria-hidden="true" className="text-accent-text">
          $
        </span>
        <span className="min-w-0 flex-1 wrap-anywhere text-text">{plain(command.command)}</span>
        {running && command.status !== 'waiting' && <MoonCursor thinking />}
        <span className="flex shrink-0 gap-2 font-sans text-12 text-faint">
          {end && <span className={end.colour}>{end.text}</span>}
          {command.ms !== null && !running && <span>{duration(command.ms)}</span>}
        </span>
      </p>
      {command.output.trim() !== '' && <ProgramOutput text={command.output} />}
      {command.chat && running && <Questions chat={command.chat} edge="pt-2" />}
      {command.status === 'failed' && (
        <Button
          className="mt-1.5 h-7"
          icon={<Wrench size={14} />}
          onClick={() => {
            useCodeStore.getState().ask(`Please fix what “${command.command}” complains about.`, { mode: 'repair', lastError: outputEnd(command), ...(command.root === null ? {} : { root: command.root }) })
            toPane('agent')
          }}
        >
          Fix it
        </Button>
      )}
    </article>
  )
})

/** The command line. ↑ recalls earlier commands. */
function Prompt() {
  const typed = useCodeStore((state) => state.commandHistory)
  const call = useCodeStore((state) => state.terminalFocus)
  const running = useCodeStore((state) => state.commands.some(isRunning))
  const { runCommand, stopCommand } = useCodeStore.getState()
  const [line, setLine] = useState('')
  const [at, setAt] = useState(-1)
  const kept = useRef('')
  const field = useRef<HTMLInputElement>(null)
  const [first] = useState(call)
  useEffect(() => {
    if (call !== first && hasMouse()) field.current?.focus()
  }, [call, first])
  const run = () => {
    if (running || line.trim() === '') return
    void runCommand(line)
    setLine('')
    setAt(-1)
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') run()
    else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      const to = Math.max(-1, Math.min(typed.length - 1, at + (event.key === 'ArrowUp' ? 1 : -1)))
      if (at === -1) kept.current = line
      setAt(to)
      setLine(to === -1 ? kept.current : (typed[to] ?? ''))
    } else if (event.key === 'c' && event.ctrlKey && running && field.current?.selectionStart === field.current?.selectionEnd) stopCommand()
    else return
    event.preventDefault()
  }
  return (
    <div className="flex h-11 shrink-0 items-center gap-2 border-t border-hairline ps-4 pe-2">
      <span aria-hidden="true" className="font-mono text-13 text-accent-text">
        $
      </span>
      <input
        ref={field}
        aria-label="Command"
        placeholder={running ? 'Still running' : 'Run a command'}
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        enterKeyHint="go"
        value={line}
        onChange={(event) => {
          setLine(event.target.value)
          setAt(-1)
        }}
        onKeyDown={press}
        className="min-w-0 flex-1 bg-transparent font-mono text-13 outline-none pointer-coarse:text-[1rem]"
      />
      {running ? (
        <IconButton label="Stop" size="small" onClick={stopCommand}>
          <CircleStop size={16} />
        </IconButton>
      ) : (
        <IconButton label="Run" size="small" disabled={line.trim() === ''} onClick={run}>
          <Play size={15} />
        </IconButton>
      )}
    </div>
  )
}
