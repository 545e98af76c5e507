import './views.css'
import { Suspense } from 'react'
import { isPlain } from '@/body/slice'
import { Announcer } from '@/chat/Announcer'
import { useTalk, useTitle } from '@/chat/Talk'
import { Boundary } from '@/design/Boundary'
import { Broken } from '@/design/Broken'
import { part } from '@/design/part'
import { useStore } from '@/store'
import { useBehind } from './behind'
import { useEscapeToDesk } from './escape'
import { Stage } from './Stage'

const UserView = part(() => import('./user/UserView'))
const LunaView = part(() => import('./luna/LunaView'))

/** The full-screen views with the avatar. */
export default function Immersive() {
  const view = useStore((state) => state.view)
  const plain = useStore(isPlain)
  const behind = useBehind()
  const talk = useTalk()
  useTitle(talk.chat)
  useEscapeToDesk()
  return (
    <main
      id="content"
      tabIndex={-1}
      className="immersive relative min-h-0 flex-1 overflow-clip outline-none"
      data-view={view}
      data-behind={behind}
      data-plain={plain || undefined}
    >
      <Stage framing={view === 'luna' ? 'full' : 'bust'} />
      <Boundary resetOn={view} fallback={<Broken />}>
        <Suspense>{view === 'luna' ? <LunaView talk={talk} /> : <UserView talk={talk} />}</Suspense>
      </Boundary>
      {talk.id !== null && <Announcer key={talk.id} chat={talk.id} />}
    </main>
  )
}
