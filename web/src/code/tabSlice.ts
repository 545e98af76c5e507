import { own } from '@/design/own'
import type { Route } from '@/shell/route'
import { storedValue, storeValue } from '@/shell/storage'
import type { BufferSlice, CodeSliceOf, WorkspaceTab, TabSlice } from './state'

export function tabKey(tab: WorkspaceTab): string {
  switch (tab.kind) {
    case 'file':
      return `file ${tab.path}`
    case 'review':
      return `review ${tab.id}`
    case 'history':
      return 'history'
  }
}

export function tabRoute(tab: WorkspaceTab | undefined): Route {
  switch (tab?.kind) {
    case 'file':
      return { page: 'code', view: 'file', item: tab.path }
    case 'review':
      return { page: 'code', view: 'review', item: tab.id }
    case 'history':
      return { page: 'code', view: 'history' }
    default:
      return { page: 'code' }
  }
}

/** Returns the file in the centre pane. */
export function fileInView(state: Pick<TabSlice, 'tabs' | 'tab'>): string | null {
  const seen = state.tabs.find((tab) => tabKey(tab) === state.tab)
  return seen?.kind === 'file' ? seen.path : null
}

/** Returns the file to attach to a request: none if it does not exist or is binary. */
export function readableFile(state: Pick<TabSlice & BufferSlice, 'tabs' | 'tab' | 'buffers'>): string | null {
  const path = fileInView(state)
  const buffer = path === null ? undefined : own(state.buffers, path)
  const readable = buffer?.file ? !buffer.file.binary : buffer?.trouble === null
  return readable ? path : null
}

/** The most tabs restored; more would not fit a row. */
const MOST_KEPT = 20

/** Returns the files that were open when the folder was left. */
export function storedTabs(root: string): WorkspaceTab[] {
  try {
    const kept = JSON.parse(storedValue('code-tabs') ?? '{}') as { root?: unknown; paths?: unknown }
    if (kept.root !== root || !Array.isArray(kept.paths)) return []
    return kept.paths.filter((path) => typeof path === 'string').map((path: string): WorkspaceTab => ({ kind: 'file', path }))
  } catch {
    return []
  }
}

function tabOf(route: Extract<Route, { page: 'code' }>): WorkspaceTab | null {
  if (route.view === 'file' && route.item) return { kind: 'file', path: route.item }
  if (route.view === 'review' && route.item) return { kind: 'review', id: route.item }
  return route.view === 'history' ? { kind: 'history' } : null
}

export const tabSlice: CodeSliceOf<TabSlice> = ({ pages }) => (set, get) => {
  const keep = () => {
    const { root, tabs } = get()
    const paths = tabs.flatMap((tab) => (tab.kind === 'file' ? [tab.path] : []))
    if (root !== null) storeValue('code-tabs', JSON.stringify({ root, paths: paths.slice(-MOST_KEPT) }))
  }

  return {
    tabs: [],
    tab: null,
    jump: null,

    openRoute: (route) => {
      if (route.view === 'terminal') get().showTerminal(true)
      if (route.view === 'agent') get().showAgent(true)
      const tab = tabOf(route)
      if (!tab) return
      const key = tabKey(tab)
      set(({ tabs, jump }) => ({
        tabs: tabs.some((known) => tabKey(known) === key) ? tabs : [...tabs, tab],
        tab: key,
        jump: tab.kind === 'file' && route.line ? { path: tab.path, line: route.line, wish: (jump?.wish ?? 0) + 1 } : jump,
      }))
      keep()
      if (tab.kind === 'file') {
        get().reveal(tab.path)
        void get().readBuffer(tab.path)
      }
      if (tab.kind === 'review') void get().openReview(tab.id)
      if (tab.kind === 'history') void get().refreshHistory()
    },

    closeTab: (key) => {
      const { tabs, tab } = get()
      const at = tabs.findIndex((known) => tabKey(known) === key)
      const gone = tabs[at]
      if (!gone) return
      const left = tabs.filter((known) => known !== gone)
      const next = left[Math.min(at, left.length - 1)]
      set({ tabs: left, ...(tab === key ? { tab: next ? tabKey(next) : null } : {}) })
      if (gone.kind === 'file') get().dropBuffer(gone.path)
      keep()
      if (tab === key) pages.go(tabRoute(next), 'replace')
    },

    stepTab: (by) => {
      const { tabs, tab } = get()
      if (tabs.length === 0) return
      const at = tabs.findIndex((known) => tabKey(known) === tab)
      pages.go(tabRoute(tabs[(at + by + tabs.length) % tabs.length]))
    },
  }
}
