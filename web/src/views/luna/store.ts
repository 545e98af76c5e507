import { create } from 'zustand'
import type { Size } from '@/design/size'
import { arrange } from './panels/arrange'
import { asParts, type Field, fieldOf, fromParts, GAP, inside, overlaps, type Rect } from './panels/geometry'
import { type PanelKind, PANELS, panelNamed } from './panels/registry'
import { type StoredPanel, type Layout, readLayout, writeLayout } from './panels/stored'

/** The layout of the Luna view. The content of the panels is in the app's store. */
interface LunaState extends Layout {
  field: Field
  /** The panel above the dock on a phone, which has room for only one. */
  sheet: string | null

  setSize: (size: Size) => void
  /** Opens a panel at its last place, or beside the avatar if it has none, in front of the `others`. */
  open: (id: string, others: string[]) => void
  /**
   * Opens a panel on behalf of the companion: it covers none of the others. If that is impossible, they are
   * rearranged.
   */
  present: (id: string, others: string[]) => void
  close: (id: string) => void
  pin: (id: string, pinned: boolean) => void
  front: (id: string) => void
  /** Moves a panel. With `passing`, while it is dragged, nothing is stored. */
  place: (id: string, rect: Rect, how?: 'kept' | 'passing') => void
  /** Arranges these panels, except pinned ones. Those that find no room are closed and remain in the dock. */
  tidy: (ids: string[]) => void
  setSheet: (id: string | null) => void
}

/** Returns the rectangle of a panel, in pixels. */
export function rectOf(state: Pick<LunaState, 'panels' | 'field'>, id: string): Rect | null {
  const kept = state.panels[id]
  const kind = panelNamed(id)
  return kept && kind ? inside(fromParts(kept, state.field), state.field, kind.least) : null
}

/** Returns the default layout. */
function firstLayout(field: Field): Layout {
  const first = PANELS.filter((kind) => kind.first)
  const places = arrange(first, field)
  const panels = first.map(({ id }): [string, StoredPanel] => [id, { ...asParts(places[id] ?? field, field), open: true, pinned: false }])
  return { panels: Object.fromEntries(panels), order: first.map(({ id }) => id) }
}

/**
 * Returns places for these panels: earlier ones have priority, but they are arranged in their usual order.
 */
function placesFor(ids: string[], field: Field, taken: Rect[]): Record<string, Rect> {
  const kinds = (wanted: string[]) => wanted.flatMap((id) => panelNamed(id) ?? [])
  const sure = arrange(kinds(ids), field, taken)
  const usual = arrange(PANELS.filter(({ id }) => sure[id]), field, taken)
  return Object.keys(usual).length === Object.keys(sure).length ? usual : sure
}

/** Returns a place above the others, used if there is no room beside them. */
function anywhere({ size, side }: PanelKind, field: Field): Rect {
  const x = side === 'left' ? field.x + GAP * 2 : field.x + field.width - size.width - GAP * 2
  return { ...size, x, y: field.y + GAP * 3 }
}

const onTop = (order: string[], id: string) => [...order.filter((other) => other !== id), id]

export const useLuna = create<LunaState>()((set, get) => {
  const keep = () => {
    const { panels, order } = get()
    writeLayout({ panels, order })
  }
  const change = (id: string, part: Partial<StoredPanel>) => {
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

    open: (id, others) => {
      const kind = panelNamed(id)
      if (!kind) return
      const { field: here, panels, order } = get()
      const place = panels[id] ?? asParts(arrange([kind], here, rects(others))[id] ?? anywhere(kind, here), here)
      set({ panels: { ...panels, [id]: { pinned: false, ...place, open: true } }, order: onTop(order, id) })
      keep()
    },

    present: (id, others) => {
      const known = rectOf(get(), id)
      const covers = known !== null && rects(others).some((rect) => overlaps(rect, known))
      const kind = panelNamed(id)
      const spot = kind && (known === null || covers) ? arrange([kind], get().field, rects(others))[id] : known
      get().open(id, others)
      if (spot) get().place(id, spot)
      else get().tidy([...others, id])
    },

    close: (id) => {
      // A closed panel is no longer pinned.
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
      const { field: here, panels, order } = get()
      const held = ids.filter((id) => panels[id]?.pinned)
      const rank = (id: string) => (id === 'conversation' ? Infinity : order.indexOf(id))
      const loose = ids.filter((id) => !held.includes(id)).sort((one, other) => rank(other) - rank(one))
      const places = placesFor(loose, here, rects(held))
      for (const id of loose) change(id, places[id] ? asParts(places[id], here) : { open: false })
      keep()
    },

    setSheet: (sheet) => set({ sheet }),
  }
})
