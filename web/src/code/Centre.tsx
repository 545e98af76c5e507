import { BadgeCheck, FileSearch, GitPullRequestArrow, History, MessageCircle, PanelRight, SquareTerminal } from 'lucide-react'
import { Suspense } from 'react'
import type { Proposal } from '@/api/protocol.gen'
import { SidebarButton } from '@/chat/ChatHead'
import { Boundary } from '@/design/Boundary'
import { Broken } from '@/design/Broken'
import { plural } from '@/design/format'
import { IconButton } from '@/design/IconButton'
import { Keys } from '@/design/Keys'
import { Face } from '@/design/Moon'
import { lazyPart } from '@/design/lazyPart'
import { fragmentOf } from '@/shell/route'
import { useStore } from '@/store'
import { plain } from '@/tools/wording'
import { WORKSPACE_ACTIONS } from './actions'
import { Counts } from './Counts'
import { EditorPane } from './EditorPane'
import { openProposal } from './reviewSlice'
import { currentRoot } from './rootSlice'
import type { WorkspaceTab } from './state'
import { useCodeStore } from './useCodeStore'
import { tabKey } from './tabSlice'
import { TabRow, tabPanel } from './TabRow'

const ReviewView = lazyPart(() => import('./ReviewView'))
const HistoryView = lazyPart(() => import('./HistoryView'))

export function CentreHead() {
  const agentShown = useCodeStore((state) => state.agentShown)
  const terminalShown = useCodeStore((state) => state.terminalShown)
  const { showAgent, showTerminal } = useCodeStore.getState()
  const waiting = useCodeStore((state) => {
    const open = openProposal(state.proposals)
    return open && state.tab !== `review ${open.id}` ? open : null
  })
  return (
    <header className="flex h-14 shrink-0 items-center gap-1 px-3 pt-[env(safe-area-inset-top)] sm:px-4">
      <SidebarButton />
      <TabRow />
      {waiting && <ReviewButton proposal={waiting} />}
      <IconButton label="History" side="bottom" className="max-sm:hidden" onClick={() => useStore.getState().go({ page: 'code', view: 'history' })}>
        <History size={17} />
      </IconButton>
      <span className="hidden lg:contents">
        <IconButton
          label={terminalShown ? 'Hide the terminal' : 'Show the terminal'}
          keys="mod+j"
          side="bottom"
          aria-pressed={terminalShown}
          onClick={() => showTerminal(!terminalShown)}
        >
          <SquareTerminal size={17} />
        </IconButton>
        <IconButton
          label={agentShown ? 'Hide the conversation' : 'Show the conversation'}
          keys="mod+shift+b"
          side="bottom"
          aria-pressed={agentShown}
          onClick={() => showAgent(!agentShown)}
        >
          <PanelRight size={17} />
        </IconButton>
      </span>
    </header>
  )
}

/** The link to a proposal that waits for review, shown everywhere in the workspace. */
function ReviewButton({ proposal }: { proposal: Proposal }) {
  return (
    <a
      href={fragmentOf({ page: 'code', view: 'review', item: proposal.id })}
      className="me-1 flex h-8 shrink-0 items-center gap-2 rounded-control bg-accent px-3 text-13 font-medium text-on-accent transition-[filter] hover:brightness-105 pointer-coarse:h-10"
    >
      <GitPullRequestArrow size={15} />
      Review
      {proposal.files.length > 0 && (
        <span>
          {proposal.files.length}
          <span className="sr-only">{proposal.files.length === 1 ? ' changed file' : ' changed files'}</span>
        </span>
      )}
    </a>
  )
}

/** The centre pane: the current file, review or history. */
export function Centre() {
  const tab = useCodeStore((state) => state.tabs.find((known) => tabKey(known) === state.tab))
  return (
    <div {...tabPanel(tab)} className="@container/centre relative flex min-h-0 min-w-0 flex-1 flex-col">
      <Boundary resetOn={tab ? tabKey(tab) : ''} fallback={<Broken />}>
        <Suspense fallback={<div className="flex-1" aria-busy="true" />}>
          <Shown tab={tab} />
        </Suspense>
      </Boundary>
    </div>
  )
}

function Shown({ tab }: { tab: WorkspaceTab | undefined }) {
  const root = useCodeStore((state) => state.root)
  switch (tab?.kind) {
    case 'file':
      return <EditorPane key={`${root} ${tab.path}`} path={tab.path} />
    case 'review':
      return <ReviewView key={tab.id} id={tab.id} />
    case 'history':
      return <HistoryView />
    default:
      return <NothingOpen />
  }
}

const FIRST = ['findFile', 'askCode', 'terminal', 'verify']
const ICONS = { findFile: FileSearch, askCode: MessageCircle, terminal: SquareTerminal, verify: BadgeCheck } as Record<string, typeof FileSearch>
const TITLES: Record<string, string> = { findFile: 'Go to a file', askCode: 'Tell her what you want', terminal: 'Run a command', verify: 'Build and test' }

/** The centre pane without open tabs: the available actions. */
function NothingOpen() {
  const root = useCodeStore(currentRoot)
  const open = useCodeStore((state) => openProposal(state.proposals))
  const none = useCodeStore((state) => state.files?.length === 0)
  return (
    <div className="flex min-h-0 flex-1 flex-col justify-center-safe overflow-y-auto px-6 py-8">
      <div className="mx-auto w-full max-w-[26rem]">
        <Face size={44} />
        <h1 className="display mt-4 text-30">{none ? 'A clean slate.' : 'What shall we build?'}</h1>
        <p className="mt-2 text-15 text-pretty text-muted">
          {none ? (
            <>
              <bdi className="text-text">{root?.name}</bdi> is empty. Tell her what to build. You review everything before it is written.
            </>
          ) : (
            <>
              This is <bdi className="text-text">{root?.name}</bdi>. Nothing in it changes until you have reviewed it.
            </>
          )}
        </p>
        {open && (
          <a href={fragmentOf({ page: 'code', view: 'review', item: open.id })} className="mt-5 flex items-center gap-3 rounded-card bg-raised px-4 py-3 shadow-lit transition-colors hover:bg-[color-mix(in_oklab,var(--text)_5%,var(--raised))]">
            <GitPullRequestArrow size={17} className="text-accent-text" />
            <span className="min-w-0 flex-1">
              <span className="block truncate text-15" dir="auto">
                {plain(open.title)}
              </span>
              <span className="text-12 text-muted">{open.files.length > 0 ? `${plural(open.files.length, 'file')} waiting for your review` : 'Waiting for your review'}</span>
            </span>
            <Counts files={open.files} />
          </a>
        )}
        <ul aria-label="Suggestions" className="mt-5 -ms-3 flex flex-col">
          {FIRST.map((id) => {
            const action = WORKSPACE_ACTIONS.find((known) => known.id === id)
            const Icon = ICONS[id]
            if (!action || !Icon || (none && id === 'findFile')) return null
            return (
              <li key={id}>
                <button
                  type="button"
                  onClick={() => action.run(useCodeStore.getState())}
                  className="flex h-9 w-full items-center gap-3 rounded-control px-3 text-start text-15 text-muted transition-colors hover:bg-hover hover:text-text pointer-coarse:h-11"
                >
                  <Icon size={16} className="text-faint" />
                  <span className="flex-1">{TITLES[id]}</span>
                  {action.keys && (
                    <span className="touch:hidden">
                      <Keys keys={action.keys} />
                    </span>
                  )}
                </button>
              </li>
            )
          })}
        </ul>
      </div>
    </div>
  )
}
