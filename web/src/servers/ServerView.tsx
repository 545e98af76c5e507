import { ChevronLeft, LogOut, Play, RotateCw, Square, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { sentence } from '@/api/http'
import type { McpServerInfo } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { BacktickText } from '@/design/BacktickText'
import { own } from '@/design/own'
import { RetryNote, LoadingNote, PageFrame } from '@/shell/PageFrame'
import { fragmentOf } from '@/shell/route'
import { useStore } from '@/store'
import { plain } from '@/tools/wording'
import { Approval } from './Approval'
import { NetworkAccess } from './NetworkAccess'
import { ServerLog } from './ServerLog'
import { ServerTools } from './ServerTools'
import { SignIn } from './SignIn'
import { Source } from './Source'
import { Dotted, StateMark } from './StateMark'
import { ServerTrouble } from './ServerTrouble'
import { useServerStore } from './useServerStore'
import { ago, asksAgain, canStart, isolationWords, serverOrigin, runs } from './wording'

/** The page of one server: its origin, its tools, and its permissions. */
export function ServerView({ name }: { name: string }) {
  const servers = useServerStore((state) => state.servers)
  const trouble = useServerStore((state) => state.serversTrouble)
  const { refreshServers } = useServerStore.getState()
  const { go } = useStore.getState()
  const server = servers?.find((one) => one.name === name)
  return (
    <PageFrame page="servers" name={plain(name)}>
      <a
        href={fragmentOf({ page: 'servers' })}
        className="mt-3 -ms-1 inline-flex items-center gap-1 rounded-control py-1 pe-2 text-13 text-muted transition-colors hover:text-text pointer-coarse:py-2.5"
      >
        <ChevronLeft size={15} />
        All servers
      </a>
      {!servers && !trouble && <LoadingNote text="Opening…" />}
      {server && trouble && <ServerTrouble text={trouble} />}
      {!server && trouble && <RetryNote text={trouble} onRetry={() => void refreshServers()} />}
      {servers && !server && !trouble && (
        <div role="alert" className="py-6">
          <p className="text-15 text-muted">There is no server with this name. It may have been deleted.</p>
          <Button className="mt-3" onClick={() => go({ page: 'servers' })}>
            All servers
          </Button>
        </div>
      )}
      {server && <Opened server={server} />}
    </PageFrame>
  )
}

function Opened({ server }: { server: McpServerInfo }) {
  return (
    <article aria-label={plain(server.name)} className="pt-2">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="display text-30 wrap-anywhere" dir="auto">
            {plain(server.name)}
          </h1>
          <p role="status" className="mt-1 flex flex-wrap items-center gap-x-3 text-13">
            <StateMark state={server.state} />
            {asksAgain(server) && <Dotted tone="warn">changed, needs approval</Dotted>}
          </p>
        </div>
        <StartStop server={server} />
      </div>
      {server.description && (
        <p className="mt-3 max-w-(--measure) text-15 wrap-anywhere text-muted" dir="auto">
          {plain(server.description)}
        </p>
      )}
      {server.trouble && server.state !== 'asking' && (
        <p className="mt-3 rounded-card bg-[color-mix(in_oklab,var(--danger)_9%,transparent)] px-4 py-3 text-13 wrap-anywhere whitespace-pre-wrap">
          <BacktickText text={plain(sentence(server.trouble))} />
        </p>
      )}
      <Facts server={server} />
      {server.asks !== null && <Approval server={server} asks={server.asks} />}
      {(server.signIn === 'wanted' || server.signIn === 'more') && <SignIn server={server} />}
      <ServerTools server={server} />
      {server.made && <Source server={server} made={server.made} />}
      {server.state !== 'asking' && server.state !== 'disabled' && <ServerLog server={server} />}
    </article>
  )
}

function StartStop({ server }: { server: McpServerInfo }) {
  const steering = useServerStore((state) => own(state.pendingActions, server.name))
  const { startOrStopServer, removeServer, signOutOf } = useServerStore.getState()
  const busy = steering !== undefined
  const failed = server.state === 'failed' || server.state === 'failing'
  return (
    <div className="flex flex-wrap gap-1">
      {canStart(server) && (
        <Button icon={failed ? <RotateCw size={15} /> : <Play size={15} />} disabled={busy} onClick={() => void startOrStopServer(server.name, 'start')}>
          {failed ? 'Start again' : 'Start'}
        </Button>
      )}
      {runs(server) && (
        <Button icon={<Square size={14} />} disabled={busy} onClick={() => void startOrStopServer(server.name, 'stop')}>
          Stop
        </Button>
      )}
      {(server.signIn === 'done' || server.signIn === 'more') && (
        <Button icon={<LogOut size={15} />} disabled={busy} onClick={() => void signOutOf(server.name)}>
          Sign out
        </Button>
      )}
      <Button variant="danger" icon={<Trash2 size={15} />} disabled={busy} onClick={() => void removeServer(server)}>
        Remove
      </Button>
    </div>
  )
}

function Facts({ server }: { server: McpServerInfo }) {
  const { made } = server
  const sandbox = useServerStore((state) => state.sandbox)
  return (
    <dl className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-13">
      <Line term="From">
        {serverOrigin(server)}
        {server.version !== null && <span className="text-faint"> · version {plain(server.version)}</span>}
      </Line>
      <Line term={made ? 'File' : isAddress(server) ? 'Address' : 'Command'}>
        <code className="font-mono text-12/5 break-all" dir="ltr">
          {plain(server.reach)}
        </code>
      </Line>
      {made ? (
        <>
          <Line term="Sandbox">{isolationWords(sandbox)}</Line>
          <Line term="Network">
            <NetworkAccess name={server.name} made={made} waits={server.asks !== null} />
          </Line>
          <Line term="Starts">{made.autoStart ? 'together with Perigee' : 'when one of its tools is used'}</Line>
          <Line term="Written">
            {ago(made.createdAt, new Date())}
            {made.changedAt !== made.createdAt && `, changed ${ago(made.changedAt, new Date())}`}
          </Line>
        </>
      ) : (
        <Line term="Sandbox">{isAddress(server) ? 'none: it runs elsewhere, and gets what she sends it' : 'none: it runs with your rights'}</Line>
      )}
    </dl>
  )
}

const isAddress = ({ reach }: McpServerInfo) => /^https?:\/\//.test(reach)

function Line({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{term}</dt>
      <dd className="min-w-0 wrap-anywhere text-muted">{children}</dd>
    </>
  )
}
