import { BrainCircuit, PenLine, Square } from 'lucide-react'
import type { Talk } from '@/chat/Talk'
import { join } from '@/design/join'
import { useNoModel } from '@/models/NoModel'
import { useStore } from '@/store'
import { usePresence } from '../presence'

/** The main button: it opens the composer, and stops a running reply. */
export function Control({ talk: { place, sending, gone }, onGlass, onWrite }: { talk: Talk; onGlass: boolean; onWrite: () => void }) {
  const name = useStore((state) => state.herName)
  const answering = useStore((state) => state.live[place] !== undefined)
  const stopping = useStore((state) => state.live[place]?.stopping ?? false)
  const presence = usePresence()
  const { stop, go, show } = useStore.getState()
  const missing = useNoModel() !== null
  const busy = answering || (sending && presence !== 'idle')
  const words = busy ? (stopping ? 'Stopping' : 'Stop') : gone ? 'New chat' : missing ? 'Choose a model' : `Write to ${name}`
  const press = () => {
    if (busy) void stop(place)
    else if (gone) go({ page: 'new' })
    else if (missing) show({ kind: 'models' })
    else onWrite()
  }
  return (
    <button type="button" id="face-control" aria-disabled={stopping || (busy && !answering)} onClick={press} className="control" data-presence={presence}>
      <span aria-hidden="true" className="control-moon">
        {busy ? <Square size={20} fill="currentColor" strokeWidth={0} /> : missing ? <BrainCircuit size={28} /> : <PenLine size={26} />}
      </span>
      <span className={join('control-words', onGlass && 'glass')}>{words}</span>
    </button>
  )
}
