import { Activity } from '@/chat/HerMessage'
import type { Talk } from '@/chat/Talk'
import { join } from '@/design/join'
import { useStore } from '@/store'
import { useCaption } from './useCaption'

/** What she says, a sentence at a time, in a place that keeps its size. The whole of it is in the history. */
export function Captions({ talk, resting, onGlass = false }: { talk: Talk; resting?: string; onGlass?: boolean }) {
  const { id, place } = talk
  const live = useStore((state) => (id === null ? undefined : state.live[id]))
  const waiting = useStore((state) => state.outgoing[place] !== undefined && !state.outgoing[place]?.trouble)
  const caption = useCaption(talk)
  // What she said before does not stand for what she is about to say.
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
