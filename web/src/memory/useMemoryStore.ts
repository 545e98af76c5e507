import * as api from '@/api/memory'
import { useStore } from '@/store'
import { notices, pages } from '@/store/services'
import { holdUserData } from '@/store/userData'
import { createMemoryStore } from './store'

/** The memory as this page shows it. */
export const useMemoryStore = createMemoryStore({
  api,
  notices,
  pages,
  conversations: {
    refreshList: () => void useStore.getState().refreshChats(),
    refreshLoaded: () => {
      const { conversations, live, refreshChat } = useStore.getState()
      for (const [id, { state }] of Object.entries(conversations)) if (state === 'ready' && !live[id]) void refreshChat(id)
    },
  },
})

holdUserData({
  reset: () => {
    const { memoryDrafts } = useMemoryStore.getState()
    useMemoryStore.setState({ ...useMemoryStore.getInitialState(), memoryDrafts }, true)
  },
  discardUnsaved: () => useMemoryStore.getState().dropAllDrafts(),
})
