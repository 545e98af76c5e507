import { Suspense, useEffect } from 'react'
import { Composer } from '@/composer/Composer'
import { NEW } from '@/composer/drafts'
import { unsent } from '@/composer/slice'
import { Boundary } from '@/design/Boundary'
import { Broken } from '@/design/Broken'
import { Button } from '@/design/Button'
import { join } from '@/design/join'
import { part } from '@/design/part'
import { Sorry } from '@/design/Sorry'
import { useStore } from '@/store'
import { Questions } from '@/tools/Questions'
import { Announcer } from './Announcer'
import { ChatHead } from './ChatHead'
import { EmptyChat, EmptyIncognito } from './EmptyChat'

// Asked for with the page itself, so that it is here by the time a conversation is; the first paint does not wait.
const messageList = () => import('./MessageList')
// Where it does not come, the boundary around it tells when it is needed.
messageList().catch(() => {})
const MessageList = part(messageList)
const Pins = part(() => import('./Pins'))
const Welcome = part(() => import('@/welcome/Welcome'))

/** A conversation, or the place where one begins. */
export function ConversationPage() {
  const id = useStore((state) => (state.route.page === 'chat' ? state.route.id : null))
  const place = id ?? NEW
  const conversation = useStore((state) => (id === null ? undefined : state.conversations[id]))
  const listed = useStore((state) => (id === null ? undefined : state.chats.find((chat) => chat.id === id)))
  const sending = useStore((state) => state.outgoing[place] !== undefined || (id !== null && state.live[id] !== undefined))
  const welcome = useStore((state) => state.route.page === 'new' && state.welcoming)
  const asking = useStore((state) => state.route.page === 'new' && state.models === null && state.modelsTrouble === null)
  const chat = conversation?.chat ?? listed ?? null

  useEffect(() => {
    // A title would stay in the browser's history.
    document.title = chat?.title && !chat.incognito ? `${chat.title} · Perigee` : 'Perigee'
  }, [chat?.title, chat?.incognito])

  // Which first page it will be is known in a moment.
  if (asking) return <div aria-busy="true" />
  if (welcome && !sending) {
    return (
      <Boundary fallback={<Broken />}>
        <Suspense>
          <Welcome />
        </Suspense>
      </Boundary>
    )
  }
  const failed = conversation?.state === 'failed' && !sending
  const empty = !sending && (id === null || (conversation?.state === 'ready' && conversation.messages.length === 0))
  return (
    <div className={join('@container relative flex h-full flex-col', chat?.incognito && 'moonless')}>
      <ChatHead chat={chat} />
      {id !== null && (conversation?.pinned.length ?? 0) > 0 && (
        <Boundary resetOn={place} fallback={null}>
          <Suspense>
            <Pins chat={id} />
          </Suspense>
        </Boundary>
      )}
      {failed ? (
        conversation.gone ? <Gone id={place} words={conversation.trouble ?? ''} /> : <Failed id={place} words={conversation.trouble ?? ''} />
      ) : empty ? (
        chat?.incognito ? <EmptyIncognito /> : <EmptyChat place={place} />
      ) : (
        // The composer stays, with what was written in it.
        <Boundary resetOn={place} fallback={<Broken />}>
          <Suspense fallback={<div className="flex-1" aria-busy="true" />}>
            <MessageList key={place} place={place} id={id} conversation={conversation} />
          </Suspense>
        </Boundary>
      )}
      {id !== null && <Questions key={`questions ${id}`} chat={id} />}
      {!(failed && conversation.gone) && <Composer key={`composer ${place}`} place={place} />}
      {id !== null && <Announcer key={`announcer ${id}`} chat={id} />}
    </div>
  )
}

function Failed({ id, words }: { id: string; words: string }) {
  const { openChat, go } = useStore.getState()
  return (
    <Sorry title="This one does not open" text={words}>
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
  const text = `${words} It may have been deleted, here or elsewhere.${held ? ' What you had written is kept, and comes along to a new chat.' : ''}`
  return (
    <Sorry title="This one is gone" text={text}>
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
