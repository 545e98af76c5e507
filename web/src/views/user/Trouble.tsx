import { lastOf } from '@/chat/conversation'
import type { Talk } from '@/chat/Talk'
import { isTroubled } from '@/chat/words'
import { Button } from '@/design/Button'
import { useStore } from '@/store'

/** What cannot be said in a caption: that something went wrong. */
export function Trouble({ talk, onShow }: { talk: Talk; onShow: () => void }) {
  const unsent = useStore((state) => state.outgoing[talk.place]?.trouble != null)
  const last = lastOf(talk.conversation?.messages ?? [], 'assistant')
  const none = useStore((state) => state.models?.current.state === 'none' || state.models?.current.state === 'failed')
  const { show } = useStore.getState()
  if (none) return <Note words="Nothing answers yet." action="Choose a model" onAct={() => show({ kind: 'models' })} />
  if (unsent) return <Note words="Your message did not get through. It is kept." action="See why" onAct={onShow} />
  if (talk.conversation?.state === 'failed' && !talk.sending) return <Note words={talk.gone ? 'This conversation is gone.' : 'This conversation does not open.'} action="See why" onAct={onShow} />
  if (last && !talk.sending && isTroubled(last)) return <Note words="Her answer did not come through." action="See why" onAct={onShow} />
  return null
}

function Note({ words, action, onAct }: { words: string; action: string; onAct: () => void }) {
  return (
    <div role="status" className="face-note glass">
      <span>{words}</span>
      <Button look="quiet" className="text-accent-text" onClick={onAct}>
        {action}
      </Button>
    </div>
  )
}
