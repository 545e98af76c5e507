import './views.css'
import { Suspense, useLayoutEffect } from 'react'
import { isPlain } from '@/body/slice'
import { Announcer } from '@/chat/Announcer'
import { useTalk, useTitle } from '@/chat/Talk'
import { Boundary } from '@/design/Boundary'
import { Broken } from '@/design/Broken'
import { part } from '@/design/part'
import { applyTheme } from '@/shell/slice'
import { useStore } from '@/store'
import { useEscapeToDesk } from './escape'
import { Stage } from './Stage'

const UserView = part(() => import('./user/UserView'))
const LunaView = part(() => import('./luna/LunaView'))

/** It is night on the whole page, so that what is drawn by hand and what lies over it belong to it. The chosen theme comes back with the desk. */
function useNight(): void {
  const theme = useStore((state) => state.theme)
  useLayoutEffect(() => {
    applyTheme('dark')
    return () => applyTheme(theme)
  }, [theme])
}

/** The views that she fills. It is night in them, whatever the theme: they are lit by her. */
export default function Immersive() {
  const view = useStore((state) => state.view)
  const plain = useStore(isPlain)
  const talk = useTalk()
  useTitle(talk.chat)
  useEscapeToDesk()
  useNight()
  return (
    <main id="content" tabIndex={-1} className="immersive relative min-h-0 flex-1 overflow-clip outline-none" data-view={view} data-plain={plain || undefined}>
      <Stage framing={view === 'luna' ? 'full' : 'bust'} />
      <Boundary resetOn={view} fallback={<Broken />}>
        <Suspense>{view === 'luna' ? <LunaView talk={talk} /> : <UserView talk={talk} />}</Suspense>
      </Boundary>
      {talk.id !== null && <Announcer key={talk.id} chat={talk.id} />}
    </main>
  )
}
