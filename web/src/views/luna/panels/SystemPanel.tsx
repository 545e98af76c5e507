import { useEffect } from 'react'
import type { Message, ModelState, ProcessInfo } from '@/api/protocol.gen'
import { bytes, count, duration, since } from '@/design/format'
import { useServerStore } from '@/servers/useServerStore'
import { useStore } from '@/store'
import { useMinute } from './ClockPanel'
import { Bar, Line, Section } from './parts'

const SANDBOX: Record<string, string> = { full: 'full', partial: 'in part', none: 'none' }

/** The machine and what runs on it. Every number comes from the server. */
export function SystemPanel() {
  const now = useMinute()
  const health = useStore((state) => state.health)
  const machine = useStore((state) => state.models?.machine)
  const current = useStore((state) => state.models?.current)
  const sandbox = useServerStore((state) => state.sandbox)
  const open = useStore((state) => state.connection.open)
  useEffect(() => {
    const { refreshServers, sandbox: known } = useServerStore.getState()
    const { refreshAbout } = useStore.getState()
    void refreshAbout()
    if (known === null) void refreshServers()
  }, [now])
  return (
    <div className="h-full overflow-y-auto px-4 pb-4" tabIndex={0} role="group" aria-label="The machine that she lives on">
      {current && <ModelLines current={current} />}
      <Section title="Machine">
        <Line name="Connection" value={open ? 'open' : 'broken'} />
        {health && <Line name="Perigee" value={health.version} />}
        {machine && <Line name="Memory" value={bytes(machine.memory)} />}
        {machine && <Line name="Cores" value={count(machine.cores)} />}
        {machine && <Line name="Disk free" value={bytes(machine.diskFree)} />}
        {sandbox && <Line name="Sandbox" value={SANDBOX[sandbox.level] ?? sandbox.level} />}
      </Section>
      <Processes now={now} />
    </div>
  )
}

function ModelLines({ current }: { current: ModelState }) {
  const last = useStore((state) => {
    const messages = state.route.page === 'chat' ? (state.conversations[state.route.id]?.messages ?? []) : []
    return messages.findLast(({ usage }) => usage !== null)?.usage ?? null
  })
  return (
    <Section title="Model">
      <Line name={current.state === 'ready' ? current.kind : current.state} value={'name' in current ? current.name : 'none'} />
      {last && current.state === 'ready' && current.context > 0 && <ContextBar used={last.promptTokens + last.completionTokens} of={current.context} />}
      {last && <Pace usage={last} />}
    </Section>
  )
}

/** The share of the context used after the last reply. */
function ContextBar({ used, of }: { used: number; of: number }) {
  return <Bar name="Context" value={used / of} text={`${count(used)} of ${count(of)} tokens`} />
}

function Pace({ usage }: { usage: NonNullable<Message['usage']> }) {
  const writing = usage.totalMs - (usage.firstTokenMs ?? 0)
  return (
    <>
      <Line name="Last answer" value={`${count(usage.completionTokens)} tokens`} />
      {usage.completionTokens > 4 && writing >= 100 && <Line name="Speed" value={`${count((usage.completionTokens / writing) * 1000)} tokens/s`} />}
      {usage.firstTokenMs !== undefined && <Line name="First word" value={duration(usage.firstTokenMs)} />}
    </>
  )
}

function Processes({ now }: { now: Date }) {
  const processes = useStore((state) => state.processes)
  if (processes.length === 0) return null
  return (
    <Section title="In the background">
      {processes.map((process) => (
        <Line key={process.id} name={process.name} value={stateOf(process, now)} />
      ))}
    </Section>
  )
}

function stateOf({ state, lastRun }: ProcessInfo, now: Date): string {
  if (state === 'running') return 'running'
  if (state === 'paused') return 'paused'
  if (state === 'backingOff') return 'failed, will retry'
  return lastRun ? since(lastRun, now) : 'not run yet'
}
