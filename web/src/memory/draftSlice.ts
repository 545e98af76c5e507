import { own } from '@/design/own'
import { delayedWriter } from '@/shell/draftStorage'
import { omit } from '@/store/omit'
import type { Slice } from '@/store/slice'
import { clearMemoryDrafts, type MemoryDraftKey, type MemoryDraft, readMemoryDrafts, writeMemoryDraft } from './drafts'

/** Unsaved changes on the memory pages, which survive leaving or reloading the page. */
export interface MemoryDraftSlice {
  memoryDrafts: Record<string, MemoryDraft>

  keepDraft: (key: MemoryDraftKey, draft: MemoryDraft) => void
  dropDraft: (key: MemoryDraftKey) => void
  dropAllDrafts: () => void
}

export const memoryDraftSlice: Slice<MemoryDraftSlice> = (set, get) => {
  const { soon, now } = delayedWriter((key) => writeMemoryDraft(key, own(get().memoryDrafts, key), Date.now()))
  return {
    memoryDrafts: readMemoryDrafts(),
    keepDraft: (key, draft) => {
      set(({ memoryDrafts }) => ({ memoryDrafts: { ...memoryDrafts, [key]: draft } }))
      soon(key)
    },
    dropDraft: (key) => {
      set(({ memoryDrafts }) => ({ memoryDrafts: omit(memoryDrafts, key) }))
      now(key)
    },
    dropAllDrafts: () => {
      set({ memoryDrafts: {} })
      clearMemoryDrafts()
    },
  }
}
