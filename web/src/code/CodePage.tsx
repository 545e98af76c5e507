import './code.css'
import { FileCode, FolderTree, SquareTerminal } from 'lucide-react'
import { useEffect } from 'react'
import { FailureMessage } from '@/design/Sorry'
import { Button } from '@/design/Button'
import { classNames } from '@/design/classNames'
import { useMedia } from '@/design/media'
import { Face } from '@/design/Moon'
import { sentence } from '@/api/http'
import { SidebarButton } from '@/chat/ChatHead'
import { RetryNote, LoadingNote } from '@/shell/PageFrame'
import { fragmentOf, type Route } from '@/shell/route'
import { NARROW } from '@/shell/slice'
import { useStore } from '@/store'
import { AgentPanel } from './AgentPanel'
import { Centre, CentreHead } from './Centre'
import { CodeSide } from './CodeSide'
import { Divider } from './Divider'
import { AGENT_WIDTH, TERMINAL_HEIGHT } from './layoutSlice'
import { NoFolder } from './NoFolder'
import { WIDE } from './panes'
import { Picker } from './Picker'
import { currentRoot } from './rootSlice'
import { useCodeStore } from './useCodeStore'
import { tabKey, tabRoute } from './tabSlice'
import { Terminal } from './Terminal'
import { useCodeKeys } from './useCodeKeys'

type CodeRoute = Extract<Route, { page: 'code' }>

/** The page of a code folder with the chat beside it. */
export default function CodePage() {
  const route = useStore((state) => state.route) as CodeRoute
  const roots = useCodeStore((state) => state.roots)
  const root = useCodeStore(currentRoot)
  const trouble = useCodeStore((state) => state.rootsTrouble)
  const { refreshRoots } = useCodeStore.getState()
  useCodeKeys()
  useEffect(() => void refreshRoots(), [refreshRoots])
  useEffect(() => {
    if (route.page === 'code') useCodeStore.getState().openRoute(route)
  }, [route])
  useEffect(() => {
    document.title = root ? `${root.name} · Perigee` : 'Code · Perigee'
  }, [root])

  if (roots === null) {
    return (
      <Plain>
        <div className="mx-auto w-full max-w-[43.5rem] px-6">{trouble ? <RetryNote text={trouble} onRetry={() => void refreshRoots()} /> : <LoadingNote text="Looking for your folders…" />}</div>
      </Plain>
    )
  }
  if (!root) {
    return (
      <Plain>
        <NoFolder />
      </Plain>
    )
  }
  if (root.trouble) {
    return (
      <Plain>
        <FailureMessage title={`${root.name} cannot be opened`} text={sentence(root.trouble)}>
          <Button variant="primary" onClick={() => useStore.getState().show({ kind: 'openFolder' })}>
            Open another folder
          </Button>
          <Button onClick={() => void useCodeStore.getState().refreshAll()}>Try again</Button>
        </FailureMessage>
      </Plain>
    )
  }
  return (
    <>
      <Panes route={route} />
      <Picker />
    </>
  )
}

function Plain({ children }: { children: React.ReactNode }) {
  return (
    <div className="flex h-full flex-col">
      <header className="flex h-14 shrink-0 items-center px-3 pt-[env(safe-area-inset-top)] sm:px-4">
        <SidebarButton />
      </header>
      {children}
    </div>
  )
}

function Panes({ route }: { route: CodeRoute }) {
  const wide = useMedia(WIDE)
  const narrow = useMedia(NARROW)
  return wide ? <Columns /> : <Pages route={route} narrow={narrow} />
}

function Columns() {
  const agentShown = useCodeStore((state) => state.agentShown)
  const agentWidth = useCodeStore((state) => state.agentWidth)
  const terminalShown = useCodeStore((state) => state.terminalShown)
  const terminalHeight = useCodeStore((state) => state.terminalHeight)
  const { setAgentWidth, setTerminalHeight } = useCodeStore.getState()
  return (
    <div className="flex h-full min-w-0">
      <div className="flex min-w-0 flex-1 flex-col">
        <CentreHead />
        <Centre />
        {terminalShown && (
          <>
            <Divider label="Height of the terminal" axis="y" size={terminalHeight} onSize={setTerminalHeight} {...TERMINAL_HEIGHT} />
            <div className="shrink-0" style={{ height: `min(${terminalHeight}px, 60%)` }}>
              <Terminal />
            </div>
          </>
        )}
      </div>
      {agentShown && (
        <>
          <Divider label="Width of the conversation" axis="x" size={agentWidth} onSize={setAgentWidth} {...AGENT_WIDTH} />
          <aside aria-label="Conversation about the code" className="shrink-0 bg-[color-mix(in_oklab,var(--surface)_55%,var(--ground))]" style={{ width: `min(${agentWidth}px, 50%)` }}>
            <AgentPanel />
          </aside>
        </>
      )}
    </div>
  )
}

type Pane = 'files' | 'editor' | 'agent' | 'terminal'

function paneOf({ view }: CodeRoute, narrow: boolean): Pane {
  if (view === 'files' && narrow) return 'files'
  return view === 'agent' || view === 'terminal' ? view : 'editor'
}

/** The panes one at a time, for screens without room for more. */
function Pages({ route, narrow }: { route: CodeRoute; narrow: boolean }) {
  const pane = paneOf(route, narrow)
  return (
    <div className="flex h-full min-w-0 flex-col">
      <div className="min-h-0 flex-1">
        {pane === 'files' && (
          <div className="flex h-full flex-col pt-[env(safe-area-inset-top)]">
            <CodeSide head />
          </div>
        )}
        {pane === 'editor' && (
          <div className="flex h-full min-w-0 flex-col">
            <CentreHead />
            <Centre />
          </div>
        )}
        {pane === 'agent' && <AgentPanel alone />}
        {pane === 'terminal' && <Terminal alone />}
      </div>
      <Switch pane={pane} narrow={narrow} />
    </div>
  )
}

function Switch({ pane, narrow }: { pane: Pane; narrow: boolean }) {
  const name = useStore((state) => state.companionName)
  const active = useCodeStore((state) => state.tabs.find((tab) => tabKey(tab) === state.tab))
  const busy = useStore((state) => state.codeChat !== null && state.live[state.codeChat] !== undefined)
  const item = (own: Pane, title: string, icon: React.ReactNode, to: Route) => (
    <a
      href={fragmentOf(to)}
      aria-current={pane === own ? 'page' : undefined}
      className={classNames('flex h-13 min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-12 transition-colors', pane === own ? 'text-text' : 'text-muted')}
    >
      <span className={classNames('relative grid h-6 w-11 place-items-center rounded-full transition-colors', pane === own && 'bg-pressed')}>{icon}</span>
      {title}
    </a>
  )
  return (
    <nav aria-label="Panes" className="flex shrink-0 border-t border-hairline bg-[color-mix(in_oklab,var(--surface)_70%,var(--ground))] px-2 pb-[env(safe-area-inset-bottom)]">
      {narrow && item('files', 'Files', <FolderTree size={18} />, { page: 'code', view: 'files' })}
      {item('editor', 'Code', <FileCode size={18} />, tabRoute(active))}
      {item(
        'agent',
        name,
        <>
          <Face size={18} mood={busy ? 'thinking' : 'calm'} />
          {busy && <span className="absolute end-1.5 top-0.5 size-1.5 rounded-full bg-accent" />}
        </>,
        { page: 'code', view: 'agent' },
      )}
      {item('terminal', 'Terminal', <SquareTerminal size={18} />, { page: 'code', view: 'terminal' })}
    </nav>
  )
}
