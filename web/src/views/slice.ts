import type { ConversationId, Event } from '@/api/protocol.gen'
import { canFill, fragmentOf, parseRoute, parseView, type Route, type View } from '@/shell/route'
import type { Navigation } from '@/shell/slice'
import { recall, remember } from '@/shell/storage'
import type { Slice } from '@/store/slice'
import { opensSomething } from '@/widgets/command'

/** A request to open or close a panel, by the companion or for the content of a tool. */
export interface PanelOrder {
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
  talk: Route
  /** The orders that concern the current conversation, newest last. */
  panelOrders: PanelOrder[]
  /** True if the Luna view shows only the avatar and its background. */
  bare: boolean
  /** A counter, increased when the panels should be arranged. */
  tidyCall: number

  setView: (view: View) => void
  /** Derives orders for panels from the events of a turn. */
  followPanels: (chat: ConversationId, events: Event[]) => void
  setBare: (bare: boolean) => void
  callTidy: () => void
}

const KEY = 'view'
const MOST_ORDERS = 40

/** Restores the view last used on this device if the address names no page. */
export function nameView(): void {
  const { pathname, hash } = window.location
  const view = recall(KEY)
  if (hash !== '' || pathname !== '/' || (view !== 'user' && view !== 'luna')) return
  window.history.replaceState(null, '', fragmentOf({ page: 'new' }, view))
}

/** Returns the route if it is a conversation, otherwise that of a new one. */
function talkOf(route: Route): Route {
  return canFill(route) ? route : { page: 'new' }
}

type Command = Extract<Event, { type: 'command' }>

/**
 * Returns the order in a command, if it has one. The payload comes from a model, and whether the panel exists
 * is checked by the panels.
 */
function orderOf({ id, action, payload }: Command): PanelOrder | null {
  if (action === 'panel') {
    const { panel, open } = (typeof payload === 'object' && payload !== null ? payload : {}) as { panel?: unknown; open?: unknown }
    return typeof panel === 'string' && typeof open === 'boolean' ? { id, panel, open } : null
  }
  if (!opensSomething(action)) return null
  return { id, panel: action === 'map' || action === 'weather' ? action : 'widgets', open: true }
}

export const viewSlice: Slice<ViewSlice, Navigation> = (set, get) => ({
  view: parseView(window.location.hash),
  talk: talkOf(parseRoute(window.location.hash)),
  panelOrders: [],
  bare: false,
  tidyCall: 0,

  setView: (view) => {
    remember(KEY, view === 'dev' ? null : view)
    // An empty address would open the remembered view, so the current one is named before leaving it.
    if (window.location.hash === '') window.history.replaceState(null, '', fragmentOf(get().route, get().view))
    get().go(view === 'dev' ? get().route : get().talk, 'push', view)
  },

  setBare: (bare) => set({ bare }),
  callTidy: () => set((state) => ({ tidyCall: state.tidyCall + 1 })),

  followPanels: (chat, events) => {
    const { talk } = get()
    if (talk.page !== 'chat' || talk.id !== chat) return
    const known = new Set(get().panelOrders.map(({ id }) => id))
    const orders = events.flatMap((event) => (event.type === 'command' ? (orderOf(event) ?? []) : [])).filter(({ id }) => !known.has(id))
    if (orders.length > 0) set((state) => ({ panelOrders: [...state.panelOrders, ...orders].slice(-MOST_ORDERS) }))
  },
})
