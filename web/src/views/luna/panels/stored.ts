import { storedValue, storeValue } from '@/shell/storage'
import type { Rect } from './geometry'

const KEY = 'luna-panels'

/** A panel as stored on this device, with its rectangle in fractions of the field. */
export interface StoredPanel extends Rect {
  open: boolean
  pinned: boolean
}

export interface Layout {
  panels: Record<string, StoredPanel>
  /** The ids of the panels that were touched, the topmost last. */
  order: string[]
}

const MOST = 40
const isPart = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= 1

function isKept(value: unknown): value is StoredPanel {
  const kept = value as Partial<StoredPanel> | null
  return (
    typeof kept === 'object' && kept !== null && isPart(kept.x) && isPart(kept.y) && isPart(kept.width) && isPart(kept.height) &&
    typeof kept.open === 'boolean' && typeof kept.pinned === 'boolean'
  )
}

/**
 * Reads the stored layout and drops what is invalid, since storage can be changed by anyone with access to
 * the browser.
 */
export function readLayout(): Layout | null {
  try {
    const stored = JSON.parse(storedValue(KEY) ?? 'null') as { panels?: unknown; order?: unknown } | null
    if (typeof stored?.panels !== 'object' || stored.panels === null) return null
    const panels = Object.entries(stored.panels).filter((entry): entry is [string, StoredPanel] => isKept(entry[1])).slice(0, MOST)
    const known = new Map(panels.map(([id, { x, y, width, height, open, pinned }]) => [id, { x, y, width, height, open, pinned }]))
    const order = Array.isArray(stored.order) ? stored.order.filter((id): id is string => typeof id === 'string' && known.has(id)) : []
    return { panels: Object.fromEntries(known), order: [...new Set(order)] }
  } catch {
    return null
  }
}

export function writeLayout(layout: Layout): void {
  storeValue(KEY, JSON.stringify(layout))
}
