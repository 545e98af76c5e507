import { Play, Repeat, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { AnimationInfo } from '@/api/protocol.gen'
import { cue } from '@/body/cues'
import { capital } from '@/design/format'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import { isStill } from '@/design/media'
import { useStore } from '@/store'
import { AddCard, Part } from './Choice'
import { fileOf } from './names'

/** The time that the pointer must rest on a name before its animation plays. */
const DEBOUNCE_MS = 180
/** The time in which a repeated request is ignored: a click follows the focus that it causes. */
const SAME_MS = 400

/** The animations of the avatar. Previews play on this page alone. */
export function AnimationList({ animations }: { animations: AnimationInfo[] }) {
  const { removeAsset } = useStore.getState()
  const { current, play, soon, never } = usePreview()
  return (
    <Part title="Animations" about="Point at a name or press it to see the animation here. Your own animations replace built-in ones of the same name.">
      <ul aria-label="Animations" className="flex flex-wrap gap-2">
        {animations.map((animation) => (
          <li key={animation.name} className="flex min-w-0 items-center rounded-control bg-raised shadow-lit">
            <button
              type="button"
              onClick={() => play(animation.name)}
              onFocus={() => soon(animation.name)}
              onMouseEnter={() => soon(animation.name)}
              onMouseLeave={never}
              onBlur={never}
              className={classNames(
                'flex h-8 min-w-0 items-center gap-2 rounded-control px-3 text-13 transition-colors hover:bg-hover pointer-coarse:h-10',
                current === animation.name ? 'text-text' : 'text-muted',
              )}
            >
              {animation.looped ? <Repeat size={14} className="text-faint" /> : <Play size={14} className={current === animation.name ? 'text-accent' : 'text-faint'} />}
              <span className="truncate">{capital(animation.name)}</span>
              {animation.looped && <span className="sr-only">(loops)</span>}
            </button>
            {!animation.own && (
              <IconButton size="small" label={`Remove ${animation.name}`} onClick={() => void removeAsset('anims', fileOf(animation))}>
                <X size={15} />
              </IconButton>
            )}
          </li>
        ))}
        <li>
          <AddCard label="Add" about="an animation" accept=".vrma,.fbx" note="or drop a .vrma or .fbx here" shape="h-8 px-3 pointer-coarse:h-10" />
        </li>
      </ul>
    </Part>
  )
}

function usePreview() {
  const [current, setCurrent] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const before = useRef({ name: '', at: 0 })
  useEffect(() => () => clearTimeout(timer.current), [])
  const play = (name: string) => {
    clearTimeout(timer.current)
    const now = performance.now()
    if (before.current.name === name && now - before.current.at < SAME_MS) return
    before.current = { name, at: now }
    setCurrent(name)
    cue({ action: 'play', animation: name })
  }
  const soon = (name: string) => {
    clearTimeout(timer.current)
    // With reduced motion, only a click plays an animation.
    if (!isStill()) timer.current = setTimeout(() => play(name), DEBOUNCE_MS)
  }
  return { current, play, soon, never: () => clearTimeout(timer.current) }
}
