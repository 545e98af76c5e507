import { useEffect, useState } from 'react'
import { Difference } from '@/memory/Difference'
import { useServerStore } from '@/servers/useServerStore'
import { FoldedCode } from './FoldedCode'
import { field } from './wording'

/** The source code of a server to review before approval; for an existing server, its diff. */
export function ServerCode({ tool, args }: { tool: string; args: unknown }) {
  const [whole, setWhole] = useState(false)
  const code = field(args, 'code')
  const before = useSource(tool === 'mcp_server_edit' ? field(args, 'name') : '')
  const changes = before !== undefined
  if (code === '') return null
  return (
    <div className="min-w-0">
      {changes && !whole ? <Difference before={before} after={code} className="max-h-[min(24rem,50dvh)] overflow-y-auto" /> : <FoldedCode code={code} language="python" />}
      {changes && (
        <button
          type="button"
          aria-pressed={whole}
          onClick={() => setWhole(!whole)}
          className="mt-1.5 rounded-control text-12 text-blue underline decoration-1 underline-offset-3 pointer-coarse:py-2"
        >
          {whole ? 'Show what changes' : 'Show the whole code'}
        </button>
      )}
    </div>
  )
}

/** Returns the current source code of a server once it is loaded. */
function useSource(name: string): string | undefined {
  const read = useServerStore((state) => state.readServerSource)
  useEffect(() => {
    if (name !== '') void read(name)
  }, [read, name])
  return useServerStore((state) => (name !== '' && state.serverSource?.name === name ? state.serverSource.source?.code : undefined))
}
