import { Suspense, useEffect } from 'react'
import type { Framing } from '@/avatar/Avatar'
import Backdrop from '@/backdrop/Backdrop'
import { Boundary } from '@/design/Boundary'
import { part } from '@/design/part'
import { useStore } from '@/store'

const Avatar = part(() => import('@/avatar/Avatar'))

/** She, and what is behind her. It stays as it is when the view around her changes. */
export function Stage({ framing }: { framing: Framing }) {
  useEffect(() => {
    const { body, refreshBody } = useStore.getState()
    if (body === null) void refreshBody()
  }, [])
  return (
    <div className="stage" data-framing={framing}>
      <Backdrop className="stage-layer" />
      {/* Without her body the view is still hers. */}
      <Boundary fallback={null}>
        <Suspense>
          <Avatar framing={framing} className="stage-layer" />
        </Suspense>
      </Boundary>
    </div>
  )
}
