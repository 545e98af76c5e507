import { own } from '@/design/own'
import { useStore } from '@/store'
import type { DraftPlace, MemoryDraft } from './drafts'

/** What was begun in this place and is not saved. */
export function useDraft(place: DraftPlace): MemoryDraft | undefined {
  return useStore((state) => own(state.memoryDrafts, place))
}
