import { Check, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/design/Button'
import { bytes } from '@/design/format'
import { IconButton } from '@/design/IconButton'
import { useStore } from '@/store'

interface Props {
  name: string
  title: string
  current: boolean
  /** True if it was chosen but does not work. */
  failed: boolean
  /** The space in bytes that deleting it would free; null if it is not Perigee's to delete. */
  size: number | null
}

/** The actions for an installed model: use it, or delete it after a confirmation. */
export function ModelActions({ name, title, current, failed, size }: Props) {
  const choosing = useStore((state) => state.chosenModel)
  const { chooseModel, deleteModel } = useStore.getState()
  const [asking, setAsking] = useState(false)
  if (current) {
    return (
      <span className="flex h-8 items-center gap-1.5 text-13 text-ok">
        <Check size={15} /> In use
      </span>
    )
  }
  if (asking && size !== null) {
    return (
      <div className="flex gap-1">
        <Button variant="danger" autoFocus onClick={() => void deleteModel(name)}>
          Delete {bytes(size)}
        </Button>
        <Button variant="quiet" onClick={() => setAsking(false)}>
          Keep
        </Button>
      </div>
    )
  }
  return (
    <div className="flex gap-1">
      {size !== null && (
        <IconButton label={`Delete ${title}`} onClick={() => setAsking(true)}>
          <Trash2 size={15} />
        </IconButton>
      )}
      <Button disabled={choosing !== null} onClick={() => void chooseModel(name)}>
        {choosing === name ? 'Loading…' : failed ? 'Try again' : 'Use'}
      </Button>
    </div>
  )
}
