import { type ReactNode, Suspense, useEffect } from 'react'
import type { ChatSummary, ConversationId } from '@/api/protocol.gen'
import { NEW } from '@/composer/drafts'
import { unsent } from '@/composer/slice'
import { Boundary } from '@/design/Boundary'
import { Broken } from '@/design/Broken'
import { Button } from '@/design/Button'
import { lazyPart } from '@/design/lazyPart'
import { FailureMessage } from '@/design/Sorry'
import { useStore } from '@/store'
import type { Conversation } from './conversation'

// Requested together with the page, so that it is loaded by the time a conversation is. The first paint does
// not wait for it.
const messageList = () => import('./MessageList')
// If loading fails, the error boundary around it reports that when it is needed.
messageList().catch(() => {})
const MessageList = lazyPart(messageList)

/** The conversation on the screen, independent of its view. */
export interface OpenChat {
  /** Null if the conversation has not begun. */
  id: ConversationId | null
  /** The key under which its draft is kept. */
  draftKey: string
  conversation: Conversation | undefined
  summary: ChatSummary | null
  /** True while a message is being sent or a turn runs. */
  sending: boolean
  /** True if the conversation was deleted: nothing can be sent to it. */
  gone: boolean
}

export function useOpenChat(): OpenChat {
  const id = useStore((state) => (state.route.page === 'chat' ? state.route.id : null))
  const draftKey = id ?? NEW
  const conversation = useStore((state) => (id === null ? undefined : state.conversations[id]))
  const listed = useStore((state) => (id === null ? undefined : state.chats.find((chat) => chat.id === id)))
  const sending = useStore((state) => state.outgoing[draftKey] !== undefined || (id !== null && state.live[id] !== undefined))
  const gone = conversation?.state === 'failed' && conversation.gone && !sending
  return { id, draftKey, conversation, summary: conversation?.chat ?? listed ?? null, sending, gone }
}

/**
 * Sets the title of the tab. The title of an incognito conversation is left out, since it would stay in the
 * browser's history.
 */
export function useTabTitle(chat: ChatSummary | null): void {
  useEffect(() => {
    document.title = chat?.title && !chat.incognito ? `${chat.title} · Perigee` : 'Perigee'
  }, [chat?.title, chat?.incognito])
}

/** The area above the composer: the messages, or the reason why there are none. */
export function ConversationBody({ chat, empty }: { chat: OpenChat; empty: ReactNode }) {
  const { id, draftKey, conversation, sending, gone } = chat
  if (gone) return <Gone id={draftKey} trouble={conversation?.trouble ?? ''} />
  if (conversation?.state === 'failed' && !sending) return <Failed id={draftKey} text={conversation.trouble ?? ''} />
  if (!sending && (id === null || (conversation?.state === 'ready' && conversation.messages.length === 0))) return empty
  return (
    // The composer is outside the boundary and keeps its draft.
    <Boundary resetOn={draftKey} fallback={<Broken />}>
      <Suspense fallback={<div className="flex-1" aria-busy="true" />}>
        <MessageList key={draftKey} draftKey={draftKey} id={id} conversation={conversation} />
      </Suspense>
    </Boundary>
  )
}

function Failed({ id, text }: { id: string; text: string }) {
  const { openChat, go } = useStore.getState()
  return (
    <FailureMessage title="This chat could not be opened" text={text}>
      <Button variant="raised" onClick={() => void openChat(id)}>
        Try again
      </Button>
      <Button variant="quiet" onClick={() => go({ page: 'new' })}>
        New chat
      </Button>
    </FailureMessage>
  )
}

/** The view of a deleted conversation. An unsent draft moves to the next one. */
function Gone({ id, trouble }: { id: string; trouble: string }) {
  const held = useStore((state) => {
    const kept = unsent(state.drafts[id])
    return kept.text !== '' || kept.files.length > 0
  })
  const { moveDraft, go } = useStore.getState()
  const text = `${trouble} It may have been deleted, here or on another device.${held ? ' Your draft is kept and moves to a new chat.' : ''}`
  return (
    <FailureMessage title="This chat is gone" text={text}>
      <Button
        variant="raised"
        onClick={() => {
          moveDraft(id, NEW)
          go({ page: 'new' })
        }}
      >
        New chat
      </Button>
    </FailureMessage>
  )
}
