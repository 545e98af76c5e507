import { create } from 'zustand'
import { arrange } from './panels/arrange'
import { asParts, type Field, fieldOf, fromParts, inside, type Rect, type Size } from './panels/geometry'
import { PANELS, panelNamed } from './panels/registry'
import { type Kept, type Layout, readLayout, writeLayout } from './panels/stored'

/** Her screen: which panels stand where. What is in them is in the one store of the app. */
interface LunaState extends Layout {
  field: Field
  /** The one that stands over the dock on a phone, where there is room for one. */
  sheet: string | null

  setSize: (size: Size) => void
  /** Puts a panel where it was, or beside her where it was never moved, in front of the others. `beside` are the panels to keep clear of. */
  open: (id: string, beside: string[]) => void
  close: (id: string) => void
  pin: (id: string, pinned: boolean) => void
  front: (id: string) => void
  /** While it is dragged, nothing is written down. */
  place: (id: string, rect: Rect, how?: 'kept' | 'passing') => void
  /** Arranges these, but for those that are pinned. */
  tidy: (ids: string[]) => void
  setSheet: (id: string | null) => void
}

/** Where a panel stands, in pixels. */
export function rectOf(state: Pick<LunaState, 'panels' | 'field'>, id: string): Rect | null {
  const kept = state.panels[id]
  const kind = panelNamed(id)
  return kept && kind ? inside(fromParts(kept, state.field), state.field, kind.least) : null
}

/** On the first day. */
function firstLayout(field: Field): Layout {
  const first = PANELS.filter((kind) => kind.first)
  const places = arrange(first, field)
  const panels = first.map(({ id }): [string, Kept] => [id, { ...asParts(places[id] ?? field, field), open: true, pinned: false }])
  return { panels: Object.fromEntries(panels), order: first.map(({ id }) => id) }
}

const onTop = (order: string[], id: string) => [...order.filter((other) => other !== id), id]

export const useLuna = create<LunaState>()((set, get) => {
  const keep = () => {
    const { panels, order } = get()
    writeLayout({ panels, order })
  }
  const change = (id: string, part: Partial<Kept>) => {
    const kept = get().panels[id]
    if (!kept) return
    set((state) => ({ panels: { ...state.panels, [id]: { ...kept, ...part } } }))
  }
  const rects = (ids: string[]) => ids.flatMap((id) => rectOf(get(), id) ?? [])
  const field = fieldOf({ width: window.innerWidth, height: window.innerHeight })

  return {
    field,
    ...(readLayout() ?? firstLayout(field)),
    sheet: null,

    setSize: (size) => {
      const { field: before } = get()
      const after = fieldOf(size)
      if (after.width !== before.width || after.height !== before.height) set({ field: after })
    },

    open: (id, beside) => {
      const kind = panelNamed(id)
      if (!kind) return
      const { field: here, panels, order } = get()
      const known = panels[id]
      const place = known ?? asParts(arrange([kind], here, rects(beside))[id] ?? here, here)
      set({ panels: { ...panels, [id]: { pinned: false, ...place, open: true } }, order: onTop(order, id) })
      keep()
    },

    close: (id) => {
      // One that was closed is not held any more.
      change(id, { open: false, pinned: false })
      keep()
    },

    pin: (id, pinned) => {
      change(id, { pinned })
      keep()
    },

    front: (id) => {
      const { order } = get()
      if (order.at(-1) === id) return
      set({ order: onTop(order, id) })
      keep()
    },

    place: (id, rect, how = 'kept') => {
      const { field: here } = get()
      const kind = panelNamed(id)
      if (kind) change(id, asParts(inside(rect, here, kind.least), here))
      if (how === 'kept') keep()
    },

    tidy: (ids) => {
      const { field: here, panels } = get()
      const [held, loose] = [ids.filter((id) => panels[id]?.pinned), ids.filter((id) => !panels[id]?.pinned)]
      const places = arrange(loose.flatMap((id) => panelNamed(id) ?? []), here, rects(held))
      for (const [id, rect] of Object.entries(places)) change(id, asParts(rect, here))
      keep()
    },

    setSheet: (sheet) => set({ sheet }),
  }
})
