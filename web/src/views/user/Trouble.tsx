import { lastOf } from '@/chat/conversation'
import type { OpenChat } from '@/chat/OpenChat'
import { isTroubled } from '@/chat/wording'
import { Button } from '@/design/Button'
import { useNoModel } from '@/models/NoModel'
import { useStore } from '@/store'

/** A notice of a failure, which a caption cannot show. */
export function ConversationTrouble({ chat, onShow }: { chat: OpenChat; onShow: () => void }) {
  const unsent = useStore((state) => state.outgoing[chat.draftKey]?.trouble != null)
  const last = lastOf(chat.conversation?.messages ?? [], 'assistant')
  const name = useStore((state) => state.companionName)
  const missing = useNoModel()
  // The main button opens the list of models in this case.
  if (missing) return <Note text={missing === 'none' ? `${name} needs a model before she can answer.` : 'The model is not working.'} />
  if (unsent) return <Note text="Your message could not be sent. It is kept." action="See why" onAct={onShow} />
  if (chat.conversation?.state === 'failed' && !chat.sending) return <Note text={chat.gone ? 'This conversation is gone.' : 'This conversation could not be opened.'} action="See why" onAct={onShow} />
  if (last && !chat.sending && isTroubled(last)) return <Note text="There was no answer." action="See why" onAct={onShow} />
  return null
}

function Note({ text, action, onAct }: { text: string; action?: string; onAct?: () => void }) {
  return (
    <div role="status" className="face-note glass">
      <span>{text}</span>
      {action && (
        <Button variant="quiet" className="text-accent-text" onClick={onAct}>
          {action}
        </Button>
      )}
    </div>
  )
}
