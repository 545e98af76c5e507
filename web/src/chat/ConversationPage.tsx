import { type DragEvent, Suspense, useState } from 'react'
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

/** A conversation, or the place where one begins. */
export function ConversationPage() {
  const talk = useTalk()
  const { id, place, conversation, chat, sending } = talk
  const welcome = useStore((state) => state.route.page === 'new' && state.welcoming)
  const asking = useStore((state) => state.route.page === 'new' && state.models === null && state.modelsTrouble === null)
  useTitle(chat)

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
  return (
    <DropTarget place={place} dim={chat?.incognito ?? false}>
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
    </DropTarget>
  )
}

/** Files may be dropped anywhere on the conversation. */
function DropTarget({ place, dim, children }: { place: string; dim: boolean; children: React.ReactNode }) {
  const [over, setOver] = useState(0)
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  return (
    <div
      className={join('@container relative flex h-full flex-col', dim && 'moonless')}
      onDragEnter={(event) => hasFiles(event) && setOver((depth) => depth + 1)}
      onDragLeave={(event) => hasFiles(event) && setOver((depth) => Math.max(0, depth - 1))}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(0)
        void useStore.getState().addFiles(place, [...event.dataTransfer.files])
        useStore.getState().callComposer()
      }}
    >
      {children}
      {over > 0 && (
        <div className="pointer-events-none absolute inset-3 z-20 grid animate-appear place-items-center rounded-panel bg-[color-mix(in_oklab,var(--ground)_80%,transparent)] outline-2 outline-dashed outline-blue">
          <p className="display text-22">Let go to show it to her</p>
        </div>
      )}
    </div>
  )
}
