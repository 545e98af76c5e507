import { GitPullRequestArrow, History, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { Proposal } from '@/api/protocol.gen'
import { hiddenEnds } from '@/design/ScrollRow'
import { classNames } from '@/design/classNames'
import { useStore } from '@/store'
import { plain } from '@/tools/wording'
import { FileIcon } from './FileIcon'
import type { WorkspaceTab } from './state'
import { useCodeStore } from './useCodeStore'
import { folderOf, nameOf } from './tree'
import { tabKey, tabRoute } from './tabSlice'

const idOf = (tab: WorkspaceTab) => `tab ${tabKey(tab)}`.replaceAll(/[^\w-]/g, (sign) => `_${sign.charCodeAt(0).toString(16)}`)

const PANEL = 'code-centre'

/** Returns the attributes that make the centre pane the panel of its tab. */
export function tabPanel(tab: WorkspaceTab | undefined) {
  return tab ? { id: PANEL, role: 'tabpanel', 'aria-labelledby': idOf(tab) } : { id: PANEL }
}

/** The open tabs. The arrow keys move between them, and Delete closes one. */
export function TabRow() {
  const tabs = useCodeStore((state) => state.tabs)
  const active = useCodeStore((state) => state.tab)
  const proposals = useCodeStore((state) => state.proposals)
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    row.current?.querySelector('[aria-selected=true]')?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
  }, [active, tabs])
  useEffect(() => {
    const view = row.current
    if (!view) return
    const update = () => view.setAttribute('data-fade', hiddenEnds(view))
    update()
    const observer = new ResizeObserver(update)
    observer.observe(view)
    view.addEventListener('scroll', update, { passive: true })
    return () => {
      observer.disconnect()
      view.removeEventListener('scroll', update)
    }
  }, [tabs])
  if (tabs.length === 0) return <div className="min-w-0 flex-1" />

  const names = tabs.map((tab) => title(tab, proposals))
  const press = (event: KeyboardEvent, tab: WorkspaceTab) => {
    const at = tabs.indexOf(tab)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (event.key === 'Delete') useCodeStore.getState().closeTab(tabKey(tab))
    else if (to === undefined) return
    else {
      const next = tabs[(to + tabs.length) % tabs.length]
      useStore.getState().go(tabRoute(next))
      if (next) requestAnimationFrame(() => document.getElementById(idOf(next))?.focus())
    }
    event.preventDefault()
  }
  return (
    <div ref={row} role="tablist" aria-label="Open" className="sliding flex min-w-0 flex-1 items-center gap-0.5 py-1">
      {tabs.map((tab, index) => (
        <OneTab
          key={tabKey(tab)}
          tab={tab}
          name={names[index] ?? ''}
          beside={tab.kind === 'file' && names.filter((name) => name === names[index]).length > 1 ? nameOf(folderOf(tab.path)) : ''}
          current={tabKey(tab) === active}
          onKey={press}
        />
      ))}
    </div>
  )
}

/** Returns the title of a tab. Several reviews may be open, so each is named by its subject. */
function title(tab: WorkspaceTab, proposals: Proposal[] | null): string {
  if (tab.kind === 'file') return nameOf(tab.path)
  if (tab.kind === 'history') return 'History'
  return proposals?.find(({ id }) => id === tab.id)?.title || 'Review'
}

interface Props {
  tab: WorkspaceTab
  name: string
  /** The folder, if two files have the same name. */
  beside: string
  current: boolean
  onKey: (event: KeyboardEvent, tab: WorkspaceTab) => void
}

function OneTab({ tab, name, beside, current, onKey }: Props) {
  const unsaved = useCodeStore((state) => tab.kind === 'file' && state.buffers[tab.path]?.unsaved != null)
  const close = () => {
    const { buffers, closeTab } = useCodeStore.getState()
    const lost = tab.kind === 'file' && buffers[tab.path]?.unsaved != null
    if (!lost) closeTab(tabKey(tab))
    else useStore.getState().notify({ tone: 'plain', text: `${name} is not saved.`, about: idOf(tab), action: { label: 'Close without saving', run: () => closeTab(tabKey(tab)) } })
  }
  return (
    <button
      type="button"
      id={idOf(tab)}
      role="tab"
      aria-selected={current}
      aria-controls={PANEL}
      aria-keyshortcuts="Delete"
      tabIndex={current ? 0 : -1}
      title={tab.kind === 'file' ? tab.path : tab.kind === 'review' ? `Review: ${name}` : undefined}
      onClick={() => useStore.getState().go(tabRoute(tab))}
      onAuxClick={(event) => event.button === 1 && close()}
      onKeyDown={(event) => (event.key === 'Delete' ? (event.preventDefault(), close()) : onKey(event, tab))}
      className={classNames(
        'group/tab flex h-8 max-w-56 shrink-0 items-center gap-2 rounded-control ps-2.5 pe-1.5 text-13 transition-colors pointer-coarse:h-10',
        current ? 'bg-pressed text-text' : 'text-muted hover:bg-hover hover:text-text',
      )}
    >
      {tab.kind === 'file' ? <FileIcon path={tab.path} /> : tab.kind === 'review' ? <GitPullRequestArrow size={14} className="text-accent-text" /> : <History size={14} className="text-faint" />}
      <bdi className="truncate">{plain(name)}</bdi>
      {beside !== '' && <bdi className="truncate text-12 text-faint">{plain(beside)}</bdi>}
      {unsaved && <span className="sr-only">, not saved</span>}
      {/* For the pointer; the key for it is Delete. */}
      <span
        aria-hidden="true"
        data-close
        onClick={(event) => {
          event.stopPropagation()
          close()
        }}
        className="relative grid size-5 place-items-center rounded-[4px] text-faint hover:bg-pressed hover:text-text"
      >
        {unsaved && <span className="size-2 rounded-full bg-accent group-hover/tab:hidden touch:hidden" />}
        <X size={13} className={classNames(unsaved ? 'hidden group-hover/tab:block touch:block' : current ? '' : 'opacity-0 group-hover/tab:opacity-100 touch:opacity-100')} />
      </span>
    </button>
  )
}
