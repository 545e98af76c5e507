import { errorText } from '@/api/http'
import type { CodeSliceOf, HistorySlice } from './state'

export const historySlice: CodeSliceOf<HistorySlice> = ({ api, notices, conversations }) => (set, get) => ({
  history: null,
  historyTrouble: null,
  restoring: null,

  refreshHistory: async () => {
    const { root } = get()
    if (root === null) return
    try {
      const history = await api.readHistory(root)
      if (get().root === root) set({ history, historyTrouble: null })
    } catch (error) {
      if (get().root === root) set({ historyTrouble: errorText(error) })
    }
  },

  restore: async ({ id, conversationId }) => {
    if (get().restoring !== null) return
    set({ restoring: id })
    try {
      await api.restoreCheckpoint(id)
      notices.notify({ tone: 'plain', text: 'The files are restored.' })
      void get().refreshAll()
      if (conversationId) conversations.refresh(conversationId)
    } catch (error) {
      notices.notify({ tone: 'danger', text: errorText(error) })
    } finally {
      set({ restoring: null })
    }
  },
})
