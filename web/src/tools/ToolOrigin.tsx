import type { ReactNode } from 'react'
import type { ToolInfo } from '@/api/protocol.gen'
import { useServerStore } from '@/servers/useServerStore'
import { isolationOf, serverNamed } from '@/servers/wording'
import { fragmentOf } from '@/shell/route'
import { plain, serverOf } from './wording'

/** The server that provides a tool, and the sandbox in which its program runs. */
export function ToolOrigin({ tool }: { tool: ToolInfo }) {
  const short = serverOf(tool.name)
  const server = useServerStore((state) => (short === null ? undefined : serverNamed(short, state.servers)))
  const sandbox = useServerStore((state) => state.sandbox)
  const held = tool.name === 'run_command' || server?.kind === 'made'
  return (
    <>
      {short !== null && (
        <p>
          From the server <ServerLink {...(server ? { name: server.name } : {})}>{plain(server?.name ?? short)}</ServerLink>
          {server?.kind === 'made' ? ', which she wrote.' : '. It runs with your rights, and in no sandbox.'}
        </p>
      )}
      {held && sandbox && (
        <p>
          {isolationOf(sandbox).title}. {isolationOf(sandbox).about} {sandbox.missing.length > 0 && <ServerLink>What is missing</ServerLink>}
        </p>
      )}
    </>
  )
}

function ServerLink({ name, children }: { name?: string; children: ReactNode }) {
  return (
    <a href={fragmentOf(name === undefined ? { page: 'servers' } : { page: 'servers', name })} className="text-blue underline decoration-1 underline-offset-3 wrap-anywhere">
      {children}
    </a>
  )
}
