import { Button } from '@/design/Button'

interface Props {
  /** What it is a change of. */
  name: string
  onResume: () => void
  onDrop: () => void
}

/** A change that somebody left in the middle. */
export function Begun({ name, onResume, onDrop }: Props) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 ps-11 pe-3 pb-2.5 text-13 text-muted">
      <span className="min-w-0 wrap-anywhere">You began to change this.</span>
      <span>
        <Button look="quiet" className="h-7 text-text" aria-label={`Go on changing: ${name}`} onClick={onResume}>
          Go on
        </Button>
        <Button look="quiet" className="h-7" aria-label={`Drop the change: ${name}`} onClick={onDrop}>
          Drop it
        </Button>
      </span>
    </p>
  )
}
