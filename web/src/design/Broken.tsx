import { useRetry } from './Boundary'
import { Button } from './Button'
import { Dialog } from './Dialog'
import { FailureMessage } from './Sorry'

const TITLE = 'This part did not load'
const WORDS =
  'Perigee may have stopped, or been upgraded since this page was opened. What you typed is kept. Make sure that it runs, then try again; after an upgrade, reload the page.'

function WaysOn() {
  const retry = useRetry()
  return (
    <>
      <Button variant="raised" onClick={retry}>
        Try again
      </Button>
      <Button variant="quiet" onClick={() => window.location.reload()}>
        Reload
      </Button>
    </>
  )
}

/** The fallback for a page, or a part of it, that could not be loaded or rendered. */
export function Broken() {
  return (
    <div className="flex h-full min-h-0 flex-1 flex-col">
      <FailureMessage title={TITLE} text={WORDS}>
        <WaysOn />
      </FailureMessage>
    </div>
  )
}

/** The same for content over the page or beside it. */
export function BrokenNote({ onClose }: { onClose: () => void }) {
  return (
    <>
      <p role="alert" className="text-15 text-muted">
        {WORDS}
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <WaysOn />
        <Button variant="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
    </>
  )
}

export function BrokenDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={TITLE} onClose={onClose}>
      <div className="px-5 pb-5">
        <BrokenNote onClose={onClose} />
      </div>
    </Dialog>
  )
}
