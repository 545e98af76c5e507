import { Activity } from '@/chat/AssistantMessage'
import type { OpenChat } from '@/chat/OpenChat'
import { classNames } from '@/design/classNames'
import { useStore } from '@/store'
import { useCaption } from './useCaption'

/**
 * The reply as captions, one sentence at a time, in an area of constant size. The complete text is in the
 * history.
 */
export function Captions({ chat, resting, onGlass = false }: { chat: OpenChat; resting?: string; onGlass?: boolean }) {
  const { id, draftKey } = chat
  const live = useStore((state) => (id === null ? undefined : state.live[id]))
  const waiting = useStore((state) => state.outgoing[draftKey] !== undefined && !state.outgoing[draftKey]?.trouble)
  const caption = useCaption(chat)
  // The previous reply is not shown while the next one is awaited.
  const over = waiting || live?.messageId === null
  const text = over ? '' : (caption?.text ?? (live ? '' : (resting ?? '')))
  return (
    <div className="captions" data-testid="captions">
      {text !== '' && (
        <p key={caption?.key ?? 'resting'} dir="auto" className={classNames('caption', onGlass && 'glass')}>
          {text}
        </p>
      )}
      {live && (text === '' || live.phase !== 'writing') && (
        <div className={classNames('captions-doing', onGlass && 'glass')}>
          <Activity live={live} moon />
        </div>
      )}
    </div>
  )
}
