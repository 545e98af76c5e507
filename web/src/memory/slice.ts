import { isMissing, errorText } from '@/api/http'
import type { MemoryDay, MemoryImportReply, RecallReply } from '@/api/protocol.gen'
import type { Slice } from '@/store/slice'
import type { EntrySlice } from './entrySlice'
import type { FactSlice } from './factSlice'
import type { MemoryFileSlice } from './fileSlice'
import type { MemoryServices } from './services'

/** The memory as a whole: its timeline, the trial of recall, and imports. */
export interface MemorySlice {
  timeline: { days: MemoryDay[]; next: string | null; state: 'idle' | 'loading' | 'ready' | 'failed'; trouble: string | null }
  recalled: { query: string; reply: RecallReply | null; state: 'idle' | 'looking' | 'done' | 'failed'; trouble: string | null }
  imported: { name: string; state: 'reading' | 'done' | 'failed'; reply: MemoryImportReply | null; trouble: string | null } | null

  /** Reloads what is shown after something was learned, changed or forgotten. */
  memoryChanged: () => void
  openTimeline: () => Promise<void>
  olderTimeline: () => Promise<void>
  tryRecall: (query: string) => Promise<void>
  importMemory: (file: File) => Promise<void>
  clearImport: () => void
}

type Uses = Pick<FactSlice, 'refreshFacts'> & Pick<MemoryFileSlice, 'refreshFiles'> & Pick<EntrySlice, 'refreshEntries'>

export const memorySlice = ({ api, pages, conversations }: MemoryServices): Slice<MemorySlice, Uses> => (set, get) => {
  let looking = new AbortController()
  /** Counts the requests for the timeline, so that a late reply to an older one is ignored. */
  let turn = 0

  const readDays = async (before: string | null) => {
    turn += 1
    const mine = turn
    if (before !== null || get().timeline.days.length === 0) set((state) => ({ timeline: { ...state.timeline, state: 'loading', trouble: null } }))
    try {
      const { days, next } = await api.readTimeline(before)
      if (mine === turn) set(({ timeline }) => ({ timeline: { days: before === null ? days : joined(timeline.days, days), next, state: 'ready', trouble: null } }))
    } catch (error) {
      if (mine === turn) set((state) => ({ timeline: { ...state.timeline, state: 'failed', trouble: errorText(error) } }))
    }
  }

  return {
    timeline: { days: [], next: null, state: 'idle', trouble: null },
    recalled: { query: '', reply: null, state: 'idle', trouble: null },
    imported: null,

    memoryChanged: () => {
      const route = pages.route()
      if (route.page !== 'memory') return
      const tab = route.tab ?? 'facts'
      if (tab === 'facts') void get().refreshFacts()
      if (tab === 'timeline') void readDays(null)
      if (tab === 'files') void get().refreshFiles()
      if (tab === 'entries') void get().refreshEntries()
      if (tab === 'recall' && get().recalled.reply) void get().tryRecall(get().recalled.query)
    },

    openTimeline: () => readDays(null),
    olderTimeline: async () => {
      const { next, state } = get().timeline
      if (next !== null && state !== 'loading') await readDays(next)
    },

    tryRecall: async (query) => {
      looking.abort()
      looking = new AbortController()
      const { signal } = looking
      const asked = query.trim()
      if (asked === '') {
        set({ recalled: { query, reply: null, state: 'idle', trouble: null } })
        return
      }
      set((state) => ({ recalled: { ...state.recalled, query, state: 'looking', trouble: null } }))
      try {
        const reply = await api.recall(asked, signal)
        if (!signal.aborted) set((state) => ({ recalled: { ...state.recalled, reply, state: 'done' } }))
      } catch (error) {
        if (!signal.aborted) set((state) => ({ recalled: { ...state.recalled, reply: null, state: 'failed', trouble: isMissing(error) ? 'Her memory cannot be searched at the moment.' : errorText(error) } }))
      }
    },

    importMemory: async (file) => {
      const { name } = file
      set({ imported: { name, state: 'reading', reply: null, trouble: null } })
      try {
        const reply = await api.importMemory(file)
        set({ imported: { name, state: 'done', reply, trouble: null } })
        get().memoryChanged()
        if (reply.conversations > 0) conversations.refreshList()
      } catch (error) {
        set({ imported: { name, state: 'failed', reply: null, trouble: errorText(error) } })
      }
    },
    clearImport: () => set({ imported: null }),
  }
}

/** Appends a page of days. A day that was split between pages is joined again. */
function joined(days: MemoryDay[], more: MemoryDay[]): MemoryDay[] {
  const last = days.at(-1)
  const first = more[0]
  if (!last || last.day !== first?.day) return [...days, ...more]
  return [...days.slice(0, -1), { day: last.day, entries: [...last.entries, ...first.entries] }, ...more.slice(1)]
}
