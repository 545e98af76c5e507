import { newChat } from '@/api/chats'
import { ApiFailure, words } from '@/api/http'
import type { ConversationId, TurnId } from '@/api/protocol.gen'
import { stopTurn, type TurnStart } from '@/api/turns'
import type { ChatsSlice } from '@/chats/state'
import { orderOf } from '@/code/runs'
import type { CodeSlice } from '@/code/slice'
import { NEW, NEW_CODE } from '@/composer/drafts'
import { uploads } from '@/composer/files'
import type { ComposerSlice } from '@/composer/state'
import type { Navigation } from '@/shell/slice'
import { omit } from '@/store/omit'
import type { Slice } from '@/store/slice'
import { type Conversation, LOADING } from './conversation'
import { Runner, type RunnerUses } from './runner'
import type { ChatSlice, Outgoing, SendSlice } from './state'

type Uses = ChatSlice & ChatsSlice & ComposerSlice & CodeSlice & Navigation & RunnerUses

export const sendSlice: Slice<SendSlice, Uses> = (set, get) => {
  const runner = new Runner(set, get)

  /**
   * Creates the conversation for a first message. Returns null if that failed or its sender no longer waits
   * for it.
   */
  const begin = async (place: string, message: Outgoing): Promise<ConversationId | null> => {
    try {
      const chat = await newChat()
      // The user has signed out in the meantime.
      if (get().outgoing[place]?.clientMessageId !== message.clientMessageId) return null
      get().changeConversation(chat.id, () => ({ ...LOADING, chat, state: 'ready' }))
      get().chatChanged(chat)
      set((state) => ({ outgoing: { ...omit(state.outgoing, place), [chat.id]: message } }))
      get().follow(place, chat.id)
      if (place === NEW_CODE) get().showCodeChat(chat.id)
      else if (get().route.page === 'new') get().go({ page: 'chat', id: chat.id }, 'replace')
      return chat.id
    } catch (error) {
      get().markUnsent(place, error)
      return null
    }
  }

  const dispatch = async (place: string): Promise<void> => {
    const message = get().outgoing[place]
    if (!message) return
    set((state) => ({ outgoing: { ...state.outgoing, [place]: { ...message, trouble: null } } }))
    const id = place === NEW || place === NEW_CODE ? await begin(place, message) : place
    if (id === null) return
    await runner.run(id, startOf(id, message), { kind: 'send', text: message.text, editOf: message.editOf, code: message.code })
  }

  return {
    live: {},
    outgoing: {},

    send: async (place, { text, files, editOf = null, code }) => {
      if (get().live[place] || get().outgoing[place]) {
        if (get().outgoing[place]?.trouble) get().discard(place)
        else {
          get().enqueue(place, { text, files, code })
          return
        }
      }
      const message: Outgoing = { clientMessageId: crypto.randomUUID(), text, files, editOf, code, trouble: null }
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
      const order = orderOf(answer, get().codeRuns[message])
      if (order) {
        // The workspace has no branches: the same request is sent again.
        const asked = get().conversations[id]?.messages.find((known) => known.id === answer.parent)
        await get().send(id, { text: asked?.content ?? '', files: [], code: order })
        return
      }
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

    unfollow: (id) => runner.unfollow(id),
    unfollowAll: () => runner.unfollowAll(),
  }
}

function startOf(conversationId: ConversationId, { text, clientMessageId, code, editOf, files }: Outgoing): TurnStart {
  if (code) return { kind: 'code', request: { ...code, text, conversationId, clientMessageId } }
  const request = {
    message: text,
    conversationId,
    clientMessageId,
    ...(editOf ? { editOf } : {}),
    ...(files.length > 0 ? { attachments: uploads(files) } : {}),
  }
  return { kind: 'send', request }
}

function knows(conversation: Conversation | undefined, turn: TurnId): boolean {
  return conversation?.messages.some((message) => message.turnId === turn) ?? false
}
