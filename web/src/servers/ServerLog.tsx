import { useEffect } from 'react'
import type { McpServerInfo } from '@/api/protocol.gen'
import { timeOfDay } from '@/design/format'
import { LiveOutput } from '@/tools/LiveOutput'
import { useServerStore } from './useServerStore'
import { runs } from './wording'

const EVERY_MS = 2_000

/** The log output of a server. It is polled while the server runs and the page is visible. */
export function ServerLog({ server }: { server: McpServerInfo }) {
  const { name } = server
  const log = useServerStore((state) => (state.serverLog?.name === name ? state.serverLog : null))
  const read = useServerStore((state) => state.readServerLog)
  const follows = runs(server)
  useEffect(() => {
    void read(name)
    if (!follows) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void read(name)
    }, EVERY_MS)
    return () => clearInterval(timer)
    // Depends on the state as well, so that the last output is read once the server has ended.
  }, [read, name, follows, server.state])
  const lines = log?.lines ?? []
  return (
    <section aria-label="Log" className="pt-8">
      <h2 className="border-b border-hairline pb-2 text-15 font-medium">Log</h2>
      {log?.trouble && (
        <p role="alert" className="pt-3 text-13 text-danger">
          {log.trouble}
        </p>
      )}
      {lines.length === 0 ? (
        log?.lines && <p className="py-4 text-13 text-muted">The log is empty.</p>
      ) : (
        <div className="pt-3">
          <LiveOutput text={lines.map(({ at, text }) => `${timeOfDay(at)}  ${text}`).join('\n')} label={`Log of ${name}`} className="max-h-72" />
        </div>
      )}
    </section>
  )
}
