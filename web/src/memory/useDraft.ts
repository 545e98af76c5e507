import { own } from '@/design/own'
import { useStore } from '@/store'
import type { DraftPlace, MemoryDraft } from './drafts'

/** Returns the unsaved change with this key. */
export function useDraft(place: DraftPlace): MemoryDraft | undefined {
  return useStore((state) => own(state.memoryDrafts, place))
}
