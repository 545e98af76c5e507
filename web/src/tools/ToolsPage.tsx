import { ChevronRight, TriangleAlert } from 'lucide-react'
import { memo, useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { Grant, ToolInfo } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { capital, since } from '@/design/format'
import { classNames } from '@/design/classNames'
import { BacktickText } from '@/design/BacktickText'
import { rank } from '@/palette/rank'
import { useServerStore } from '@/servers/useServerStore'
import { RetryNote, LoadingNote, PageFrame } from '@/shell/PageFrame'
import { fragmentOf } from '@/shell/route'
import { useStore } from '@/store'
import { Arguments } from './Arguments'
import { CommandRules } from './CommandRules'
import { FilterField } from './FilterField'
import { type Group, groupedByPurpose, switchOf } from './groups'
import { ToolOrigin } from './ToolOrigin'
import { toolIcon } from './icons'
import { toolAbout, toolName } from './names'
import { Parameters } from './Parameters'
import { PermissionControl } from './PermissionControl'
import { effects, plain, RISKS } from './wording'

/** The page of all tools and their permissions. */
export default function ToolsPage() {
  const tools = useStore((state) => state.tools)
  const trouble = useStore((state) => state.toolsTrouble)
  const fileTrouble = useStore((state) => state.permissionTrouble)
  const grants = useStore((state) => state.grants)
  const wanted = useStore((state) => (state.route.page === 'tools' ? (state.route.tool ?? null) : null))
  const { refreshServers } = useServerStore.getState()
  const { refreshTools, refreshConfig } = useStore.getState()
  const [query, setQuery] = useState('')
  const asked = useDeferredValue(query.trim())

  useEffect(() => {
    void refreshTools()
    void refreshServers()
    if (!useStore.getState().config) void refreshConfig()
  }, [refreshTools, refreshConfig, refreshServers])
  const here = tools !== null
  useEffect(() => {
    if (wanted && here) document.getElementById(`tool ${wanted}`)?.scrollIntoView({ block: 'center' })
  }, [wanted, here])

  const groups = useMemo(() => {
    const found = (tools ?? []).filter((tool) => asked === '' || rank(`${toolName(tool.name)} ${tool.name} ${toolAbout(tool)} ${tool.description} ${tool.group ?? ''} ${tool.tags.join(' ')}`, asked) !== null)
    return groupedByPurpose(found)
  }, [tools, asked])

  return (
    <PageFrame page="tools" about="What she can do, and whether she asks first. She acts through these alone.">
      {fileTrouble && (
        <div role="alert" className="mt-4 flex gap-3 rounded-card bg-[color-mix(in_oklab,var(--warn)_10%,transparent)] px-4 py-3 text-13">
          <TriangleAlert size={16} className="mt-0.5 text-warn" />
          <p className="min-w-0 wrap-anywhere">
            <BacktickText text={fileTrouble} /> <span className="text-muted">The last good permissions stay in force until the file is fixed.</span>
          </p>
        </div>
      )}
      {trouble && <RetryNote text={trouble} onRetry={() => void refreshTools()} />}
      {!tools && !trouble && <LoadingNote text="Loading the tools…" />}
      {tools && (
        <>
          <div className="sticky top-0 z-10 -mx-1 flex bg-[linear-gradient(var(--ground)_75%,transparent)] px-1 pt-4 pb-4">
            <FilterField label="Search tools" value={query} onChange={setQuery} />
          </div>
          {groups.length === 0 && <p className="py-6 text-15 text-muted">{asked === '' ? 'There are no tools here.' : 'No tool matches that. Try another word.'}</p>}
          {groups.map((group) => (
            <GroupView key={group.title} group={group} />
          ))}
          {asked === '' && <Grants grants={grants} />}
        </>
      )}
    </PageFrame>
  )
}

function GroupView({ group }: { group: Group }) {
  const { title } = group
  return (
    <section aria-label={title} className="pb-6">
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 border-b border-hairline pb-2">
        <h2 className="text-15 font-medium">{title}</h2>
        {group.off ? <SwitchOn tool={group.tools[0]} /> : <span className="text-12 text-faint">{group.tools.length}</span>}
      </div>
      <ul className="divide-y divide-hairline">
        {group.tools.map((tool) => (
          <ToolRow key={tool.name} tool={tool} groupOff={group.off} />
        ))}
      </ul>
      {!group.off && group.tools.some(({ name }) => name === 'run_command') && <CommandRules />}
    </section>
  )
}

/**
 * The button and link to turn on a tool. While off, a tool is not offered and cannot run, whatever its
 * permission.
 */
function SwitchOn({ tool }: { tool: ToolInfo | undefined }) {
  const field = useStore((state) => switchOf(tool, state.config))
  const change = useStore((state) => state.changeConfig)
  const saving = useStore((state) => (field ? state.saving[field.key] : undefined))
  const fixed = field !== null && (field.from === 'environment' || field.from === 'flag')
  return (
    <p className="flex flex-1 flex-wrap items-center gap-x-3 text-13 text-muted">
      <span className="flex-1">Off</span>
      {field && !fixed && (
        <Button
          className="h-7"
          disabled={saving?.state === 'saving'}
          onClick={() => void change(field.key, true).then(() => useStore.getState().refreshTools())}
        >
          Turn on
        </Button>
      )}
      <a href={fragmentOf({ page: 'settings', section: field?.key ?? 'tools' })} className="text-blue underline decoration-1 underline-offset-3">
        Settings
      </a>
      {saving?.state === 'failed' && (
        <span role="alert" className="text-danger">
          {saving.message}
        </span>
      )}
    </p>
  )
}

const ToolRow = memo(function ToolRow({ tool, groupOff }: { tool: ToolInfo; groupOff: boolean }) {
  const [open, setOpen] = useState(false)
  const Icon = toolIcon(tool.name)
  const does = effects(tool)
  const offBy = useStore((state) => switchOf(tool, state.config))
  return (
    <li id={`tool ${tool.name}`} className="flex scroll-mt-24 flex-col gap-x-8 gap-y-2.5 py-4 sm:flex-row sm:items-start">
      <div className="flex min-w-0 flex-1 gap-3">
        <Icon size={17} className="mt-[3px] text-faint" />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-baseline gap-x-2.5">
            <span className="text-15 wrap-anywhere">{toolName(tool.name)}</span>
            <span className={classNames('text-12', RISK_COLOURS[tool.risk])}>{RISKS[tool.risk]}</span>
            {!tool.on && !groupOff && (
              <a href={fragmentOf({ page: 'settings', section: offBy?.key ?? 'tools' })} className="text-12 text-warn underline decoration-1 underline-offset-3">
                Off in Settings
              </a>
            )}
          </p>
          <p className="mt-0.5 text-13 wrap-anywhere text-muted" dir="auto">
            <BacktickText text={toolAbout(tool)} />
          </p>
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="mt-1 -ms-1 flex items-center gap-1 rounded-control py-0.5 ps-0.5 pe-2 text-start text-12 text-faint transition-colors hover:text-text pointer-coarse:py-2.5"
          >
            <ChevronRight size={13} className={classNames('transition-transform duration-200', open && 'rotate-90')} />
            {capital(does.length > 0 ? does.join(' · ') : 'only answers')}
            <span className="sr-only">: more about {toolName(tool.name)}</span>
          </button>
          {open && <More tool={tool} />}
        </div>
      </div>
      <PermissionControl tool={tool} />
    </li>
  )
})

const RISK_COLOURS = { safe: 'text-ok', risky: 'text-warn', dangerous: 'text-danger' }

function More({ tool }: { tool: ToolInfo }) {
  const { openAudit, go } = useStore.getState()
  return (
    <div className="mt-2 flex flex-col gap-2 border-s border-hairline ps-4 text-12 text-muted">
      <p>
        The model calls it <code className="font-mono text-text wrap-anywhere">{tool.name}</code>
        {toolAbout(tool) !== tool.description && <>: “{plain(tool.description)}”</>}
      </p>
      <Parameters schema={tool.parameters} />
      {tool.tags.length > 0 && <p>In a reply it is written {tool.tags.map((tag) => `[${tag}:…]`).join(', ')}.</p>}
      <ToolOrigin tool={tool} />
      <p>It is stopped after {tool.timeLimitSeconds} seconds.</p>
      <p>
        <button
          type="button"
          onClick={() => {
            void openAudit({ tool: tool.name, decision: '', q: '' })
            go({ page: 'audit' })
          }}
          className="rounded-control text-blue underline decoration-1 underline-offset-3 pointer-coarse:py-2"
        >
          When she used it
        </button>
      </p>
    </div>
  )
}

/** The permanent permissions for certain arguments. */
function Grants({ grants }: { grants: Grant[] }) {
  const revoke = useStore((state) => state.revokeGrant)
  return (
    <section aria-label="Always allowed">
      <div className="flex min-h-9 items-center border-b border-hairline pb-1">
        <h2 className="text-15 font-medium">Always allowed</h2>
      </div>
      {grants.length === 0 && (
        <p className="py-4 text-13 text-muted">Nothing yet. When she asks and you choose “Always”, that exact request is listed here, and can be taken back.</p>
      )}
      <ul className="divide-y divide-hairline">
        {grants.map((grant) => (
          <li key={grant.id} className="flex items-start gap-4 py-3.5">
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-baseline gap-x-2.5 pb-1">
                <span className="text-15">{toolName(grant.tool)}</span>
                <span className="text-12 text-faint">{since(grant.createdAt, new Date())}</span>
              </p>
              <Arguments args={grant.args} />
            </div>
            <Button variant="danger" aria-label={`Revoke: ${toolName(grant.tool)}`} onClick={() => void revoke(grant.id)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
