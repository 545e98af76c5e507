import { X } from 'lucide-react'
import { Button } from '@/design/Button'
import { Dialog } from '@/design/Dialog'
import { IconButton } from '@/design/IconButton'
import { Progress } from '@/design/Progress'
import { useStore } from '@/store'
import { stem } from './recognise'

/** Uploads that take a while, and the question about a name that is taken. */
export function PendingUploads() {
  const arrivals = useStore((state) => state.pendingUploads)
  const taken = useStore((state) => state.nameTaken)
  return (
    <>
      <div role="status" className="pointer-events-none fixed inset-x-4 bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-40 flex flex-col items-center gap-2">
        {arrivals.map(({ id, filename, part, stop }) => (
          <div key={id} className="pointer-events-auto flex w-full max-w-sm animate-rise items-center gap-3 rounded-card bg-raised py-2.5 ps-4 pe-2 text-13 shadow-float">
            <div className="min-w-0 flex-1">
              <p className="truncate">
                {part < 1 ? 'Adding' : 'Saving'} “{filename}”
              </p>
              <div className="mt-1.5">
                <Progress part={part < 1 ? part : null} label={`Upload progress of ${filename}`} />
              </div>
            </div>
            <IconButton size="small" label={`Stop adding ${filename}`} onClick={stop}>
              <X size={15} />
            </IconButton>
          </div>
        ))}
      </div>
      {taken && (
        <Dialog title={`“${taken.kind === 'anims' ? stem(taken.filename) : taken.filename}” already exists`} onClose={() => taken.answer('none')} width="sm:w-[27rem]">
          <div className="px-5 pb-5">
            <p className="text-15 text-muted">
              {taken.own
                ? 'There is a built-in animation with this name. Your file can be played instead of it, or added under a numbered name.'
                : 'Your file can replace it, or be added under a numbered name. A replaced file cannot be restored.'}
            </p>
            <div className="mt-5 flex flex-wrap justify-end gap-2">
              <Button variant="quiet" onClick={() => taken.answer('none')}>
                Cancel
              </Button>
              <Button onClick={() => taken.answer('replace')}>{taken.own ? 'Play mine instead' : 'Replace it'}</Button>
              <Button variant="primary" autoFocus onClick={() => taken.answer('both')}>
                Keep both
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  )
}
