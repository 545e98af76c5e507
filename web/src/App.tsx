import { lazy, Suspense } from 'react'
import { TooltipProvider } from '@/design/Tooltip'
import { Shell } from '@/shell/Shell'
import { useStore } from '@/store'

const LoginPage = lazy(() => import('@/login/LoginPage'))
const nothing = <div className="moonlit h-full" aria-busy="true" />

export function App() {
  const session = useStore((state) => state.session)
  return (
    <TooltipProvider>
      {session === 'in' ? <Shell /> : session === 'asking' ? nothing : <Suspense fallback={nothing}><LoginPage /></Suspense>}
    </TooltipProvider>
  )
}
