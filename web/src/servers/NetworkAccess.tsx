import { useEffect, useRef, useState } from 'react'
import type { MadeInfo } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { own } from '@/design/own'
import { HostsField } from './HostsField'
import { hostsFault, readHosts } from './hosts'
import { useServerStore } from './useServerStore'
import { network } from './wording'

/**
 * The network access of a generated server, and the form to change it. While an approval is pending, the
 * hosts are edited there.
 */
export function NetworkAccess({ name, made, waits }: { name: string; made: MadeInfo; waits: boolean }) {
  const approve = useServerStore((state) => state.approveServer)
  const busy = useServerStore((state) => own(state.pendingActions, name) === 'approve')
  const [hosts, setHosts] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const writing = hosts !== null
  useEffect(() => {
    if (writing) field.current?.focus()
  }, [writing])
  if (hosts === null || waits) {
    return (
      <>
        {network(made.hosts, made.wantsNetwork)}
        {made.wantsNetwork && !waits && (
          <button type="button" className="ms-2 text-accent-text underline-offset-2 hover:underline" onClick={() => setHosts(made.hosts.join(', '))}>
            Change
          </button>
        )}
      </>
    )
  }
  const save = async () => {
    const wrong = hostsFault(hosts) ?? (await approve(name, made.digest, readHosts(hosts)))
    setFault(wrong)
    if (wrong === null) setHosts(null)
    else field.current?.focus()
  }
  return (
    <form
      className="pb-2"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <HostsField
        ref={field}
        value={hosts}
        fault={fault}
        onChange={(hosts) => {
          setHosts(hosts)
          setFault(null)
        }}
      />
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" disabled={busy}>
          Save
        </Button>
        <Button
          variant="quiet"
          disabled={busy}
          onClick={() => {
            setHosts(null)
            setFault(null)
          }}
        >
          Cancel
        </Button>
        {busy && (
          <span role="status" className="text-muted">
            Trying it out first…
          </span>
        )}
      </div>
    </form>
  )
}
