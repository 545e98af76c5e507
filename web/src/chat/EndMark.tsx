import { ArrowRight, RefreshCw } from 'lucide-react'
import { sentence } from '@/api/http'
import type { ConversationId, ErrorCode, Message } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { BacktickText } from '@/design/BacktickText'
import { useNoModel } from '@/models/NoModel'
import { useStore } from '@/store'
import { endMark, isTroubled, saysNothing } from './wording'

interface Props {
  chat: ConversationId
  message: Message
  last: boolean
}

/** The reason why a reply did not end normally, and the available actions. */
export function EndMark({ chat, message, last }: Props) {
  const regenerate = useStore((state) => state.regenerate)
  if (isTroubled(message)) {
    return (
      <Trouble
        message={sentence(message.error ?? 'The answer failed. Your message is kept.')}
        code={message.errorCode}
        last={last}
        onRetry={() => void regenerate(chat, message.id)}
      />
    )
  }
  if (saysNothing(message)) {
    return <Trouble message={`${useStore.getState().companionName} gave no answer. Try again, or put it in other words.`} code={null} onRetry={() => void regenerate(chat, message.id)} />
  }
  // A reply that was still streaming when the program ended has no stop reason.
  const mark = endMark(message.stopReason ?? (message.status === 'partial' || message.status === 'streaming' ? 'cut' : null))
  if (mark === null) return null
  const broke = message.stopReason === 'cut' || message.stopReason === null
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-13 text-faint">
      <span>{mark}</span>
      {last && broke && (
        <Button variant="raised" className="h-7" icon={<RefreshCw size={14} />} onClick={() => void regenerate(chat, message.id)}>
          Try again
        </Button>
      )}
      {last && message.stopReason === 'length' && (
        <Button
          variant="raised"
          className="h-7"
          icon={<ArrowRight size={14} />}
          onClick={() => void useStore.getState().send(chat, { text: 'Please go on from where you stopped.', files: [] })}
        >
          Continue
        </Button>
      )}
    </div>
  )
}

interface TroubleProps {
  message: string
  code: ErrorCode | 'offline' | 'nonsense' | null
  /** True if it belongs to the latest message: only there is an action emphasised. */
  last?: boolean
  onRetry: () => void
  onDiscard?: () => void
}

const MODEL_CODES = new Set(['noModel', 'modelUnreachable', 'modelFailed'])

/** The error codes after which a retry is futile as long as no model works. */
const WITHOUT_MODEL = new Set(['noModel', 'modelFailed'])

/** A failure with the server's message and the available actions. */
export function Trouble({ message, code, last = true, onRetry, onDiscard }: TroubleProps) {
  const { show, go } = useStore.getState()
  const missing = useNoModel() !== null
  const choosingFirst = last && missing && code !== null && WITHOUT_MODEL.has(code)
  const chooseModel = () => show({ kind: 'models' })
  return (
    <div role="alert" className="mt-2 max-w-(--measure) rounded-card bg-[color-mix(in_oklab,var(--danger)_9%,transparent)] px-4 py-3">
      <p className="text-15 wrap-anywhere" dir="auto">
        <BacktickText text={message} />
      </p>
      <div className="mt-2.5 flex flex-wrap gap-2">
        {choosingFirst && (
          <Button variant="primary" onClick={chooseModel}>
            Choose a model
          </Button>
        )}
        <Button variant={choosingFirst ? 'quiet' : 'raised'} icon={<RefreshCw size={14} />} onClick={onRetry}>
          Try again
        </Button>
        {!choosingFirst && code !== null && MODEL_CODES.has(code) && (
          <Button variant="quiet" onClick={chooseModel}>
            Choose a model
          </Button>
        )}
        {code === 'contextFull' && (
          <Button variant="quiet" onClick={() => go({ page: 'new' })}>
            Start a new chat
          </Button>
        )}
        {onDiscard && (
          <Button variant="quiet" onClick={onDiscard}>
            Edit the message
          </Button>
        )}
      </div>
    </div>
  )
}
