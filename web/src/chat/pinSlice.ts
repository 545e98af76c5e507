import { errorText } from '@/api/http'
import type { ConversationId, PinnedAct } from '@/api/protocol.gen'
import { pinAct } from '@/api/tools'
import type { Notices } from '@/shell/slice'
import type { Slice } from '@/store/slice'
import type { ChatSlice, PinSlice } from './state'

export const pinSlice: Slice<PinSlice, ChatSlice & Notices> = (set, get) => {
  const change = (chat: ConversationId, list: (pinned: PinnedAct[]) => PinnedAct[]) =>
    set(({ conversations }) => {
      const known = conversations[chat]
      return known ? { conversations: { ...conversations, [chat]: { ...known, pinned: list(known.pinned) } } } : {}
    })
  const add = (chat: ConversationId, entry: PinnedAct) => change(chat, (list) => [...without(list, entry.act.id), entry])

  return {
    openPin: null,
    showPin: (act) => set({ openPin: act }),
    pin: async (chat, message, act, pinned) => {
      const entry = { messageId: message, act: { ...act, pinned: true } }
      const remove = () => change(chat, (list) => without(list, act.id))
      if (pinned) add(chat, entry)
      else remove()
      if (!pinned && get().openPin === act.id) set({ openPin: null })
      try {
        await pinAct(chat, { messageId: message, actId: act.id, pinned })
      } catch (error) {
        if (pinned) remove()
        else add(chat, entry)
        get().notify({ tone: 'danger', text: errorText(error) })
      }
    },
  }
}

function without(list: PinnedAct[], id: string): PinnedAct[] {
  return list.filter(({ act }) => act.id !== id)
}
