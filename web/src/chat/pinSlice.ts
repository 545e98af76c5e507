import { words } from '@/api/http'
import type { Act, ConversationId, MessageId, PinnedAct } from '@/api/protocol.gen'
import { pinAct } from '@/api/tools'
import type { Slice } from '@/store'

/** The items pinned at the top of a conversation. */
export interface PinSlice {
  /** The tool call whose pinned view is open. */
  openPin: string | null
  showPin: (act: string | null) => void
  pin: (chat: ConversationId, message: MessageId, act: Act, pinned: boolean) => Promise<void>
}

export const pinSlice: Slice<PinSlice> = (set, get) => {
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
        get().notify({ tone: 'danger', text: words(error) })
      }
    },
  }
}

function without(list: PinnedAct[], id: string): PinnedAct[] {
  return list.filter(({ act }) => act.id !== id)
}
