import type { ConversationId, Event } from '@/api/protocol.gen'
import { canFill, fragmentOf, parseRoute, parseView, type Route, type View } from '@/shell/route'
import { recall, remember } from '@/shell/storage'
import type { Slice } from '@/store'
import { opensSomething } from '@/widgets/CommandView'

/** Something in a turn that belongs on a panel: an order of hers, or what a tool put on the screen. */
export interface PanelOrder {
  /** The call's id: a turn that is heard again orders nothing twice. */
  id: string
  panel: string
  open: boolean
}

/** How the conversation is looked at. The stream, the drafts and the questions are the same in each view. */
export interface ViewSlice {
  view: View
  /** The conversation, or the new one, that was on the screen last. */
  talk: Route
  /** The newest last, as far as they concern the conversation on the screen. */
  panelOrders: PanelOrder[]
  /** On her screen: nothing is shown but her and what is behind her. */
  bare: boolean
  /** Counts up when the panels should be arranged. */
  tidyCall: number

  setView: (view: View) => void
  /** What the events of a turn mean for the panels. */
  followPanels: (chat: ConversationId, events: Event[]) => void
  setBare: (bare: boolean) => void
  callTidy: () => void
}

const KEY = 'view'
const MOST_ORDERS = 40

/** Whoever comes without naming a place finds the view that was used last on this device. */
export function nameView(): void {
  const { pathname, hash } = window.location
  const view = recall(KEY)
  if (hash !== '' || pathname !== '/' || (view !== 'user' && view !== 'luna')) return
  window.history.replaceState(null, '', fragmentOf({ page: 'new' }, view))
}

/** Where one talks to her, if this is such a place. */
function talkOf(route: Route): Route {
  return canFill(route) ? route : { page: 'new' }
}

type Command = Extract<Event, { type: 'command' }>

/** Where it belongs. What she says of a panel may be anything; whether there is such a panel is known where they are. */
function orderOf({ id, action, payload }: Command): PanelOrder | null {
  if (action === 'panel') {
    const { panel, open } = (typeof payload === 'object' && payload !== null ? payload : {}) as { panel?: unknown; open?: unknown }
    return typeof panel === 'string' && typeof open === 'boolean' ? { id, panel, open } : null
  }
  if (!opensSomething(action)) return null
  return { id, panel: action === 'map' || action === 'weather' ? action : 'widgets', open: true }
}

export const viewSlice: Slice<ViewSlice> = (set, get) => ({
  view: parseView(window.location.hash),
  talk: talkOf(parseRoute(window.location.hash)),
  panelOrders: [],
  bare: false,
  tidyCall: 0,

  setView: (view) => {
    remember(KEY, view === 'dev' ? null : view)
    // The way back leads to what was seen, not to what is remembered from now on.
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
