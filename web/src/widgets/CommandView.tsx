import { Suspense } from 'react'
import { Boundary, useRetry } from '@/design/Boundary'
import { Button } from '@/design/Button'
import { part } from '@/design/part'

export interface CommandProps {
  /** The id of the tool call. */
  id: string
  /** The name of the tool. */
  action: string
  /** The data written by the model, unchecked. */
  payload: unknown
  pinned?: boolean
  onPin?: (pinned: boolean) => void
  /**
   * Runs a tool for a button, through the gate. The result is the next payload; the promise resolves once it
   * has arrived or will not come.
   */
  onRun?: (tool: string, args: Record<string, unknown>) => Promise<void>
}

const Opened = part(() => import('./Opened'))

const TALL = new Set(['map', 'scene'])
const SHOWN = new Set(['widget', 'map', 'scene', 'spotify', 'web_search', 'web_fetch', 'web_research', 'weather', 'notify', 'open', 'pictures'])

/** Returns true if a command of this tool shows something on the screen. */
export function opensSomething(action: string): boolean {
  return SHOWN.has(action)
}

/** The content that a command shows. Whatever the payload contains, the page around it keeps working. */
export function CommandView(props: CommandProps) {
  return (
    <Boundary fallback={<Lost />} resetOn={props.payload}>
      <Suspense fallback={<Coming tall={TALL.has(props.action)} />}>
        <Opened {...props} />
      </Suspense>
    </Boundary>
  )
}

/** A placeholder with the most likely height of the content. */
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
