import { lastOf } from '@/chat/conversation'
import type { Talk } from '@/chat/Talk'
import { isTroubled } from '@/chat/words'
import { Button } from '@/design/Button'
import { useNoModel } from '@/models/NoModel'
import { useStore } from '@/store'

/** A notice of a failure, which a caption cannot show. */
export function Trouble({ talk, onShow }: { talk: Talk; onShow: () => void }) {
  const unsent = useStore((state) => state.outgoing[talk.place]?.trouble != null)
  const last = lastOf(talk.conversation?.messages ?? [], 'assistant')
  const name = useStore((state) => state.herName)
  const missing = useNoModel()
  // The main button opens the list of models in this case.
  if (missing) return <Note words={missing === 'none' ? `${name} needs a model before she can answer.` : 'The model is not working.'} />
  if (unsent) return <Note words="Your message could not be sent. It is kept." action="See why" onAct={onShow} />
  if (talk.conversation?.state === 'failed' && !talk.sending) return <Note words={talk.gone ? 'This conversation is gone.' : 'This conversation could not be opened.'} action="See why" onAct={onShow} />
  if (last && !talk.sending && isTroubled(last)) return <Note words="There was no answer." action="See why" onAct={onShow} />
  return null
}

function Note({ words, action, onAct }: { words: string; action?: string; onAct?: () => void }) {
  return (
    <div role="status" className="face-note glass">
      <span>{words}</span>
      {action && (
        <Button look="quiet" className="text-accent-text" onClick={onAct}>
          {action}
        </Button>
      )}
    </div>
  )
}
