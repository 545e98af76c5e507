import { Check } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { McpServerInfo } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { plural } from '@/design/format'
import { own } from '@/design/own'
import { Difference } from '@/memory/Difference'
import { FoldedCode } from '@/tools/FoldedCode'
import { plain } from '@/tools/wording'
import { HostsField } from './HostsField'
import { hostsFault, readHosts } from './hosts'
import { ChangedDescription } from './ChangedDescription'
import { useServerStore } from './useServerStore'
import { unapproved } from './wording'

/** The pending changes of a server and the button that approves exactly what is shown. */
export function Approval({ server, asks }: { server: McpServerInfo; asks: string }) {
  const approve = useServerStore((state) => state.approveServer)
  const busy = useServerStore((state) => own(state.pendingActions, server.name) === 'approve')
  // Both are tied to the value of `asks` that they were entered for, and do not apply to a later change.
  const [unheard, setUnheard] = useState<{ asks: string; words: string } | null>(null)
  const [written, setWritten] = useState<{ asks: string; hosts: string; fault: string | null } | null>(null)
  const { hosts, fault } = written?.asks === asks ? written : { hosts: server.made?.hosts.join(', ') ?? '', fault: null }
  const field = useRef<HTMLInputElement>(null)
  const entering = server.state === 'asking'
  const wantsHosts = server.made?.wantsNetwork ?? false
  const trouble = unheard?.asks === asks ? unheard.words : null
  const say = async () => {
    setUnheard(null)
    const wrong = wantsHosts ? hostsFault(hosts) : null
    if (wrong !== null) {
      setWritten({ asks, hosts, fault: wrong })
      field.current?.focus()
      return
    }
    const words = await approve(server.name, asks, wantsHosts ? readHosts(hosts) : undefined)
    // If an approval came too late, its error is shown beside the change that is pending by then.
    const now = useServerStore.getState().servers?.find(({ name }) => name === server.name)?.asks ?? asks
    setUnheard(words === null ? null : { asks: now, words })
  }
  const waiting = server.made ? 'Trying it out first…' : 'Approving…'
  return (
    <section aria-label="Waiting for your approval" className="mt-6 rounded-card bg-[color-mix(in_oklab,var(--warn)_9%,transparent)] px-4 py-3.5 text-13">
      <h2 className="text-15 font-medium">{title(server)}</h2>
      <p className="mt-0.5 max-w-(--measure) text-pretty text-muted">{advice(server)}</p>
      {entering && !server.made && (
        <pre className="mt-2.5 overflow-x-auto rounded-control bg-well px-3 py-2 font-mono text-12/5 whitespace-pre-wrap break-all shadow-[inset_0_0_0_1px_var(--hairline)]" dir="ltr">
          {plain(server.reach)}
        </pre>
      )}
      {entering && server.made && <Changes key={asks} name={server.name} description={server.description ?? ''} />}
      {wantsHosts && (
        <div className="mt-3">
          <HostsField ref={field} value={hosts} fault={fault} onChange={(hosts) => setWritten({ asks, hosts, fault: null })} />
        </div>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button variant="primary" icon={<Check size={15} />} disabled={busy} onClick={() => void say()}>
          {entering ? 'Approve' : 'Approve these'}
        </Button>
        {busy && (
          <p role="status" className="text-muted">
            {waiting}
          </p>
        )}
      </div>
      {trouble !== null && (
        <p role="alert" className="mt-2 wrap-anywhere whitespace-pre-wrap text-danger">
          {trouble}
        </p>
      )}
    </section>
  )
}

function title(server: McpServerInfo): string {
  if (server.state !== 'asking') return `${plural(unapproved(server).length, 'tool needs', 'tools need')} your approval`
  return server.made ? 'It was changed since you approved it' : 'May it run?'
}

function advice(server: McpServerInfo): string {
  if (server.state !== 'asking') return 'It no longer offers what you approved. She cannot use what is marked below until you review and approve it.'
  if (server.made) return 'Review what is different. Once you approve it, it is tried out in the sandbox, and then she can use it.'
  return 'It is in the settings, but you have not approved it as it is now. It would run with your rights, and can read and change whatever you can:'
}

/** The difference between the files on disk and the approved version. */
function Changes({ name, description }: { name: string; description: string }) {
  const source = useServerStore((state) => (state.serverSource?.name === name ? state.serverSource.source : null))
  const read = useServerStore((state) => state.readServerSource)
  useEffect(() => void read(name), [read, name])
  if (!source) return null
  const { before, code, describedBefore, wantedNetworkBefore } = source
  return (
    <div className="mt-2.5 flex flex-col gap-2.5">
      {typeof describedBefore === 'string' && (
        <div>
          <p className="text-muted">What it says about itself</p>
          <ChangedDescription before={describedBefore} after={description} />
        </div>
      )}
      {wantedNetworkBefore === false && <p className="text-warn">It now asks for network access.</p>}
      {wantedNetworkBefore === true && <p className="text-muted">It no longer asks for network access.</p>}
      {before === null && <FoldedCode code={code} language="python" />}
      {before !== null && before === code && <p className="text-muted">Its code is the same.</p>}
      {before !== null && before !== code && <Difference before={before} after={code} className="" />}
    </div>
  )
}
