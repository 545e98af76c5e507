import { useEffect } from 'react'
import type { ProcessAct } from '@/api/config'
import type { ProcessInfo, ProcessState } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { since } from '@/design/format'
import { Face } from '@/design/Moon'
import { useStore } from '@/store'

const STATES: Record<ProcessState, string> = { waiting: 'waiting', running: 'running', paused: 'paused', backingOff: 'waiting after a failure' }

/** Information about Perigee and its background processes. */
export function About() {
  const health = useStore((state) => state.health)
  const processes = useStore((state) => state.processes)
  const path = useStore((state) => state.config?.path)
  const { refreshAbout, actOnProcess } = useStore.getState()
  useEffect(() => void refreshAbout(), [refreshAbout])
  return (
    <>
      <div className="flex items-center gap-4 py-5">
        <Face size={48} />
        <div>
          <p className="display text-22">Perigee</p>
          <p className="text-13 text-muted">{health ? `Version ${health.version}` : 'Asking for the version…'}</p>
        </div>
      </div>
      <p className="max-w-[34rem] text-15 text-muted">
        The point of its orbit where the moon is closest to you. A companion that lives on your own machine; nothing is sent anywhere unless you
        connect it.
      </p>
      {path && (
        <p className="mt-4 text-13 text-muted">
          Settings are kept in <code className="font-mono text-12 break-all text-text">{path}</code>
        </p>
      )}
      {processes.length > 0 && (
        <>
          <h3 className="pt-8 text-15">In the background</h3>
          <ul className="divide-y divide-hairline">
            {processes.map((process) => (
              <ProcessLine key={process.id} process={process} onAct={(act) => void actOnProcess(process.id, act)} />
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function ProcessLine({ process, onAct }: { process: ProcessInfo; onAct: (act: ProcessAct) => void }) {
  const paused = process.state === 'paused'
  return (
    <li className="flex flex-wrap items-start gap-x-2 gap-y-1 py-3">
      <div className="min-w-0 basis-full sm:flex-1 sm:basis-0 sm:pe-4">
        <p className="flex flex-wrap items-baseline gap-x-2 text-15">
          {process.name}
          <span className="text-12 text-faint">
            {process.schedule} · {STATES[process.state]}
            {process.lastRun && ` · last run ${since(process.lastRun, new Date())}`}
          </span>
        </p>
        <p className="mt-0.5 text-13 text-muted">{process.about}</p>
        {process.lastOutcome && !process.lastOutcome.ok && <p className="mt-0.5 text-13 text-danger">{process.lastOutcome.message}</p>}
      </div>
      <Button variant="quiet" className="max-sm:-ms-4" disabled={process.state === 'running'} onClick={() => onAct('run')}>
        Run it
      </Button>
      <Button variant="quiet" onClick={() => onAct(paused ? 'resume' : 'pause')}>
        {paused ? 'Resume' : 'Pause'}
      </Button>
    </li>
  )
}
