import { Brain, CircleHelp, CodeXml, HatGlasses, MessageSquare, PanelLeft, Search, Settings, SquarePen, Wrench, X } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { SEARCH_FIELD } from '@/actions/registry'
import { Boundary } from '@/design/Boundary'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import { Keys } from '@/design/Keys'
import { Face } from '@/design/Moon'
import { lazyPart } from '@/design/lazyPart'
import { fragmentOf, type Route } from '@/shell/route'
import { useStore } from '@/store'
import { ViewSwitch } from '@/views/ViewSwitch'
import { ChatListView } from './ChatListView'
import { SearchHits } from './SearchHits'
import { ListFilters } from './ListFilters'

/** The pause in typing before the server is searched. */
const DEBOUNCE_MS = 120

/** The files of the workspace, shown instead of the conversations. */
const CodeSide = lazyPart(() => import('@/code/CodeSide'))

/**
 * The navigation. `beside` means next to the page rather than in a drawer over it; only there it shows the
 * files of the workspace.
 */
export function Sidebar({ beside = false }: { beside?: boolean }) {
  const onSettings = useStore((state) => state.route.page === 'settings')
  const onTools = useStore((state) => ['tools', 'servers', 'skills', 'audit'].includes(state.route.page))
  const onMemory = useStore((state) => state.route.page === 'memory' || state.route.page === 'personality')
  const onCode = useStore((state) => state.route.page === 'code')
  const { toggleSidebar, show } = useStore.getState()
  return (
    <nav aria-label={beside && onCode ? 'Workspace' : 'Conversations'} className="flex h-full min-h-0 flex-col">
      <div className="flex h-14 shrink-0 items-center justify-between ps-4.5 pe-2">
        <a href={fragmentOf({ page: 'new' })} className="flex items-center gap-2.5 rounded-control" aria-label="Perigee, new chat">
          <Face size={22} />
          <span className="display text-17 text-text">Perigee</span>
        </a>
        <span className="flex items-center gap-1">
          <ViewSwitch />
          <IconButton label="Hide the sidebar" keys="mod+b" side="bottom" onClick={toggleSidebar}>
            <PanelLeft size={17} />
          </IconButton>
        </span>
      </div>
      <AreaSwitch onCode={onCode} />
      {beside && onCode ? (
        <Boundary fallback={<div className="flex-1" />}>
          <Suspense fallback={<div className="flex-1" aria-busy="true" />}>
            <CodeSide />
          </Suspense>
        </Boundary>
      ) : (
        <Conversations />
      )}
      <div className="grid shrink-0 grid-cols-2 gap-x-1 px-2 py-2">
        <FootLink page="memory" current={onMemory} icon={<Brain size={16} />} title="Memory" />
        <FootLink page="tools" current={onTools} icon={<Wrench size={16} />} title="Tools" />
        <FootLink page="settings" current={onSettings} icon={<Settings size={16} />} title="Settings" />
        <button
          type="button"
          title="Shortcuts and commands"
          onClick={() => show({ kind: 'help' })}
          className="flex h-8 items-center gap-2.5 rounded-control px-2.5 text-13 text-muted transition-colors hover:bg-hover hover:text-text pointer-coarse:h-11"
        >
          <CircleHelp size={16} />
          Shortcuts
        </button>
      </div>
    </nav>
  )
}

function Conversations() {
  const searching = useStore((state) => state.search.query.trim() !== '')
  const incognito = useStore((state) => state.incognito)
  const onNew = useStore((state) => state.route.page === 'new')
  const { focusComposer, setDrawer, startIncognito } = useStore.getState()
  return (
    <>
      <div className="flex flex-col gap-2 px-2 pb-2">
        <div className="flex items-center gap-1">
          <a
            href={fragmentOf({ page: 'new' })}
            onClick={() => {
              setDrawer(false)
              focusComposer()
            }}
            className={classNames(
              'group flex h-9 min-w-0 flex-1 items-center gap-2.5 rounded-control px-2.5 text-13 transition-colors pointer-coarse:h-11',
              onNew ? 'bg-pressed text-text' : 'text-text hover:bg-hover',
            )}
          >
            <SquarePen size={16} className="text-accent-text" />
            <span className="flex-1">New chat</span>
            <span className="opacity-0 transition-opacity group-hover:opacity-100 touch:hidden">
              <Keys keys="mod+shift+o" />
            </span>
          </a>
          <IconButton label="New incognito chat" keys="mod+shift+l" side="bottom" onClick={() => void startIncognito()}>
            <HatGlasses size={16} />
          </IconButton>
        </div>
        {incognito !== null && <OpenIncognito id={incognito} />}
        <SearchField />
      </div>
      {!searching && <ListFilters />}
      {searching ? <SearchHits /> : <ChatListView />}
    </>
  )
}

/** The switch between chats and code. Each side returns to the page that was last open there. */
function AreaSwitch({ onCode }: { onCode: boolean }) {
  const route = useStore((state) => state.route)
  const left = useRef<{ chats: Route; code: Route }>({ chats: { page: 'new' }, code: { page: 'code' } })
  useEffect(() => {
    if (route.page === 'code') left.current.code = route
    else if (route.page === 'new' || route.page === 'chat') left.current.chats = route
  }, [route])
  const room = (title: string, icon: ReactNode, to: 'chats' | 'code', current: boolean) => (
    <a
      href={fragmentOf(left.current[to])}
      aria-current={current ? 'true' : undefined}
      onClick={(event) => {
        event.preventDefault()
        useStore.getState().go(left.current[to])
      }}
      className={classNames(
        'flex h-7 flex-1 items-center justify-center gap-2 rounded-[5px] text-13 transition-colors pointer-coarse:h-10',
        current ? 'bg-raised text-text shadow-lit' : 'text-muted hover:text-text',
      )}
    >
      {icon}
      {title}
    </a>
  )
  return (
    <div role="group" aria-label="Chats or code" className="mx-2 mb-2 flex shrink-0 rounded-control bg-[color-mix(in_oklab,var(--text)_5%,transparent)] p-0.5">
      {room('Chats', <MessageSquare size={15} />, 'chats', route.page === 'new' || route.page === 'chat')}
      {room('Code', <CodeXml size={15} />, 'code', onCode)}
    </div>
  )
}

/** The entry of the incognito chat, which is listed only while it is open. */
function OpenIncognito({ id }: { id: string }) {
  const { closeIncognito, setDrawer } = useStore.getState()
  return (
    <div className="flex items-center gap-1">
      <a
        href={fragmentOf({ page: 'chat', id })}
        aria-current="page"
        onClick={() => setDrawer(false)}
        className="flex h-9 min-w-0 flex-1 items-center gap-2.5 rounded-control bg-pressed px-2.5 text-13 text-text pointer-coarse:h-11"
      >
        <HatGlasses size={16} className="text-blue" />
        Incognito
      </a>
      <IconButton label="Close the incognito chat" onClick={closeIncognito}>
        <X size={16} />
      </IconButton>
    </div>
  )
}

interface FootProps {
  page: 'memory' | 'tools' | 'settings'
  current: boolean
  icon: ReactNode
  title: string
}

function FootLink({ page, current, icon, title }: FootProps) {
  return (
    <a
      href={fragmentOf({ page })}
      aria-current={current ? 'page' : undefined}
      onClick={() => useStore.getState().setDrawer(false)}
      className={classNames(
        'flex h-8 items-center gap-2.5 rounded-control px-2.5 text-13 transition-colors pointer-coarse:h-11',
        current ? 'bg-pressed text-text' : 'text-muted hover:bg-hover hover:text-text',
      )}
    >
      {icon}
      {title}
    </a>
  )
}

function SearchField() {
  const query = useStore((state) => state.search.query)
  const setSearch = useStore((state) => state.setSearch)
  const [typed, setTyped] = useState(query)

  useEffect(() => setTyped(query), [query])
  useEffect(() => {
    if (typed === query) return
    const timer = setTimeout(() => setSearch(typed), typed === '' ? 0 : DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed, query, setSearch])

  return (
    <div
      role="search"
      className="focus-within-ring flex h-8 items-center gap-2.5 rounded-control bg-[color-mix(in_oklab,var(--text)_5%,transparent)] ps-2.5 pe-1 text-muted pointer-coarse:h-11"
    >
      <Search size={15} />
      <input
        id={SEARCH_FIELD}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        aria-label="Search conversations"
        placeholder="Search"
        dir="auto"
        spellCheck={false}
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && typed !== '') {
            event.stopPropagation()
            setTyped('')
          }
        }}
        className="min-w-0 flex-1 bg-transparent text-13 text-text outline-none pointer-coarse:text-[1rem]"
      />
      {typed !== '' && (
        <IconButton size="small" label="Clear the search" className="size-6" onClick={() => setTyped('')}>
          <X size={14} />
        </IconButton>
      )}
    </div>
  )
}
