import { Suspense } from 'react'
import { Composer } from '@/composer/Composer'
import { Boundary } from '@/design/Boundary'
import { Broken } from '@/design/Broken'
import { join } from '@/design/join'
import { part } from '@/design/part'
import { useStore } from '@/store'
import { Questions } from '@/tools/Questions'
import { Announcer } from './Announcer'
import { ChatHead } from './ChatHead'
import { EmptyChat, EmptyIncognito } from './EmptyChat'
import { useTalk, useTitle, Words } from './Talk'

const Pins = part(() => import('./Pins'))
const Welcome = part(() => import('@/welcome/Welcome'))

/** The page of a conversation, or of a new one. */
export function ConversationPage() {
  const talk = useTalk()
  const { id, place, conversation, chat, sending } = talk
  const welcome = useStore((state) => state.route.page === 'new' && state.welcoming && !(state.models?.trial && state.chats.length > 0))
  const asking = useStore(
    (state) => state.route.page === 'new' && ((state.models === null && state.modelsTrouble === null) || (state.welcoming && state.models?.trial === true && state.chatsState === 'loading')),
  )
  useTitle(chat)

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
    <div className={join('@container relative flex h-full flex-col', chat?.incognito && 'moonless')}>
      <ChatHead chat={chat} />
      {id !== null && (conversation?.pinned.length ?? 0) > 0 && (
        <Boundary resetOn={place} fallback={null}>
          <Suspense>
            <Pins chat={id} />
          </Suspense>
        </Boundary>
      )}
      <Words talk={talk} empty={chat?.incognito ? <EmptyIncognito /> : <EmptyChat place={place} />} />
      {id !== null && <Questions key={`questions ${id}`} chat={id} />}
      {!talk.gone && <Composer key={`composer ${place}`} place={place} />}
      {id !== null && <Announcer key={`announcer ${id}`} chat={id} />}
    </div>
  )
}
