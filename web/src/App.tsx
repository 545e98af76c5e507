import { Suspense, useEffect } from 'react'
import { Boundary, retryFailed } from '@/design/Boundary'
import { Broken } from '@/design/Broken'
import { lazyPart } from '@/design/lazyPart'
import { TooltipProvider } from '@/design/Tooltip'
import { OnlineMap } from '@/map/online'
import { Shell } from '@/shell/Shell'
import { useStore } from '@/store'

const LoginPage = lazyPart(() => import('@/login/LoginPage'))
const nothing = <div className="moonlit h-full" aria-busy="true" />
const broken = (
  <main className="moonlit h-full">
    <Broken />
  </main>
)

export function App() {
  const session = useStore((state) => state.session)
  const mapOnline = useStore((state) => state.mapOnline)
  const online = useStore((state) => state.connection.open)
  // Parts that failed to load may be available again.
  useEffect(() => {
    if (online) retryFailed()
  }, [online])
  return (
    <TooltipProvider>
      <Boundary resetOn={session} fallback={broken}>
        <OnlineMap value={mapOnline}>
          {session === 'in' ? <Shell /> : session === 'asking' ? nothing : <Suspense fallback={nothing}><LoginPage /></Suspense>}
        </OnlineMap>
      </Boundary>
    </TooltipProvider>
  )
}
