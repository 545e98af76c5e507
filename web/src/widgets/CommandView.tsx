import { Suspense } from 'react'
import { Boundary, useRetry } from '@/design/Boundary'
import { Button } from '@/design/Button'
import { part } from '@/design/part'

export interface CommandProps {
  /** The act's id. */
  id: string
  /** The tool's name. */
  action: string
  /** Written by a model: anything may be in it. */
  payload: unknown
  pinned?: boolean
  onPin?: (pinned: boolean) => void
  /** How buttons act: through the gate. What comes of it is the next payload; the promise is kept once that is here, or will not come. */
  onRun?: (tool: string, args: Record<string, unknown>) => Promise<void>
}

const Opened = part(() => import('./Opened'))

const TALL = new Set(['map', 'scene'])
const SHOWN = new Set(['widget', 'map', 'scene', 'spotify', 'web_search', 'web_fetch', 'web_research', 'weather', 'notify', 'open', 'pictures'])

/** Whether a command of this tool puts something on the screen. */
export function opensSomething(action: string): boolean {
  return SHOWN.has(action)
}

/** What a command puts on the screen. Whatever is in it, the page around it stands. */
export function CommandView(props: CommandProps) {
  return (
    <Boundary fallback={<Lost />} resetOn={props.payload}>
      <Suspense fallback={<Coming tall={TALL.has(props.action)} />}>
        <Opened {...props} />
      </Suspense>
    </Boundary>
  )
}

/** As high as what will most likely stand here. */
function Coming({ tall }: { tall: boolean }) {
  return <div role="status" aria-label="Opening" className={`rounded-panel bg-surface shadow-lit ${tall ? 'h-[25.25rem]' : 'h-28'}`} />
}

function Lost() {
  const retry = useRetry()
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-panel bg-surface px-4 py-3 text-13 text-muted shadow-lit">
      <p>This could not be drawn. The conversation is kept.</p>
      <Button look="quiet" className="h-7 text-text" onClick={retry}>
        Try again
      </Button>
    </div>
  )
}
