import type { ConversationId } from '@/api/protocol.gen'
import type { Slice } from '@/store/slice'
import { canFillScreen, fragmentOf, parseRoute, parseView, type Route, type View } from './route'
import { storedValue, storeValue } from './storage'

export type ThemeSetting = 'system' | 'dark' | 'light'
export const TEXT_SIZES = ['small', 'normal', 'large', 'larger'] as const
export type TextSize = (typeof TEXT_SIZES)[number]

/** The dialog over the page. There is at most one at a time. */
export type Overlay =
  | { kind: 'palette'; query: string }
  | { kind: 'help' }
  | { kind: 'models' }
  | { kind: 'organise'; chat: ConversationId }
  | { kind: 'forget' }
  | { kind: 'addFact' }
  | { kind: 'mergeFacts' }
  | { kind: 'importMemory' }
  | { kind: 'addServer' }
  | { kind: 'openFolder' }
  | { kind: 'picture'; address: string; name: string }
  | { kind: 'textFile'; address: string; name: string }

export interface Notice {
  id: number
  text: string
  tone: 'plain' | 'danger'
  action?: { label: string; run: () => void }
  /** The subject of its action, which would do something else once the subject has changed again. */
  about?: string
}

export interface ShellSlice {
  route: Route
  theme: ThemeSetting
  textSize: TextSize
  /** True if the cards of completed tool calls are hidden in conversations. */
  cardsHidden: boolean
  /** The state of the sidebar on a wide screen. */
  sidebarShown: boolean
  /** The state of the sidebar on a narrow screen. */
  drawerOpen: boolean
  overlay: Overlay | null
  notices: Notice[]
  /** The connection to the server. `since` is the time at which it was lost. */
  connection: { open: boolean; since: number | null }

  /** Navigates to a page. A conversation keeps the current view unless another one is given. */
  go: (route: Route, how?: 'push' | 'replace', as?: View) => void
  readAddress: () => void
  setTheme: (theme: ThemeSetting) => void
  setTextSize: (size: TextSize) => void
  hideCards: (hidden: boolean) => void
  toggleSidebar: () => void
  setDrawer: (open: boolean) => void
  show: (overlay: Overlay | null) => void
  notify: (notice: Omit<Notice, 'id'>) => void
  dismiss: (id: number) => void
  /** Removes the notices about a subject that changes again. */
  withdraw: (about: string) => void
  setConnection: (open: boolean) => void
}

/** Shows notices, and takes them back. */
export type Notices = Pick<ShellSlice, 'notify' | 'withdraw'>

/** The page on the screen, and the way to another one. */
export type Navigation = Pick<ShellSlice, 'route' | 'go'>

/** What changes together with the route. */
interface Uses {
  view: View
  lastConversation: Route
  why: unknown
  openPin: string | null
}

/** The media query below which the sidebar is a drawer. It must match `md` in `index.css`. */
export const NARROW = '(max-width: 55.99rem)'

function storedTheme(): ThemeSetting {
  const theme = storedValue('theme')
  return theme === 'dark' || theme === 'light' ? theme : 'system'
}

/** Applies a theme to the whole page. */
export function applyTheme(theme: ThemeSetting): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

function storedTextSize(): TextSize {
  const stored = storedValue('text-size')
  return TEXT_SIZES.find((size) => size === stored) ?? 'normal'
}

/** Applies a text size to the whole page. */
export function applyTextSize(size: TextSize): void {
  if (size === 'normal') delete document.documentElement.dataset['text']
  else document.documentElement.dataset['text'] = size
}

let noticeId = 0

/**
 * Returns the state for a new route. The side content of one conversation is closed when another one opens.
 */
function stateAt({ route: before, why, openPin, lastConversation }: Uses & Navigation, route: Route, view: View): Uses & Pick<Navigation, 'route'> {
  const chat = (at: Route) => (at.page === 'chat' ? at.id : null)
  const place = { route, view, lastConversation: canFillScreen(route) ? route : lastConversation }
  return chat(before) === chat(route) ? { ...place, why, openPin } : { ...place, why: null, openPin: null }
}

export const shellSlice: Slice<ShellSlice, Uses> = (set, get) => ({
  route: parseRoute(window.location.hash),
  theme: storedTheme(),
  textSize: storedTextSize(),
  cardsHidden: storedValue('cards') === 'hidden',
  sidebarShown: storedValue('sidebar') !== 'hidden',
  drawerOpen: false,
  overlay: null,
  notices: [],
  connection: { open: true, since: null },

  go: (route, how = 'push', as = get().view) => {
    const view = canFillScreen(route) ? as : 'dev'
    const fragment = fragmentOf(route, view)
    if (fragment !== window.location.hash) {
      if (how === 'push') window.history.pushState(null, '', fragment)
      else window.history.replaceState(null, '', fragment)
    }
    set((state) => ({ ...stateAt(state, route, view), drawerOpen: false }))
  },
  readAddress: () => set((state) => stateAt(state, parseRoute(window.location.hash), parseView(window.location.hash))),

  setTheme: (theme) => {
    storeValue('theme', theme === 'system' ? null : theme)
    applyTheme(theme)
    set({ theme })
  },

  setTextSize: (size) => {
    storeValue('text-size', size === 'normal' ? null : size)
    applyTextSize(size)
    set({ textSize: size })
  },

  hideCards: (hidden) => {
    storeValue('cards', hidden ? 'hidden' : null)
    set({ cardsHidden: hidden })
  },

  toggleSidebar: () => {
    if (window.matchMedia(NARROW).matches) {
      set((state) => ({ drawerOpen: !state.drawerOpen }))
      return
    }
    const shown = !get().sidebarShown
    storeValue('sidebar', shown ? null : 'hidden')
    set({ sidebarShown: shown })
  },
  setDrawer: (open) => set({ drawerOpen: open }),
  show: (overlay) => set(overlay ? { overlay, drawerOpen: false } : { overlay }),

  notify: (notice) => {
    noticeId += 1
    const id = noticeId
    set((state) => ({ notices: [...state.notices.slice(-2), { ...notice, id }] }))
  },
  withdraw: (about) => set((state) => ({ notices: state.notices.filter((notice) => notice.about !== about) })),
  dismiss: (id) => set((state) => ({ notices: state.notices.filter((notice) => notice.id !== id) })),

  setConnection: (open) =>
    set((state) => {
      if (state.connection.open === open) return {}
      return { connection: { open, since: open ? null : Date.now() } }
    }),
})
