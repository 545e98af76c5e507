import { BrainCircuit, PenLine, Square } from 'lucide-react'
import type { OpenChat } from '@/chat/OpenChat'
import { classNames } from '@/design/classNames'
import { useNoModel } from '@/models/NoModel'
import { useStore } from '@/store'
import { useAvatarState } from '../avatarState'

/** The main button: it opens the composer, and stops a running reply. */
export function Control({ chat: { draftKey, sending, gone }, onGlass, onWrite }: { chat: OpenChat; onGlass: boolean; onWrite: () => void }) {
  const name = useStore((state) => state.companionName)
  const answering = useStore((state) => state.live[draftKey] !== undefined)
  const stopping = useStore((state) => state.live[draftKey]?.stopping ?? false)
  const presence = useAvatarState()
  const { stop, go, show } = useStore.getState()
  const missing = useNoModel() !== null
  const busy = answering || (sending && presence !== 'idle')
  const words = busy ? (stopping ? 'Stopping' : 'Stop') : gone ? 'New chat' : missing ? 'Choose a model' : `Write to ${name}`
  const press = () => {
    if (busy) void stop(draftKey)
    else if (gone) go({ page: 'new' })
    else if (missing) show({ kind: 'models' })
    else onWrite()
  }
  return (
    <button type="button" id="face-control" aria-disabled={stopping || (busy && !answering)} onClick={press} className="control" data-presence={presence}>
      <span aria-hidden="true" className="control-moon">
        {busy ? <Square size={20} fill="currentColor" strokeWidth={0} /> : missing ? <BrainCircuit size={28} /> : <PenLine size={26} />}
      </span>
      <span className={classNames('control-words', onGlass && 'glass')}>{words}</span>
    </button>
  )
}
