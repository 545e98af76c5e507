import type { ConversationId, Event } from '@/api/protocol.gen'
import { canFillScreen, fragmentOf, parseRoute, parseView, type Route, type View } from '@/shell/route'
import type { Navigation } from '@/shell/slice'
import { storedValue, storeValue } from '@/shell/storage'
import type { Slice } from '@/store/slice'
import { opensSomething } from '@/widgets/command'

/** A request to open or close a panel, by the companion or for the content of a tool. */
export interface PanelRequest {
  /** The id of the call, so that a repeated turn does not repeat its orders. */
  id: string
  panel: string
  open: boolean
}

/**
 * The view of the conversation. The stream, the drafts and the confirmation requests are the same in each
 * view.
 */
export interface ViewSlice {
  view: View
  /** The last conversation on the screen, or the page of a new one. */
  lastConversation: Route
  /** The orders that concern the current conversation, newest last. */
  panelRequests: PanelRequest[]
  /** True if the Luna view shows only the avatar and its background. */
  panelsHidden: boolean
  /** A counter, increased when the panels should be arranged. */
  tidyRequests: number

  setView: (view: View) => void
  /** Derives orders for panels from the events of a turn. */
  followPanels: (chat: ConversationId, events: Event[]) => void
  hidePanels: (bare: boolean) => void
  tidyPanels: () => void
}

const KEY = 'view'
const MOST_ORDERS = 40

/** Restores the view last used on this device if the address names no page. */
export function restoreView(): void {
  const { pathname, hash } = window.location
  const view = storedValue(KEY)
  if (hash !== '' || pathname !== '/' || (view !== 'user' && view !== 'luna')) return
  window.history.replaceState(null, '', fragmentOf({ page: 'new' }, view))
}

/** Returns the route if it is a conversation, otherwise that of a new one. */
function conversationRoute(route: Route): Route {
  return canFillScreen(route) ? route : { page: 'new' }
}

type Command = Extract<Event, { type: 'command' }>

/**
 * Returns the order in a command, if it has one. The payload comes from a model, and whether the panel exists
 * is checked by the panels.
 */
function requestOf({ id, action, payload }: Command): PanelRequest | null {
  if (action === 'panel') {
    const { panel, open } = (typeof payload === 'object' && payload !== null ? payload : {}) as { panel?: unknown; open?: unknown }
    return typeof panel === 'string' && typeof open === 'boolean' ? { id, panel, open } : null
  }
  if (!opensSomething(action)) return null
  return { id, panel: action === 'map' || action === 'weather' ? action : 'widgets', open: true }
}

export const viewSlice: Slice<ViewSlice, Navigation> = (set, get) => ({
  view: parseView(window.location.hash),
  lastConversation: conversationRoute(parseRoute(window.location.hash)),
  panelRequests: [],
  panelsHidden: false,
  tidyRequests: 0,

  setView: (view) => {
    storeValue(KEY, view === 'dev' ? null : view)
    // An empty address would open the remembered view, so the current one is named before leaving it.
    if (window.location.hash === '') window.history.replaceState(null, '', fragmentOf(get().route, get().view))
    get().go(view === 'dev' ? get().route : get().lastConversation, 'push', view)
  },

  hidePanels: (panelsHidden) => set({ panelsHidden }),
  tidyPanels: () => set((state) => ({ tidyRequests: state.tidyRequests + 1 })),

  followPanels: (chat, events) => {
    const { lastConversation } = get()
    if (lastConversation.page !== 'chat' || lastConversation.id !== chat) return
    const known = new Set(get().panelRequests.map(({ id }) => id))
    const orders = events.flatMap((event) => (event.type === 'command' ? (requestOf(event) ?? []) : [])).filter(({ id }) => !known.has(id))
    if (orders.length > 0) set((state) => ({ panelRequests: [...state.panelRequests, ...orders].slice(-MOST_ORDERS) }))
  },
})
