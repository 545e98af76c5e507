import { errorText } from '@/api/http'
import type { VectorEntry } from '@/api/protocol.gen'
import { omit } from '@/store/omit'
import type { Slice } from '@/store/slice'
import type { MemoryDraftSlice } from './draftSlice'
import { entryKey } from './drafts'
import { labelsText } from './labels'
import type { MemoryServices } from './services'

const PAGE = 100
const MOST_AT_ONCE = 500

type EntryText = Pick<VectorEntry, 'content' | 'metadata'>

/** The vector store, whose texts are found by meaning. */
export interface EntrySlice {
  entries: { q: string; list: VectorEntry[]; total: number; state: 'idle' | 'loading' | 'ready' | 'failed'; trouble: string | null }
  openedEntry: string | null
  /** The reason why a change failed, by entry. The change itself is kept as a draft. */
  entryTrouble: Record<string, string>

  openEntries: (q?: string) => Promise<void>
  moreEntries: () => Promise<void>
  refreshEntries: () => Promise<void>
  openEntry: (id: string | null) => void
  /** Discards an unsaved or failed change. */
  dropEntryChange: (id: string) => void
  addEntry: (text: EntryText) => Promise<string | null>
  changeEntry: (id: string, text: EntryText) => Promise<void>
  deleteEntry: (id: string) => Promise<void>
}

export const entrySlice = ({ api, notices }: MemoryServices): Slice<EntrySlice, Pick<MemoryDraftSlice, 'keepDraft' | 'dropDraft'>> => (set, get) => {
  let reading = new AbortController()

  const read = async (offset: number, limit: number, quiet = false) => {
    reading.abort()
    reading = new AbortController()
    const { signal } = reading
    if (!quiet) set((state) => ({ entries: { ...state.entries, state: 'loading', trouble: null } }))
    try {
      const page = await api.listEntries(get().entries.q.trim(), offset, limit, signal)
      if (signal.aborted) return
      set(({ entries }) => ({
        entries: { ...entries, list: offset === 0 ? page.entries : joined(entries.list, page.entries), total: page.total, state: 'ready', trouble: null },
      }))
    } catch (error) {
      if (!signal.aborted && !quiet) set((state) => ({ entries: { ...state.entries, state: 'failed', trouble: errorText(error) } }))
    }
  }

  const changeList = (list: (entries: VectorEntry[]) => VectorEntry[]) =>
    set(({ entries }) => {
      const next = list(entries.list)
      return { entries: { ...entries, list: next, total: entries.total + next.length - entries.list.length } }
    })
  const replace = (entry: VectorEntry) => changeList((list) => list.map((other) => (other.id === entry.id ? entry : other)))
  const insert = (entry: VectorEntry, at: number) => changeList((list) => list.filter(({ id }) => id !== entry.id).toSpliced(at, 0, entry))

  return {
    entries: { q: '', list: [], total: 0, state: 'idle', trouble: null },
    openedEntry: null,
    entryTrouble: {},

    openEntries: async (q) => {
      const before = get().entries
      const same = q === undefined || q === before.q
      if (!same) set({ entries: { ...before, q, list: [], total: 0 }, openedEntry: null })
      await read(0, same ? asFar(before.list.length) : PAGE, same && before.state === 'ready')
    },
    moreEntries: async () => {
      const { list, total, state } = get().entries
      if (state === 'ready' && list.length < total) await read(list.length, PAGE)
    },
    refreshEntries: async () => {
      if (get().entries.state !== 'idle') await read(0, asFar(get().entries.list.length), true)
    },
    openEntry: (id) => set({ openedEntry: id }),
    dropEntryChange: (id) => {
      set((state) => ({ entryTrouble: omit(state.entryTrouble, id) }))
      get().dropDraft(entryKey(id))
    },

    addEntry: async (text) => {
      try {
        insert(await api.addEntry(text), 0)
        return null
      } catch (error) {
        return errorText(error)
      }
    },
    changeEntry: async (id, text) => {
      const before = get().entries.list.find((entry) => entry.id === id)
      if (!before) return
      notices.withdraw(entryKey(id))
      set((state) => ({ entryTrouble: omit(state.entryTrouble, id) }))
      replace({ ...before, ...text })
      const take = async (what: EntryText) => replace(await api.saveEntry(id, what))
      try {
        await take(text)
        const undo = () => void take(before).catch((error: unknown) => notices.notify({ tone: 'danger', text: errorText(error) }))
        notices.notify({ tone: 'plain', text: 'Changed.', action: { label: 'Undo', run: undo }, about: entryKey(id) })
      } catch (error) {
        replace(before)
        get().keepDraft(entryKey(id), { content: text.content, labels: labelsText(text.metadata) })
        set((state) => ({ entryTrouble: { ...state.entryTrouble, [id]: errorText(error) } }))
      }
    },
    deleteEntry: async (id) => {
      const at = get().entries.list.findIndex((entry) => entry.id === id)
      const entry = get().entries.list[at]
      if (!entry) return
      notices.withdraw(entryKey(id))
      changeList((list) => list.filter((other) => other.id !== id))
      const bringBack = async () => {
        try {
          insert(await api.addEntry({ id, content: entry.content, metadata: entry.metadata, origins: entry.origins, createdAt: entry.createdAt }), at)
        } catch (error) {
          notices.notify({ tone: 'danger', text: errorText(error) })
        }
      }
      try {
        await api.deleteEntry(id)
        get().dropEntryChange(id)
        notices.notify({ tone: 'plain', text: 'Deleted an entry.', action: { label: 'Undo', run: () => void bringBack() }, about: entryKey(id) })
      } catch (error) {
        insert(entry, at)
        notices.notify({ tone: 'danger', text: errorText(error) })
      }
    },
  }
}

function asFar(shown: number): number {
  return Math.min(MOST_AT_ONCE, Math.max(PAGE, shown))
}

function joined(list: VectorEntry[], page: VectorEntry[]): VectorEntry[] {
  const have = new Set(list.map(({ id }) => id))
  return [...list, ...page.filter(({ id }) => !have.has(id))]
}
