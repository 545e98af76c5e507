import { Suspense, useEffect } from 'react'
import type { Framing } from '@/avatar/Avatar'
import Backdrop from '@/backdrop/Backdrop'
import { Boundary } from '@/design/Boundary'
import { lazyPart } from '@/design/lazyPart'
import { useStore } from '@/store'

const Avatar = lazyPart(() => import('@/avatar/Avatar'))

/** The avatar and its background. It stays mounted when the view around it changes. */
export function AvatarStage({ framing }: { framing: Framing }) {
  useEffect(() => {
    const { body, refreshBody } = useStore.getState()
    if (body === null) void refreshBody()
  }, [])
  return (
    <div className="stage" data-framing={framing}>
      <Backdrop className="stage-layer" />
      {/* The view also works without the avatar. */}
      <Boundary fallback={null}>
        <Suspense>
          <Avatar framing={framing} className="stage-layer" />
        </Suspense>
      </Boundary>
    </div>
  )
}
