import { newChat } from '@/api/chats'
import { ApiFailure, errorText } from '@/api/http'
import type { ConversationId, TurnId } from '@/api/protocol.gen'
import { stopTurn, type TurnStart } from '@/api/turns'
import type { ChatsSlice } from '@/chats/state'
import { requestOptionsOf } from '@/code/runs'
import type { CodeSlice } from '@/code/slice'
import { NEW, NEW_CODE } from '@/composer/drafts'
import { uploads } from '@/composer/files'
import type { ComposerSlice } from '@/composer/state'
import type { Navigation } from '@/shell/slice'
import { omit } from '@/store/omit'
import type { Slice } from '@/store/slice'
import { type Conversation, LOADING } from './conversation'
import { TurnFollower, type TurnFollowerUses } from './turnFollower'
import type { ChatSlice, Outgoing, SendSlice } from './state'

type Uses = ChatSlice & ChatsSlice & ComposerSlice & CodeSlice & Navigation & TurnFollowerUses

export const sendSlice: Slice<SendSlice, Uses> = (set, get) => {
  const runner = new TurnFollower(set, get)

  /**
   * Creates the conversation for a first message. Returns null if that failed or its sender no longer waits
   * for it.
   */
  const begin = async (draftKey: string, message: Outgoing): Promise<ConversationId | null> => {
    try {
      const chat = await newChat()
      // The user has signed out in the meantime.
      if (get().outgoing[draftKey]?.clientMessageId !== message.clientMessageId) return null
      get().changeConversation(chat.id, () => ({ ...LOADING, chat, state: 'ready' }))
      get().chatChanged(chat)
      set((state) => ({ outgoing: { ...omit(state.outgoing, draftKey), [chat.id]: message } }))
      get().moveComposer(draftKey, chat.id)
      if (draftKey === NEW_CODE) get().showCodeChat(chat.id)
      else if (get().route.page === 'new') get().go({ page: 'chat', id: chat.id }, 'replace')
      return chat.id
    } catch (error) {
      get().markUnsent(draftKey, error)
      return null
    }
  }

  const dispatch = async (draftKey: string): Promise<void> => {
    const message = get().outgoing[draftKey]
    if (!message) return
    set((state) => ({ outgoing: { ...state.outgoing, [draftKey]: { ...message, trouble: null } } }))
    const id = draftKey === NEW || draftKey === NEW_CODE ? await begin(draftKey, message) : draftKey
    if (id === null) return
    await runner.run(id, startOf(id, message), { kind: 'send', text: message.text, editOf: message.editOf, code: message.code })
  }

  return {
    live: {},
    outgoing: {},

    send: async (draftKey, { text, files, editOf = null, code }) => {
      if (get().live[draftKey] || get().outgoing[draftKey]) {
        if (get().outgoing[draftKey]?.trouble) get().discard(draftKey)
        else {
          get().enqueue(draftKey, { text, files, code })
          return
        }
      }
      const message: Outgoing = { clientMessageId: crypto.randomUUID(), text, files, editOf, code, trouble: null }
      set((state) => ({ outgoing: { ...state.outgoing, [draftKey]: message } }))
      await dispatch(draftKey)
    },

    resend: dispatch,

    markUnsent: (draftKey, error) => {
      const message = get().outgoing[draftKey]
      if (!message) return false
      const trouble = { message: errorText(error), code: error instanceof ApiFailure ? error.code : ('internal' as const) }
      set((state) => ({ outgoing: { ...state.outgoing, [draftKey]: { ...message, trouble } } }))
      return true
    },

    discard: (draftKey) => {
      const message = get().outgoing[draftKey]
      if (!message) return
      set((state) => ({ outgoing: omit(state.outgoing, draftKey) }))
      get().returnToDraft(draftKey, message)
    },

    regenerate: async (id, message) => {
      const answer = get().conversations[id]?.messages.find((known) => known.id === message)
      if (!answer || get().live[id]) return
      const order = requestOptionsOf(answer, get().codeRuns[message])
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
        get().notify({ tone: 'danger', text: errorText(error) })
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
