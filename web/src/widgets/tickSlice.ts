import type { ConversationId } from '@/api/protocol.gen'
import type { Navigation } from '@/shell/slice'
import { storedValue, storeValue } from '@/shell/storage'
import type { Slice } from '@/store/slice'

interface Ticks {
  /** The conversation of the checklist, or null if it is unknown. */
  chat: ConversationId | null
  /** The indices of the ticked items, from 0. */
  ticked: number[]
}

/** The ticks of checklists, kept in this browser by tool call. */
export interface TickSlice {
  ticks: Record<string, Ticks>
  tickItems: (act: string, ticked: number[]) => void
  /** Removes the ticks of a deleted conversation. */
  forgetTicks: (chat: ConversationId) => void
}

const KEY = 'ticks'
/** The most checklists kept; those ticked longest ago are dropped. */
const MOST = 300

export const tickSlice: Slice<TickSlice, Pick<Navigation, 'route'>> = (set, get) => {
  /** Changes the stored ticks, keeping those made in other tabs. */
  const change = (next: (kept: Record<string, Ticks>) => [string, Ticks][]) => {
    const kept = next(readTicks()).slice(-MOST)
    const ticks = Object.fromEntries(kept)
    storeValue(KEY, kept.length === 0 ? null : JSON.stringify(ticks))
    set({ ticks })
  }
  return {
    ticks: readTicks(),

    tickItems: (act, ticked) => {
      const { route } = get()
      const chat = route.page === 'chat' ? route.id : null
      change((kept) => [...Object.entries(kept).filter(([id]) => id !== act), [act, { chat, ticked }]])
    },

    forgetTicks: (chat) => change((kept) => Object.entries(kept).filter(([, ticks]) => ticks.chat !== chat)),
  }
}

/** Reads the stored ticks, as far as they are valid. */
export function readTicks(): Record<string, Ticks> {
  try {
    const kept: unknown = JSON.parse(storedValue(KEY) ?? '{}')
    return Object.fromEntries(Object.entries(kept as Record<string, unknown>).filter((entry): entry is [string, Ticks] => isTicks(entry[1])))
  } catch {
    return {}
  }
}

function isTicks(value: unknown): value is Ticks {
  if (typeof value !== 'object' || value === null) return false
  const { chat, ticked } = value as Partial<Record<keyof Ticks, unknown>>
  return (chat === null || typeof chat === 'string') && Array.isArray(ticked) && ticked.every((index) => Number.isInteger(index))
}
