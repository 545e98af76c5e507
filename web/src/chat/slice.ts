import { loadChat, newChat, readChat, showBranch } from '@/api/chats'
import { ApiFailure, isMissing, words } from '@/api/http'
import type { ChatView, ConversationId, Message, MessageId, TurnId } from '@/api/protocol.gen'
import { stopTurn } from '@/api/turns'
import { NEW } from '@/composer/drafts'
import { type DraftFile, uploads } from '@/composer/files'
import type { Slice } from '@/store'
import { omit } from '@/store/omit'
import { type Conversation, fromView, LOADING, refreshed, withEarlier } from './conversation'
import type { Live } from './live'
import { Runner } from './runner'

/** A message on its way to the server, or one that did not get there. */
export interface Outgoing {
  clientMessageId: string
  text: string
  files: DraftFile[]
  editOf: MessageId | null
  trouble: { message: string; code: ApiFailure['code'] } | null
}

export interface ChatSlice {
  conversations: Record<ConversationId, Conversation>
  live: Record<ConversationId, Live>
  outgoing: Record<string, Outgoing>
  /** The files of messages sent from this page, until it is known where the server keeps them. */
  sentFiles: Record<MessageId, DraftFile[]>

  openChat: (id: ConversationId) => Promise<void>
  refreshChat: (id: ConversationId) => Promise<void>
  loadEarlier: (id: ConversationId) => Promise<void>
  /** Loads pages, or another branch, until the message is here. */
  findMessage: (id: ConversationId, message: MessageId) => Promise<boolean>
  send: (place: string, message: { text: string; files: DraftFile[]; editOf?: MessageId | null }) => Promise<void>
  resend: (place: string) => Promise<void>
  /** Keeps a message that did not get through, with the reason. False where there is none. */
  markUnsent: (place: string, error: unknown) => boolean
  discard: (place: string) => void
  regenerate: (id: ConversationId, message: MessageId) => Promise<void>
  stop: (id: ConversationId) => Promise<void>
  branch: (id: ConversationId, message: MessageId) => Promise<void>
  sendQueued: (id: ConversationId) => void
  watch: (id: ConversationId, turn: TurnId) => Promise<void>
  turnEnded: (id: ConversationId, turn: TurnId) => void
  /** The server does not know this conversation: whoever looks at it is told. */
  chatMissing: (id: ConversationId, trouble: string) => void
  unfollow: (id: ConversationId) => void
  unfollowAll: () => void
}

const PAGES_TO_SEARCH = 40

export const chatSlice: Slice<ChatSlice> = (set, get) => {
  const runner = new Runner(set, get)
  const changeConversation = (id: ConversationId, change: (known: Conversation) => Conversation) =>
    set((state) => ({ conversations: { ...state.conversations, [id]: change(state.conversations[id] ?? LOADING) } }))

  /** The conversation as the server has it. Files that are kept there need not be kept here. */
  const accept = (id: ConversationId, view: ChatView, change: (known: Conversation) => Conversation) => {
    changeConversation(id, change)
    const stored = new Set(view.messages.filter(({ attachments }) => attachments.length > 0).map((message) => message.id))
    const { sentFiles } = get()
    const needed = Object.entries(sentFiles).filter(([message]) => !stored.has(message))
    if (needed.length < Object.keys(sentFiles).length) set({ sentFiles: Object.fromEntries(needed) })
  }

  const dispatch = async (place: string): Promise<void> => {
    const message = get().outgoing[place]
    if (!message) return
    set((state) => ({ outgoing: { ...state.outgoing, [place]: { ...message, trouble: null } } }))
    let id = place
    if (place === NEW) {
      try {
        const chat = await newChat()
        // Whoever sent it has signed out in the meantime.
        if (get().outgoing[place]?.clientMessageId !== message.clientMessageId) return
        id = chat.id
        changeConversation(id, () => ({ ...LOADING, chat, state: 'ready' }))
        get().chatChanged(chat)
      } catch (error) {
        get().markUnsent(place, error)
        return
      }
      set((state) => ({ outgoing: { ...omit(state.outgoing, NEW), [id]: message } }))
      get().follow(NEW, id)
      if (get().route.page === 'new') get().go({ page: 'chat', id }, 'replace')
    }
    const request = {
      message: message.text,
      conversationId: id,
      clientMessageId: message.clientMessageId,
      ...(message.editOf ? { editOf: message.editOf } : {}),
      ...(message.files.length > 0 ? { attachments: uploads(message.files) } : {}),
    }
    await runner.run(id, { kind: 'send', request }, { kind: 'send', text: message.text, editOf: message.editOf })
  }

  return {
    conversations: {},
    live: {},
    outgoing: {},
    sentFiles: {},

    openChat: async (id) => {
      set((state) => ({ unread: omit(state.unread, id) }))
      // It was made a moment ago, for this very message: everything about it is here.
      if (get().outgoing[id]) return
      if (!get().conversations[id]) changeConversation(id, () => LOADING)
      try {
        const view = await loadChat(id)
        if (!get().live[id]) accept(id, view, (known) => refreshed(known, view))
        if (view.live && view.live.status !== 'ended' && !runner.follows(id)) void get().watch(id, view.live.turnId)
      } catch (error) {
        const trouble = words(error)
        if (isMissing(error)) get().chatMissing(id, trouble)
        else changeConversation(id, (known) => (known.state === 'ready' ? known : { ...known, state: 'failed', trouble }))
      }
    },

    refreshChat: async (id) => {
      const watched = get().live[id]?.startedAt
      try {
        const view = await readChat(id)
        const live = get().live[id]
        // Another turn has begun in the meantime: what it shows is later than this.
        if (live && live.startedAt !== watched) return
        accept(id, view, (known) => refreshed(known, view))
      } catch (error) {
        if (isMissing(error)) get().chatMissing(id, words(error))
      }
    },

    loadEarlier: async (id) => {
      const known = get().conversations[id]
      if (!known?.before || known.loadingEarlier) return
      changeConversation(id, (current) => ({ ...current, loadingEarlier: true }))
      try {
        const view = await readChat(id, known.before)
        changeConversation(id, (current) => withEarlier(current, view))
      } catch {
        changeConversation(id, (current) => ({ ...current, loadingEarlier: false }))
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

    send: async (place, { text, files, editOf = null }) => {
      if (get().live[place] || get().outgoing[place]) {
        if (get().outgoing[place]?.trouble) get().discard(place)
        else {
          get().enqueue(place, { text, files })
          return
        }
      }
      const message: Outgoing = { clientMessageId: crypto.randomUUID(), text, files, editOf, trouble: null }
      set((state) => ({ outgoing: { ...state.outgoing, [place]: message } }))
      await dispatch(place)
    },

    resend: dispatch,

    markUnsent: (place, error) => {
      const message = get().outgoing[place]
      if (!message) return false
      const trouble = { message: words(error), code: error instanceof ApiFailure ? error.code : ('internal' as const) }
      set((state) => ({ outgoing: { ...state.outgoing, [place]: { ...message, trouble } } }))
      return true
    },

    discard: (place) => {
      const message = get().outgoing[place]
      if (!message) return
      set((state) => ({ outgoing: omit(state.outgoing, place) }))
      get().takeBack(place, message)
    },

    regenerate: async (id, message) => {
      const answer = get().conversations[id]?.messages.find((known) => known.id === message)
      if (!answer || get().live[id]) return
      await runner.run(id, { kind: 'regenerate', chat: id, message }, { kind: 'regenerate', message: answer })
    },

    stop: async (id) => {
      const live = get().live[id]
      if (!live) return
      runner.changeLive(id, { stopping: true })
      if (!live.turnId) return
      try {
        await stopTurn(live.turnId)
      } catch (error) {
        runner.changeLive(id, { stopping: false })
        get().notify({ tone: 'danger', text: words(error) })
      }
    },

    branch: async (id, message) => {
      if (get().live[id]) return
      try {
        const view = await showBranch(id, message)
        accept(id, view, () => fromView(view))
      } catch (error) {
        get().notify({ tone: 'danger', text: words(error) })
      }
    },

    sendQueued: (id) => {
      const next = get().queues[id]?.[0]
      if (!next || get().live[id]) return
      get().dequeue(id, next.id)
      void get().send(id, next)
    },

    watch: async (id, turn) => {
      if (runner.follows(id) || get().outgoing[id]) return
      if (!knows(get().conversations[id], turn)) await get().refreshChat(id)
      if (runner.follows(id)) return
      await runner.run(id, { kind: 'resume', turn }, { kind: 'watch' })
    },

    turnEnded: (id, _turn) => {
      if (runner.follows(id)) return
      get().setRunning(id, false)
      if (get().conversations[id]) void get().refreshChat(id)
    },

    chatMissing: (id, trouble) => {
      get().chatGone(id)
      changeConversation(id, () => ({ ...LOADING, state: 'failed', gone: true, trouble }))
    },

    unfollow: (id) => runner.unfollow(id),
    unfollowAll: () => runner.unfollowAll(),
  }
}

function knows(conversation: Conversation | undefined, turn: TurnId): boolean {
  return conversation?.messages.some((message: Message) => message.turnId === turn) ?? false
}
