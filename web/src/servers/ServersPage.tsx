import { ChevronRight, Moon, Plug, Plus, RotateCw } from 'lucide-react'
import { useEffect } from 'react'
import { sentence } from '@/api/http'
import type { MadeDeleted, McpServerInfo } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { plural } from '@/design/format'
import { own } from '@/design/own'
import { RetryNote, LoadingNote, EmptyState, PageFrame } from '@/shell/PageFrame'
import { fragmentOf } from '@/shell/route'
import { useStore } from '@/store'
import { plain } from '@/tools/wording'
import { SandboxNote } from './SandboxNote'
import { ServerView } from './ServerView'
import { Dotted, StateMark } from './StateMark'
import { ServerTrouble } from './ServerTrouble'
import { useServerStore } from './useServerStore'
import { asksAgain } from './wording'

/** The page of the MCP servers: the list, or one of them. */
export default function ServersPage() {
  const name = useStore((state) => (state.route.page === 'servers' ? (state.route.name ?? null) : null))
  const refreshServers = useServerStore((state) => state.refreshServers)
  // Refreshes on every navigation, so that each page shows the current state rather than that of the first
  // visit.
  useEffect(() => void refreshServers(), [refreshServers, name])
  return name === null ? <ServerList /> : <ServerView key={name} name={name} />
}

function ServerList() {
  const servers = useServerStore((state) => state.servers)
  const sandbox = useServerStore((state) => state.sandbox)
  const deleted = useServerStore((state) => state.deletedServers)
  const trouble = useServerStore((state) => state.serversTrouble)
  const { refreshServers } = useServerStore.getState()
  const { show } = useStore.getState()
  const add = () => show({ kind: 'addServer' })
  const filled = servers !== null && servers.length > 0
  return (
    <PageFrame
      page="servers"
      {...(filled ? { about: `Programs that give her more tools${sandbox?.level === 'none' ? '' : ': some you connect, some she writes'}. None runs before you approve it.` } : {})}
      actions={
        filled && (
          <Button icon={<Plus size={15} />} onClick={add}>
            Add a server
          </Button>
        )
      }
    >
      {trouble && !servers && <RetryNote text={trouble} onRetry={() => void refreshServers()} />}
      {trouble && servers && <ServerTrouble text={trouble} />}
      {!servers && !trouble && <LoadingNote text="Looking for servers…" rows={2} />}
      {servers && !filled && (
        <EmptyState title="No servers yet" text={`A server is a program that gives her more tools, such as your files, a browser or a calendar. Pick one from the list${sandbox?.level === 'none' ? '' : ', or ask her to write one'}.`}>
          <Button variant="primary" icon={<Plus size={15} />} onClick={add}>
            Add a server
          </Button>
        </EmptyState>
      )}
      {servers && (
        <>
          <ServerGroup title="Connected" servers={servers.filter(({ kind }) => kind === 'configured')} />
          <ServerGroup title="Written by her" servers={servers.filter(({ kind }) => kind === 'made')} />
        </>
      )}
      {deleted.length > 0 && <Deleted deleted={deleted} />}
      {servers && sandbox && <SandboxNote sandbox={sandbox} />}
    </PageFrame>
  )
}

/** The deleted generated servers, whether the companion or the user deleted them. */
function Deleted({ deleted }: { deleted: MadeDeleted[] }) {
  const restore = useServerStore((state) => state.restoreServer)
  return (
    <section aria-label="Deleted" className="pt-6">
      <h2 className="border-b border-hairline pb-2 text-15 font-medium">Deleted</h2>
      <ul className="divide-y divide-hairline">
        {deleted.map(({ name, description }) => (
          <li key={name} className="flex items-start gap-4 py-3">
            <div className="min-w-0 flex-1">
              <p className="text-15 wrap-anywhere" dir="auto">
                {plain(name)}
              </p>
              {description !== '' && (
                <p className="line-clamp-2 text-13 wrap-anywhere text-muted" dir="auto">
                  {plain(description)}
                </p>
              )}
            </div>
            <Button aria-label={`Restore ${plain(name)}`} onClick={() => void restore(name)}>
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function ServerGroup({ title, servers }: { title: string; servers: McpServerInfo[] }) {
  if (servers.length === 0) return null
  return (
    <section aria-label={title} className="pt-6">
      <h2 className="border-b border-hairline pb-2 text-15 font-medium">{title}</h2>
      <ul className="-mx-3 pt-1">
        {servers.map((server) => (
          <Row key={server.name} server={server} />
        ))}
      </ul>
    </section>
  )
}

function Row({ server }: { server: McpServerInfo }) {
  const { startOrStopServer } = useServerStore.getState()
  const steering = useServerStore((state) => own(state.pendingActions, server.name))
  const Icon = server.kind === 'made' ? Moon : Plug
  const failed = server.state === 'failed' || server.state === 'failing'
  return (
    <li className="relative rounded-card transition-colors hover:bg-hover">
      <a href={fragmentOf({ page: 'servers', name: server.name })} className="flex items-start gap-3 rounded-card px-3 py-3">
        <Icon size={17} className="mt-[3px] text-faint" />
        <span className="min-w-0 flex-1">
          <span className="block text-15 wrap-anywhere" dir="auto">
            {plain(server.name)}
          </span>
          {server.kind === 'made' && server.description ? (
            <span className="line-clamp-2 text-13 wrap-anywhere text-muted" dir="auto">
              {plain(server.description)}
            </span>
          ) : (
            <code className="block truncate font-mono text-12/5 text-muted" dir="ltr">
              {plain(server.reach)}
            </code>
          )}
          <span className="mt-1 flex flex-wrap items-center gap-x-3 text-12">
            <StateMark state={server.state} />
            {asksAgain(server) && <Dotted tone="warn">changed, needs approval</Dotted>}
            {server.tools.length > 0 && <span className="text-faint">{plural(server.tools.length, 'tool')}</span>}
          </span>
          {failed && server.trouble && <span className="mt-1 line-clamp-3 pe-2 text-13 wrap-anywhere text-muted">{plain(sentence(server.trouble))}</span>}
        </span>
        <ChevronRight size={16} className="mt-1 text-faint" />
      </a>
      {failed && (
        <div className="-mt-1 ps-[2.5625rem] pb-3">
          <Button className="h-7" icon={<RotateCw size={14} />} disabled={steering !== undefined} aria-label={`Start ${server.name} again`} onClick={() => void startOrStopServer(server.name, 'start')}>
            Start again
          </Button>
        </div>
      )}
    </li>
  )
}
