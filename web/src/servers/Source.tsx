import { Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { MadeInfo, MadeVersion, McpServerInfo } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { Select } from '@/design/Select'
import { Difference } from '@/memory/Difference'
import { FoldedCode } from '@/tools/FoldedCode'
import { plain } from '@/tools/wording'
import { versionKey } from './slice'
import { useServerStore } from './useServerStore'
import { ago } from './wording'

/** The source of a generated server, and its earlier versions. */
export function Source({ server, made }: { server: McpServerInfo; made: MadeInfo }) {
  const { name } = server
  const held = useServerStore((state) => (state.serverSource?.name === name ? state.serverSource : null))
  const read = useServerStore((state) => state.readServerSource)
  useEffect(() => void read(name), [read, name, made.changedAt])
  return (
    <section aria-label="Source" className="pt-8">
      <h2 className="border-b border-hairline pb-2 text-15 font-medium">Source</h2>
      {held?.trouble && (
        <p role="alert" className="pt-3 text-13 text-danger">
          {held.trouble}
        </p>
      )}
      {held?.source && (
        <div className="pt-3">
          <FoldedCode code={held.source.code} language="python" />
        </div>
      )}
      {made.versions.length > 1 && <Versions key={made.versions.length} name={name} versions={made.versions} />}
    </section>
  )
}

/** The difference between two versions: initially the last two. */
function Versions({ name, versions }: { name: string; versions: MadeVersion[] }) {
  const newest = versions.toReversed()
  const [from, setFrom] = useState(newest[1]?.id ?? '')
  const [to, setTo] = useState(newest[0]?.id ?? '')
  const before = useServerStore((state) => state.versions[versionKey(name, from)])
  const after = useServerStore((state) => state.versions[versionKey(name, to)])
  const read = useServerStore((state) => state.readServerVersion)
  const goBackTo = useServerStore((state) => state.restoreServerVersion)
  useEffect(() => {
    void read(name, from)
    void read(name, to)
  }, [read, name, from, to])
  const options = newest.map((version, at) => (
    <option key={version.id} value={version.id}>
      {versions.length - at}. {plain(version.note)}, {ago(version.at, new Date())}
    </option>
  ))
  return (
    <div className="pt-5">
      <h3 className="text-13 font-medium">What changed</h3>
      <div className="mt-2 mb-3 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-2 text-13 text-muted sm:flex">
        <span aria-hidden="true">from</span>
        <Select label="From version" value={from} onChange={setFrom} className="min-w-0 sm:max-w-72 sm:flex-1">
          {options}
        </Select>
        <span aria-hidden="true">to</span>
        <Select label="To version" value={to} onChange={setTo} className="min-w-0 sm:max-w-72 sm:flex-1">
          {options}
        </Select>
      </div>
      {before !== undefined && after !== undefined && <Difference before={before} after={after} className="" />}
      {from !== newest[0]?.id && (
        <div className="mt-3 flex flex-wrap items-center gap-3 text-13">
          <Button icon={<Undo2 size={15} />} onClick={() => void goBackTo(name, from)}>
            Go back to version {versions.findIndex(({ id }) => id === from) + 1}
          </Button>
          <span className="text-muted">It then needs your approval again.</span>
        </div>
      )}
    </div>
  )
}
