import type { ConversationId } from '@/api/protocol.gen'
import { recall, remember } from '@/shell/storage'
import type { Slice } from '@/store'

interface Ticks {
  /** Where the checklist stands; null where that is not known. */
  chat: ConversationId | null
  /** By place, from zero. */
  ticked: number[]
}

/** Ticks belong to this browser: they are kept by the act whose checklist it is. */
export interface TickSlice {
  ticks: Record<string, Ticks>
  tick: (act: string, ticked: number[]) => void
  /** The conversation is gone, and its checklists with it. */
  forgetTicks: (chat: ConversationId) => void
}

const KEY = 'ticks'
/** The lists that were ticked longest ago give way. */
const MOST = 300

export const tickSlice: Slice<TickSlice> = (set, get) => {
  /** Another tab's ticks are left as they are. */
  const change = (next: (kept: Record<string, Ticks>) => [string, Ticks][]) => {
    const kept = next(readTicks()).slice(-MOST)
    const ticks = Object.fromEntries(kept)
    remember(KEY, kept.length === 0 ? null : JSON.stringify(ticks))
    set({ ticks })
  }
  return {
    ticks: readTicks(),

    tick: (act, ticked) => {
      const { route } = get()
      const chat = route.page === 'chat' ? route.id : null
      change((kept) => [...Object.entries(kept).filter(([id]) => id !== act), [act, { chat, ticked }]])
    },

    forgetTicks: (chat) => change((kept) => Object.entries(kept).filter(([, ticks]) => ticks.chat !== chat)),
  }
}

/** What was kept, as far as it can be read. */
export function readTicks(): Record<string, Ticks> {
  try {
    const kept: unknown = JSON.parse(recall(KEY) ?? '{}')
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
