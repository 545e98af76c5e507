import { Suspense } from 'react'
import { Boundary, useRetry } from '@/design/Boundary'
import { Button } from '@/design/Button'
import { lazyPart } from '@/design/lazyPart'
import type { CommandProps } from './command'

const Opened = lazyPart(() => import('./Opened'))

const TALL = new Set(['map', 'scene'])

/** The content that a command shows. Whatever the payload contains, the page around it keeps working. */
export function CommandView(props: CommandProps) {
  return (
    <Boundary fallback={<Lost />} resetOn={props.payload}>
      <Suspense fallback={<Loading tall={TALL.has(props.action)} />}>
        <Opened {...props} />
      </Suspense>
    </Boundary>
  )
}

/** A placeholder with the most likely height of the content. */
function Loading({ tall }: { tall: boolean }) {
  return <div role="status" aria-label="Opening" className={`rounded-panel bg-surface shadow-lit ${tall ? 'h-[25.25rem]' : 'h-28'}`} />
}

function Lost() {
  const retry = useRetry()
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-panel bg-surface px-4 py-3 text-13 text-muted shadow-lit">
      <p>This could not be drawn. The conversation is kept.</p>
      <Button variant="quiet" className="h-7 text-text" onClick={retry}>
        Try again
      </Button>
    </div>
  )
}
