import { Play } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { McpToolInfo } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { duration } from '@/design/format'
import { MoonCursor } from '@/design/Moon'
import { own } from '@/design/own'
import { useStore } from '@/store'
import { omit } from '@/store/omit'
import { ShortenedText } from '@/tools/ShortenedText'
import { FormFields, focusFault } from '@/tools/FormFields'
import { type Fillings, initialOfAll, readFilled, readForm } from '@/tools/form'
import { LiveOutput } from '@/tools/LiveOutput'
import { Questions } from '@/tools/Questions'
import { opensSomething } from '@/widgets/command'
import { CommandView } from '@/widgets/CommandView'
import type { Try } from './trySlice'
import { useServerStore } from './useServerStore'

/**
 * Runs a tool by hand. The run is subject to the same permissions as a call by the model, and may ask for
 * confirmation.
 */
export function TryTool({ server, tool }: { server: string; tool: McpToolInfo }) {
  const tried = useServerStore((state) => own(state.tries, tool.fullName))
  const tryTool = useServerStore((state) => state.tryTool)
  const fields = useMemo(() => readForm(tool.parameters), [tool.parameters])
  const [fillings, setFillings] = useState<Fillings>(() => initialOfAll(fields))
  const [faults, setFaults] = useState<Record<string, string>>({})
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const questions = useRef<HTMLDivElement>(null)
  const busy = tried?.status === 'running' || tried?.status === 'waiting' || tried?.status === 'requested'
  const asks = useStore((state) => tried?.chat != null && state.questions.some(({ conversationId }) => conversationId === tried.chat))
  useEffect(() => {
    if (asks) questions.current?.scrollIntoView?.({ block: 'nearest' })
  }, [asks])
  const run = () => {
    const read = readFilled(fields, fillings)
    setFaults(read.faults)
    if (Object.keys(read.faults).length > 0) focusFault(box.current)
    else void tryTool(server, tool.fullName, read.filled)
  }
  return (
    <div ref={box} role="group" aria-label={`Try ${tool.name}`} className="mt-3 flex max-w-(--measure) flex-col gap-3.5">
      <FormFields
        fields={fields}
        fillings={fillings}
        faults={faults}
        onChange={(name, filling) => {
          setFillings({ ...fillings, [name]: filling })
          setFaults(omit(faults, name))
        }}
        onEnter={run}
      />
      <div className="flex items-center gap-3">
        <Button ref={button} icon={<Play size={14} />} aria-disabled={busy} onClick={run}>
          Run
        </Button>
        {fields.length === 0 && !tried && <span className="text-13 text-faint">It takes no arguments.</span>}
        {busy && (
          <span role="status" className="flex items-center gap-2 text-13 text-muted">
            {tried.status === 'waiting' ? 'It is waiting for your answer.' : 'Running'}
            {tried.status !== 'waiting' && <MoonCursor thinking />}
          </span>
        )}
      </div>
      {busy && tried.output !== '' && <LiveOutput text={tried.output} label="Output so far" />}
      {tried?.chat != null && (
        <div ref={questions} className="-mx-3 scroll-mb-4 sm:-mx-6">
          <Questions chat={tried.chat} onEmptied={() => button.current?.focus()} />
        </div>
      )}
      {tried && !busy && <Outcome tried={tried} />}
    </div>
  )
}

function Outcome({ tried }: { tried: Try }) {
  const { word, colour } = ENDS[tried.status] ?? { word: 'It did not work', colour: 'text-danger' }
  return (
    <div role="status" className="rounded-card bg-well px-3.5 py-2.5 shadow-[inset_0_0_0_1px_var(--hairline)]">
      <p className="flex items-baseline gap-2 text-12">
        <span className={colour}>{word}</span>
        {tried.ms !== null && <span className="text-faint">{duration(tried.ms)}</span>}
      </p>
      <div className="mt-1">
        <ShortenedText text={tried.result || 'No output.'} label="Result" />
      </div>
      {tried.shows && opensSomething(tried.shows.action) && (
        <div className="mt-2.5">
          <CommandView id={`try ${tried.server}`} {...tried.shows} />
        </div>
      )}
    </div>
  )
}

const ENDS: Partial<Record<Try['status'], { word: string; colour: string }>> = {
  done: { word: 'It answered', colour: 'text-ok' },
  denied: { word: 'You said no', colour: 'text-warn' },
  blocked: { word: 'It is blocked', colour: 'text-warn' },
}
