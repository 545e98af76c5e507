import { ChevronRight, Play } from 'lucide-react'
import { useState } from 'react'
import type { McpServerInfo, McpToolInfo } from '@/api/protocol.gen'
import { classNames } from '@/design/classNames'
import { own } from '@/design/own'
import { fragmentOf } from '@/shell/route'
import { useStore } from '@/store'
import { Parameters } from '@/tools/Parameters'
import { PERMISSIONS, plain } from '@/tools/wording'
import { ChangedDescription } from './ChangedDescription'
import { TryTool } from './TryTool'
import { useServerStore } from './useServerStore'

/** The tools of a server, unapproved ones first. */
export function ServerTools({ server }: { server: McpServerInfo }) {
  const { tools, leftOut } = server
  const sorted = tools.toSorted((one, other) => Number(one.standing === 'approved') - Number(other.standing === 'approved'))
  const extras = [...(server.hasResources ? ['things to read'] : []), ...(server.hasPrompts ? ['prompts'] : [])]
  return (
    <section aria-label="Tools" className="pt-8">
      <div className="flex items-baseline gap-3 border-b border-hairline pb-2">
        <h2 className="text-15 font-medium">Tools</h2>
        {tools.length > 0 && <span className="text-12 text-faint">{tools.length}</span>}
      </div>
      {tools.length === 0 && <p className="py-4 text-13 text-muted">{NONE[server.state] ?? 'It has none.'}</p>}
      <ul className="divide-y divide-hairline">
        {sorted.map((tool) => (
          <ToolItem key={tool.name} server={server} tool={tool} />
        ))}
      </ul>
      {extras.length > 0 && <p className="pt-3 text-13 text-muted">It also offers {extras.join(' and ')}, which she finds with separate tools.</p>}
      {leftOut.length > 0 && (
        <ul aria-label="Left out" className="flex flex-col gap-1 pt-3 text-13 text-muted">
          {leftOut.map((line) => (
            <li key={line} className="wrap-anywhere">
              <span className="text-warn">Left out:</span> {plain(line)}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const NONE: Partial<Record<McpServerInfo['state'], string>> = {
  asking: 'Its tools appear once it is approved.',
  starting: 'It is starting…',
  resting: 'Its tools appear when it runs.',
  locked: 'Its tools appear once you have signed in.',
  failed: 'It failed to start, so its tools are not known.',
  failing: 'It failed to start, so its tools are not known yet.',
}

const MARKS = { approved: null, new: 'new', changed: 'changed' }

function ToolItem({ server, tool }: { server: McpServerInfo; tool: McpToolInfo }) {
  const [open, setOpen] = useState<'more' | 'try' | null>(null)
  const mark = MARKS[tool.standing]
  const usable = tool.standing === 'approved' && (server.state === 'ready' || (server.kind === 'made' && server.state === 'resting'))
  // True if the tool asks a question, which is answered where the tool was tried.
  const waits = useServerStore((state) => own(state.tries, tool.fullName)?.status === 'waiting')
  const toggle = (part: 'more' | 'try') => setOpen(open === part ? null : part)
  return (
    <li className="py-3.5">
      <p className="flex flex-wrap items-baseline gap-x-2.5">
        <code className="font-mono text-13 wrap-anywhere">{plain(tool.name)}</code>
        {mark && <span className="text-12 text-warn">{mark}</span>}
      </p>
      {tool.was === null ? (
        <p className="mt-0.5 max-w-(--measure) text-13 wrap-anywhere whitespace-pre-wrap text-muted" dir="auto">
          {plain(tool.description) || 'It has no description.'}
        </p>
      ) : (
        <ChangedDescription before={tool.was} after={tool.description} />
      )}
      <div className="mt-1 -ms-1 flex flex-wrap gap-x-2">
        <Toggle open={open === 'more'} onClick={() => toggle('more')} name={tool.name}>
          Arguments
        </Toggle>
        {usable && (
          <Toggle open={open === 'try' || waits} onClick={() => toggle('try')} name={tool.name} icon={<Play size={12} />}>
            Try it
          </Toggle>
        )}
      </div>
      {open === 'more' && <More tool={tool} />}
      {(open === 'try' || waits) && <TryTool server={server.name} tool={tool} />}
    </li>
  )
}

interface ToggleProps {
  open: boolean
  onClick: () => void
  name: string
  icon?: React.ReactNode
  children: string
}

function Toggle({ open, onClick, name, icon, children }: ToggleProps) {
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={onClick}
      className={classNames('flex items-center gap-1 rounded-control py-0.5 ps-0.5 pe-2 text-12 transition-colors hover:text-text pointer-coarse:py-2.5', open ? 'text-text' : 'text-faint')}
    >
      {icon ?? <ChevronRight size={13} className={classNames('transition-transform duration-200', open && 'rotate-90')} />}
      {children}
      <span className="sr-only">: {plain(name)}</span>
    </button>
  )
}

function More({ tool }: { tool: McpToolInfo }) {
  const permission = useStore((state) => state.tools?.find(({ name }) => name === tool.fullName)?.permission)
  const current = PERMISSIONS.find((one) => one.permission === permission)
  return (
    <div className="mt-2 flex flex-col gap-2 border-s border-hairline ps-4 text-12 text-muted">
      <Parameters schema={tool.parameters} />
      {tool.standing === 'approved' && (
        <p>
          She calls it <code className="font-mono text-text">{plain(tool.fullName)}</code>.{' '}
          <a href={fragmentOf({ page: 'tools', tool: tool.fullName })} className="text-blue underline decoration-1 underline-offset-3">
            {current ? `${current.about}: change that` : 'What she may do with it'}
          </a>
        </p>
      )}
    </div>
  )
}
