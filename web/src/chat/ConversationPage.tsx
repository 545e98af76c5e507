import { Suspense } from 'react'
import { Composer } from '@/composer/Composer'
import { Boundary } from '@/design/Boundary'
import { Broken } from '@/design/Broken'
import { classNames } from '@/design/classNames'
import { lazyPart } from '@/design/lazyPart'
import { useStore } from '@/store'
import { Questions } from '@/tools/Questions'
import { Announcer } from './Announcer'
import { ChatHead } from './ChatHead'
import { EmptyChat, EmptyIncognito } from './EmptyChat'
import { useOpenChat, useTabTitle, ConversationBody } from './OpenChat'

const Pins = lazyPart(() => import('./Pins'))
const Welcome = lazyPart(() => import('@/welcome/Welcome'))

/** The page of a conversation, or of a new one. */
export function ConversationPage() {
  const chat = useOpenChat()
  const { id, draftKey, conversation, summary, sending } = chat
  const welcome = useStore((state) => state.route.page === 'new' && state.welcoming && !(state.models?.trial && state.chats.length > 0))
  const asking = useStore(
    (state) => state.route.page === 'new' && ((state.models === null && state.modelsTrouble === null) || (state.welcoming && state.models?.trial === true && state.chatsState === 'loading')),
  )
  useTabTitle(summary)

  // The answer that decides which first page is shown arrives in a moment.
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
  return (
    <div className={classNames('@container relative flex h-full flex-col', summary?.incognito && 'moonless')}>
      <ChatHead chat={summary} />
      {id !== null && (conversation?.pinned.length ?? 0) > 0 && (
        <Boundary resetOn={draftKey} fallback={null}>
          <Suspense>
            <Pins chat={id} />
          </Suspense>
        </Boundary>
      )}
      <ConversationBody chat={chat} empty={summary?.incognito ? <EmptyIncognito /> : <EmptyChat draftKey={draftKey} />} />
      {id !== null && <Questions key={`questions ${id}`} chat={id} />}
      {!chat.gone && <Composer key={`composer ${draftKey}`} draftKey={draftKey} />}
      {id !== null && <Announcer key={`announcer ${id}`} chat={id} />}
    </div>
  )
}
