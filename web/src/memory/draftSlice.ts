import { own } from '@/design/own'
import { writer } from '@/shell/shelf'
import { omit } from '@/store/omit'
import type { Slice } from '@/store/slice'
import { clearMemoryDrafts, type DraftPlace, type MemoryDraft, readMemoryDrafts, writeMemoryDraft } from './drafts'

/** Unsaved changes on the memory pages, which survive leaving or reloading the page. */
export interface MemoryDraftSlice {
  memoryDrafts: Record<string, MemoryDraft>

  keepDraft: (place: DraftPlace, draft: MemoryDraft) => void
  dropDraft: (place: DraftPlace) => void
  dropAllDrafts: () => void
}

export const memoryDraftSlice: Slice<MemoryDraftSlice> = (set, get) => {
  const { soon, now } = writer((place) => writeMemoryDraft(place, own(get().memoryDrafts, place), Date.now()))
  return {
    memoryDrafts: readMemoryDrafts(),
    keepDraft: (place, draft) => {
      set(({ memoryDrafts }) => ({ memoryDrafts: { ...memoryDrafts, [place]: draft } }))
      soon(place)
    },
    dropDraft: (place) => {
      set(({ memoryDrafts }) => ({ memoryDrafts: omit(memoryDrafts, place) }))
      now(place)
    },
    dropAllDrafts: () => {
      set({ memoryDrafts: {} })
      clearMemoryDrafts()
    },
  }
}
