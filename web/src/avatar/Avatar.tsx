import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '@/design/Button'
import { classNames } from '@/design/classNames'
import { Face, type Mood } from '@/design/Moon'
import type { Framing } from './framing'
import { type AvatarStatus, useAvatar } from './useAvatar'

export type { Framing } from './framing'

interface Props {
  framing: Framing
  className?: string
}

/**
 * The avatar on a transparent canvas. Until it is loaded, or if it cannot be shown, a drawn face takes its
 * container.
 */
export default function Avatar({ framing, className }: Props) {
  const container = useRef<HTMLDivElement>(null)
  const { shown, description, again } = useAvatar(container, framing)
  const drawn = shown.is === 'shown'
  return (
    <div className={className} data-framing={framing} data-avatar={shown.is}>
      {/* The caller chooses the position; the content is laid out from here on. */}
      <div className="relative isolate size-full overflow-hidden">
        <div
          ref={container}
          role="img"
          aria-label={description === '' ? 'Luna' : `Luna, ${description}`}
          className={classNames('absolute inset-0 transition-opacity duration-320 motion-reduce:transition-none', !drawn && 'opacity-0')}
        />
        {!drawn && <StandIn shown={shown} onAgain={again} />}
      </div>
    </div>
  )
}

function StandIn({ shown, onAgain }: { shown: AvatarStatus; onAgain: () => void }) {
  switch (shown.is) {
    case 'loading':
      return <Loading part={shown.part} />
    case 'failed':
      return (
        <Words mood="sorry" action={<Again onAgain={onAgain}>Try again</Again>}>
          Her avatar could not be loaded. {shown.reason}
        </Words>
      )
    case 'lost':
      return (
        <Words mood="sorry" action={<Again onAgain={onAgain}>Draw her again</Again>}>
          The graphics driver stopped drawing her. Nothing else is affected.
        </Words>
      )
    default:
      return <Words mood="calm">This browser does not support WebGL, so her avatar cannot be shown here. Everything else works.</Words>
  }
}

/** The delay before a loading message appears: a load that takes less than a second needs none. */
const WORDS_AFTER_MS = 1000

function Loading({ part }: { part: number | null }) {
  const [long, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), WORDS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Words mood="calm" faint>
      {long && (part === null || part >= 1 ? 'Luna is on her way' : `Luna is on her way: ${Math.round(part * 100)} %`)}
    </Words>
  )
}

function Again({ onAgain, children }: { onAgain: () => void; children: ReactNode }) {
  return <Button onClick={onAgain}>{children}</Button>
}

interface WordsProps {
  mood: Mood
  faint?: boolean
  action?: ReactNode
  children: ReactNode
}

/**
 * A face with a message. In a space as small as a chat header the message is hidden but still read by screen
 * readers.
 */
function Words({ mood, faint = false, action, children }: WordsProps) {
  return (
    <div className="@container-size absolute inset-0">
      <div className="grid size-full place-content-center place-items-center gap-[min(1rem,4cqh)] p-2 text-center @max-[10rem]:p-1">
        <Face size={160} mood={mood} className={classNames('h-auto w-[min(10rem,32cqh,60cqw)] @max-[10rem]:w-[92cqmin]', faint && 'opacity-45')} />
        <p role="status" className="max-w-(--measure) text-13 text-balance text-muted tabular-nums @max-[10rem]:sr-only">
          {children}
        </p>
        {action && <div className="@max-[10rem]:hidden">{action}</div>}
      </div>
    </div>
  )
}
