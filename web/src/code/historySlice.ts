import { readHistory, restoreCheckpoint } from '@/api/code'
import { words } from '@/api/http'
import type { Checkpoint, CodeHistory } from '@/api/protocol.gen'
import { useStore } from '@/store'
import type { CodeStateSlice } from './store'

/** The history of the folder, with its checkpoints. */
export interface HistorySlice {
  history: CodeHistory | null
  historyTrouble: string | null
  /** The checkpoint being restored. */
  restoring: string | null

  refreshHistory: () => Promise<void>
  restore: (checkpoint: Checkpoint) => Promise<void>
}

export const historySlice: CodeStateSlice<HistorySlice> = (set, get) => ({
  history: null,
  historyTrouble: null,
  restoring: null,

  refreshHistory: async () => {
    const { root } = get()
    if (root === null) return
    try {
      const history = await readHistory(root)
      if (get().root === root) set({ history, historyTrouble: null })
    } catch (error) {
      if (get().root === root) set({ historyTrouble: words(error) })
    }
  },

  restore: async ({ id, conversationId }) => {
    if (get().restoring !== null) return
    set({ restoring: id })
    const { notify, refreshChat, conversations } = useStore.getState()
    try {
      await restoreCheckpoint(id)
      notify({ tone: 'plain', text: 'The files are as they were then.' })
      void get().refreshAll()
      if (conversationId && conversations[conversationId]) void refreshChat(conversationId)
    } catch (error) {
      notify({ tone: 'danger', text: words(error) })
    } finally {
      set({ restoring: null })
    }
  },
})
