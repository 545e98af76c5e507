import { loadChat, readChat, showBranch } from '@/api/chats'
import { isMissing, errorText } from '@/api/http'
import type { ChatView, ConversationId } from '@/api/protocol.gen'
import type { ChatsSlice } from '@/chats/state'
import type { Notices } from '@/shell/slice'
import { omit } from '@/store/omit'
import type { Slice } from '@/store/slice'
import { type Conversation, fromView, LOADING, refreshed, withEarlier } from './conversation'
import type { ChatSlice, IncognitoSlice, SendSlice } from './state'

type Uses = SendSlice & IncognitoSlice & ChatsSlice & Notices

const PAGES_TO_SEARCH = 40

export const chatSlice: Slice<ChatSlice, Uses> = (set, get) => {
  /** Accepts the server's view of a conversation, and drops local files that are stored there. */
  const accept = (id: ConversationId, view: ChatView, change: (known: Conversation) => Conversation) => {
    get().changeConversation(id, change)
    const stored = new Set(view.messages.filter(({ attachments }) => attachments.length > 0).map((message) => message.id))
    const { sentFiles } = get()
    const needed = Object.entries(sentFiles).filter(([message]) => !stored.has(message))
    if (needed.length < Object.keys(sentFiles).length) set({ sentFiles: Object.fromEntries(needed) })
  }

  /**
   * Reads a conversation and shows it, unless a running turn shows more. Reads again if it changed meanwhile.
   */
  const read = async (id: ConversationId, load: () => Promise<ChatView>): Promise<ChatView> => {
    for (;;) {
      const shown = get().conversations[id]?.messages
      const view = await load()
      if (get().live[id]) return view
      if (get().conversations[id]?.messages !== shown) continue
      accept(id, view, (known) => refreshed(known, view))
      return view
    }
  }

  const show = async (id: ConversationId, load: (id: ConversationId) => Promise<ChatView>) => {
    set((state) => ({ unread: omit(state.unread, id) }))
    // The conversation was created for this very message, so everything about it is here.
    if (get().outgoing[id]) return
    if (!get().conversations[id]) get().changeConversation(id, () => LOADING)
    try {
      const view = await read(id, () => load(id))
      if (view.chat.incognito) set({ incognito: id })
      if (view.live && view.live.status !== 'ended') void get().watch(id, view.live.turnId)
    } catch (error) {
      const trouble = errorText(error)
      if (isMissing(error)) get().chatMissing(id, trouble)
      else get().changeConversation(id, (known) => (known.state === 'ready' ? known : { ...known, state: 'failed', trouble }))
    }
  }

  return {
    conversations: {},
    sentFiles: {},

    openChat: (id) => show(id, loadChat),
    peekChat: (id) => show(id, readChat),

    refreshChat: async (id) => {
      try {
        await read(id, () => readChat(id))
      } catch (error) {
        if (isMissing(error)) get().chatMissing(id, errorText(error))
      }
    },

    loadEarlier: async (id) => {
      const known = get().conversations[id]
      if (!known?.before || known.loadingEarlier) return
      get().changeConversation(id, (current) => ({ ...current, loadingEarlier: true }))
      try {
        const view = await readChat(id, known.before)
        get().changeConversation(id, (current) => withEarlier(current, view))
      } catch {
        get().changeConversation(id, (current) => ({ ...current, loadingEarlier: false }))
      }
    },

    findMessage: async (id, message) => {
      const here = () => get().conversations[id]?.messages.some((known) => known.id === message) ?? false
      for (let page = 0; page < PAGES_TO_SEARCH && !here() && get().conversations[id]?.before; page += 1) {
        await get().loadEarlier(id)
      }
      if (!here()) await get().branch(id, message)
      for (let page = 0; page < PAGES_TO_SEARCH && !here() && get().conversations[id]?.before; page += 1) {
        await get().loadEarlier(id)
      }
      return here()
    },

    branch: async (id, message) => {
      if (get().live[id]) return
      try {
        const view = await showBranch(id, message)
        accept(id, view, () => fromView(view))
      } catch (error) {
        get().notify({ tone: 'danger', text: errorText(error) })
      }
    },

    changeConversation: (id, change) => set((state) => ({ conversations: { ...state.conversations, [id]: change(state.conversations[id] ?? LOADING) } })),

    chatMissing: (id, trouble) => {
      get().chatGone(id)
      get().changeConversation(id, () => ({ ...LOADING, state: 'failed', gone: true, trouble }))
    },
  }
}
