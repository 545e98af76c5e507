import { PenLine, Square } from 'lucide-react'
import type { Talk } from '@/chat/Talk'
import { join } from '@/design/join'
import { useStore } from '@/store'
import { usePresence } from '../presence'

/** The one thing to press: it begins what one wants to say, and stops what she says. */
export function Control({ talk: { place, sending, gone }, onGlass, onWrite }: { talk: Talk; onGlass: boolean; onWrite: () => void }) {
  const name = useStore((state) => state.herName)
  const answering = useStore((state) => state.live[place] !== undefined)
  const stopping = useStore((state) => state.live[place]?.stopping ?? false)
  const presence = usePresence()
  const { stop, go } = useStore.getState()
  const busy = answering || (sending && presence !== 'idle')
  const words = busy ? (stopping ? 'Stopping' : 'Stop') : gone ? 'New chat' : `Write to ${name}`
  const press = () => {
    if (busy) void stop(place)
    else if (gone) go({ page: 'new' })
    else onWrite()
  }
  return (
    <div className="control" data-presence={presence}>
      <button type="button" id="face-control" aria-label={words} aria-disabled={stopping || (busy && !answering)} onClick={press} className="control-moon">
        {busy ? <Square size={20} fill="currentColor" strokeWidth={0} /> : <PenLine size={26} />}
      </button>
      <p aria-hidden="true" className={join('control-words', onGlass && 'glass')}>
        {words}
      </p>
    </div>
  )
}
