import { Button } from '@/design/Button'

interface Props {
  /** The item to which the change belongs. */
  name: string
  onResume: () => void
  onDrop: () => void
}

/** A notice of an unsaved change, with buttons to continue or discard it. */
export function UnsavedChange({ name, onResume, onDrop }: Props) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 ps-11 pe-3 pb-2.5 text-13 text-muted">
      <span className="min-w-0 wrap-anywhere">You have an unsaved change.</span>
      <span>
        <Button variant="quiet" className="h-7 text-text" aria-label={`Continue editing: ${name}`} onClick={onResume}>
          Continue
        </Button>
        <Button variant="quiet" className="h-7" aria-label={`Discard the change: ${name}`} onClick={onDrop}>
          Discard
        </Button>
      </span>
    </p>
  )
}
