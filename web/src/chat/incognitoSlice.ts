import { deleteChat, newChat } from '@/api/chats'
import { isMissing, errorText } from '@/api/http'
import type { ConversationId } from '@/api/protocol.gen'
import type { ChatsSlice } from '@/chats/state'
import type { ComposerSlice } from '@/composer/state'
import type { Navigation, Notices } from '@/shell/slice'
import { omit } from '@/store/omit'
import type { Slice } from '@/store/slice'
import { LOADING } from './conversation'
import type { ChatSlice, IncognitoSlice } from './state'

type Uses = ChatSlice & ChatsSlice & ComposerSlice & Navigation & Notices

export const incognitoSlice: Slice<IncognitoSlice, Uses> = (set, get) => {
  const remove = async (id: ConversationId): Promise<void> => {
    try {
      await deleteChat(id, { keepalive: true })
    } catch (error) {
      if (isMissing(error)) return
      const again = { label: 'Try again', run: () => void remove(id) }
      get().notify({ tone: 'danger', text: `The incognito chat is closed here, but Perigee may keep it until it stops. ${errorText(error)}`, action: again })
    }
  }

  return {
    incognito: null,
    startIncognito: async () => {
      try {
        const chat = await newChat({ incognito: true })
        get().changeConversation(chat.id, () => ({ ...LOADING, chat, state: 'ready' }))
        // Navigating there leaves the previous incognito conversation, which closes it.
        get().go({ page: 'chat', id: chat.id })
        set({ incognito: chat.id })
        get().focusComposer()
      } catch (error) {
        get().notify({ tone: 'danger', text: errorText(error) })
      }
    },
    closeIncognito: () => {
      const id = get().incognito
      if (id === null) return
      set({ incognito: null })
      get().chatGone(id)
      // Unsent drafts are deleted too.
      set((state) => ({ drafts: omit(state.drafts, id), queues: omit(state.queues, id) }))
      const { route } = get()
      if (route.page === 'chat' && route.id === id) get().go({ page: 'new' }, 'replace')
      void remove(id)
    },
  }
}
