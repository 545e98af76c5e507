import { Activity } from '@/chat/HerMessage'
import type { Talk } from '@/chat/Talk'
import { join } from '@/design/join'
import { useStore } from '@/store'
import { useCaption } from './useCaption'

/**
 * The reply as captions, one sentence at a time, in an area of constant size. The complete text is in the
 * history.
 */
export function Captions({ talk, resting, onGlass = false }: { talk: Talk; resting?: string; onGlass?: boolean }) {
  const { id, place } = talk
  const live = useStore((state) => (id === null ? undefined : state.live[id]))
  const waiting = useStore((state) => state.outgoing[place] !== undefined && !state.outgoing[place]?.trouble)
  const caption = useCaption(talk)
  // The previous reply is not shown while the next one is awaited.
  const over = waiting || live?.messageId === null
  const text = over ? '' : (caption?.text ?? (live ? '' : (resting ?? '')))
  return (
    <div className="captions" data-testid="captions">
      {text !== '' && (
        <p key={caption?.key ?? 'resting'} dir="auto" className={join('caption', onGlass && 'glass')}>
          {text}
        </p>
      )}
      {live && (text === '' || live.phase !== 'writing') && (
        <div className={join('captions-doing', onGlass && 'glass')}>
          <Activity live={live} moon />
        </div>
      )}
    </div>
  )
}
