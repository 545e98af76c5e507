import { own } from '@/design/own'
import type { MemoryDraftKey, MemoryDraft } from './drafts'
import { useMemoryStore } from './useMemoryStore'

/** Returns the unsaved change with this key. */
export function useDraft(key: MemoryDraftKey): MemoryDraft | undefined {
  return useMemoryStore((state) => own(state.memoryDrafts, key))
}
