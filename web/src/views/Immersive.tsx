import './views.css'
import { Suspense } from 'react'
import { reducesEffects } from '@/body/slice'
import { Announcer } from '@/chat/Announcer'
import { useOpenChat, useTabTitle } from '@/chat/OpenChat'
import { Boundary } from '@/design/Boundary'
import { Broken } from '@/design/Broken'
import { lazyPart } from '@/design/lazyPart'
import { useStore } from '@/store'
import { useBackgroundKind } from './useBackgroundKind'
import { useEscapeToDev } from './escape'
import { AvatarStage } from './AvatarStage'

const UserView = lazyPart(() => import('./user/UserView'))
const LunaView = lazyPart(() => import('./luna/LunaView'))

/** The full-screen views with the avatar. */
export default function Immersive() {
  const view = useStore((state) => state.view)
  const plain = useStore(reducesEffects)
  const behind = useBackgroundKind()
  const chat = useOpenChat()
  useTabTitle(chat.summary)
  useEscapeToDev()
  return (
    <main
      id="content"
      tabIndex={-1}
      className="immersive relative min-h-0 flex-1 overflow-clip outline-none"
      data-view={view}
      data-behind={behind}
      data-plain={plain || undefined}
    >
      <AvatarStage framing={view === 'luna' ? 'full' : 'bust'} />
      <Boundary resetOn={view} fallback={<Broken />}>
        <Suspense>{view === 'luna' ? <LunaView chat={chat} /> : <UserView chat={chat} />}</Suspense>
      </Boundary>
      {chat.id !== null && <Announcer key={chat.id} chat={chat.id} />}
    </main>
  )
}
