import { deleteChat, listChats, patchChat, restoreChat, searchChats } from '@/api/chats'
import { errorText } from '@/api/http'
import type { ChatSlice, SendSlice } from '@/chat/state'
import type { ComposerSlice } from '@/composer/state'
import type { PaletteSlice } from '@/palette/slice'
import type { Navigation, Notices } from '@/shell/slice'
import { omit } from '@/store/omit'
import type { Slice } from '@/store/slice'
import type { ConsoleSlice } from '@/views/consoleSlice'
import type { ViewSlice } from '@/views/slice'
import type { TickSlice } from '@/widgets/tickSlice'
import { belongs, merged, without } from './order'
import type { ChatsSlice, Search } from './state'

/** The other parts of the state that hold something of a conversation, which goes with it. */
type Uses = ChatSlice & SendSlice & ComposerSlice & ConsoleSlice & PaletteSlice & TickSlice & ViewSlice & Navigation & Notices

const PAGE = 100
const HITS = 30

const NO_SEARCH: Search = { query: '', hits: [], next: null, state: 'idle' }

export const chatsSlice: Slice<ChatsSlice, Uses> = (set, get) => {
  let looking = new AbortController()
  let paging = false

  const search = async (query: string) => {
    looking.abort()
    looking = new AbortController()
    const { signal } = looking
    try {
      const found = await searchChats(query, null, HITS, signal)
      // The query has changed meanwhile.
      if (get().search.query.trim() !== query) return
      set((state) => ({ search: { ...state.search, hits: found.hits, next: found.next, state: 'done' } }))
    } catch {
      if (!signal.aborted) set((state) => ({ search: { ...state.search, state: 'failed' } }))
    }
  }

  /** Updates the counts of folders and tags without touching the list. */
  const recount = async () => {
    try {
      const { folders, tags } = await listChats({}, null, 1)
      set({ folders, tags })
    } catch {
      // The next refresh updates them.
    }
  }

  return {
    chats: [],
    chatsNext: null,
    chatsState: 'loading',
    folders: [],
    tags: [],
    filter: {},
    renaming: null,
    search: NO_SEARCH,
    running: {},
    unread: {},

    refreshChats: async () => {
      const { filter } = get()
      try {
        const page = await listChats(filter, null, PAGE)
        if (get().filter !== filter) return
        set({ chats: page.chats, chatsNext: page.next, folders: page.folders, tags: page.tags, chatsState: 'ready' })
      } catch {
        if (get().chats.length === 0) set({ chatsState: 'failed' })
      }
    },

    moreChats: async () => {
      const { filter, chatsNext } = get()
      if (chatsNext === null || paging) return
      paging = true
      try {
        const page = await listChats(filter, chatsNext, PAGE)
        if (get().filter === filter) set((state) => ({ chats: merged(state.chats, page.chats), chatsNext: page.next }))
      } catch {
        // Further scrolling retries.
      } finally {
        paging = false
      }
    },

    setFilter: (filter) => {
      set({ filter, chats: [], chatsNext: null, chatsState: 'loading', search: NO_SEARCH })
      void get().refreshChats()
    },

    setSearch: (query) => {
      if (query.trim() === '') {
        looking.abort()
        set({ search: { ...NO_SEARCH, query } })
        return
      }
      set((state) => ({ search: { ...state.search, query, state: 'looking' } }))
      void search(query.trim())
    },

    moreHits: async () => {
      const { search } = get()
      if (search.next === null || search.state !== 'done') return
      try {
        const found = await searchChats(search.query.trim(), search.next, HITS, looking.signal)
        set({ search: { ...search, hits: [...search.hits, ...found.hits], next: found.next } })
      } catch {
        // Further scrolling retries.
      }
    },

    rename: (renaming) => set({ renaming }),

    patchChat: async (id, patch) => {
      const before = get().chats.find((row) => row.id === id) ?? get().conversations[id]?.chat
      if (before) get().chatChanged({ ...before, ...patch, folder: patch.folder === '' ? null : (patch.folder ?? before.folder) })
      try {
        get().chatChanged(await patchChat(id, patch))
        if (patch.folder !== undefined || patch.tags !== undefined) void recount()
      } catch (error) {
        if (before) get().chatChanged(before)
        get().notify({ tone: 'danger', text: errorText(error) })
      }
    },

    removeChat: async (id) => {
      const row = get().chats.find((chat) => chat.id === id) ?? get().conversations[id]?.chat
      get().chatGone(id)
      const { route } = get()
      if (route.page === 'chat' && route.id === id) get().go({ page: 'new' })
      const bringBack = async () => {
        try {
          get().chatChanged(await restoreChat(id))
          void recount()
          const { route: here } = get()
          if (here.page === 'new') get().go({ page: 'chat', id })
          else if (here.page === 'chat' && here.id === id) void get().openChat(id)
        } catch (error) {
          get().notify({ tone: 'danger', text: errorText(error) })
        }
      }
      try {
        await deleteChat(id)
        if (row?.folder || row?.tags.length) void recount()
        const undo = { label: 'Undo', run: () => void bringBack() }
        get().notify({ tone: 'plain', text: `Deleted “${row?.title || 'New chat'}”.`, action: undo })
      } catch (error) {
        if (row) get().chatChanged(row)
        get().notify({ tone: 'danger', text: errorText(error) })
      }
    },

    chatChanged: (chat) =>
      set((state) => {
        const open = state.conversations[chat.id]
        return {
          chats: belongs(chat, state.filter) ? merged(state.chats, [chat]) : without(state.chats, chat.id),
          ...(open ? { conversations: { ...state.conversations, [chat.id]: { ...open, chat } } } : {}),
        }
      }),

    chatGone: (id) => {
      get().unfollow(id)
      get().moveUnsentToDraft(id)
      get().forgetTicks(id)
      get().forgetLines(id)
      set((state) => {
        const messages = new Set(state.conversations[id]?.messages.map((message) => message.id))
        return {
          chats: without(state.chats, id),
          search: { ...state.search, hits: state.search.hits.filter((hit) => hit.chat !== id) },
          paletteHits: state.paletteHits.filter((hit) => hit.chat !== id),
          conversations: omit(state.conversations, id),
          live: omit(state.live, id),
          running: omit(state.running, id),
          lastConversation: state.lastConversation.page === 'chat' && state.lastConversation.id === id ? { page: 'new' } : state.lastConversation,
          unread: omit(state.unread, id),
          sentFiles: Object.fromEntries(Object.entries(state.sentFiles).filter(([message]) => !messages.has(message))),
        }
      })
    },

    setRunning: (id, isRunning) =>
      set((state) => {
        const { [id]: _was, ...others } = state.running
        const elsewhere = !(state.route.page === 'chat' && state.route.id === id)
        return {
          running: isRunning ? { ...others, [id]: true } : others,
          ...(!isRunning && _was && elsewhere ? { unread: { ...state.unread, [id]: true } } : {}),
        }
      }),
  }
}
