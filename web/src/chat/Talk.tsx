import { type ReactNode, Suspense, useEffect } from 'react'
import type { ChatSummary, ConversationId } from '@/api/protocol.gen'
import { NEW } from '@/composer/drafts'
import { unsent } from '@/composer/slice'
import { Boundary } from '@/design/Boundary'
import { Broken } from '@/design/Broken'
import { Button } from '@/design/Button'
import { part } from '@/design/part'
import { Sorry } from '@/design/Sorry'
import { useStore } from '@/store'
import type { Conversation } from './conversation'

// Asked for with the page itself, so that it is here by the time a conversation is; the first paint does not wait.
const messageList = () => import('./MessageList')
// Where it does not come, the boundary around it tells when it is needed.
messageList().catch(() => {})
const MessageList = part(messageList)

/** The conversation on the screen, however it is looked at. */
export interface Talk {
  /** Null where it has not begun. */
  id: ConversationId | null
  /** Where its draft is kept. */
  place: string
  conversation: Conversation | undefined
  chat: ChatSummary | null
  /** Something of it is on its way, to her or from her. */
  sending: boolean
  /** It was deleted: nothing can be sent there. */
  gone: boolean
}

export function useTalk(): Talk {
  const id = useStore((state) => (state.route.page === 'chat' ? state.route.id : null))
  const place = id ?? NEW
  const conversation = useStore((state) => (id === null ? undefined : state.conversations[id]))
  const listed = useStore((state) => (id === null ? undefined : state.chats.find((chat) => chat.id === id)))
  const sending = useStore((state) => state.outgoing[place] !== undefined || (id !== null && state.live[id] !== undefined))
  const gone = conversation?.state === 'failed' && conversation.gone && !sending
  return { id, place, conversation, chat: conversation?.chat ?? listed ?? null, sending, gone }
}

/** The name of the tab. A title of what leaves nothing would stay in the browser's history. */
export function useTitle(chat: ChatSummary | null): void {
  useEffect(() => {
    document.title = chat?.title && !chat.incognito ? `${chat.title} · Perigee` : 'Perigee'
  }, [chat?.title, chat?.incognito])
}

/** What stands above the composer: the messages, or why there are none. */
export function Words({ talk, empty }: { talk: Talk; empty: ReactNode }) {
  const { id, place, conversation, sending, gone } = talk
  if (gone) return <Gone id={place} words={conversation?.trouble ?? ''} />
  if (conversation?.state === 'failed' && !sending) return <Failed id={place} words={conversation.trouble ?? ''} />
  if (!sending && (id === null || (conversation?.state === 'ready' && conversation.messages.length === 0))) return empty
  return (
    // The composer stays, with what was written in it.
    <Boundary resetOn={place} fallback={<Broken />}>
      <Suspense fallback={<div className="flex-1" aria-busy="true" />}>
        <MessageList key={place} place={place} id={id} conversation={conversation} />
      </Suspense>
    </Boundary>
  )
}

function Failed({ id, words }: { id: string; words: string }) {
  const { openChat, go } = useStore.getState()
  return (
    <Sorry title="This chat could not be opened" text={words}>
      <Button look="raised" onClick={() => void openChat(id)}>
        Try again
      </Button>
      <Button look="quiet" onClick={() => go({ page: 'new' })}>
        New chat
      </Button>
    </Sorry>
  )
}

/** Where a deleted conversation was. What was written there goes along to the next. */
function Gone({ id, words }: { id: string; words: string }) {
  const held = useStore((state) => {
    const kept = unsent(state.drafts[id])
    return kept.text !== '' || kept.files.length > 0
  })
  const { moveDraft, go } = useStore.getState()
  const text = `${words} It may have been deleted, here or on another device.${held ? ' Your draft is kept and moves to a new chat.' : ''}`
  return (
    <Sorry title="This chat is gone" text={text}>
      <Button
        look="raised"
        onClick={() => {
          moveDraft(id, NEW)
          go({ page: 'new' })
        }}
      >
        New chat
      </Button>
    </Sorry>
  )
}
