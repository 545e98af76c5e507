import { own } from '@/design/own'
import type { DraftPlace, MemoryDraft } from './drafts'
import { useMemoryStore } from './useMemoryStore'

/** Returns the unsaved change with this key. */
export function useDraft(place: DraftPlace): MemoryDraft | undefined {
  return useMemoryStore((state) => own(state.memoryDrafts, place))
}
