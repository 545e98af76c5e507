import { useEffect, useMemo, useState } from 'react'
import { moonAt } from '@/backdrop/moon'
import { isStill } from '@/design/media'
import { PhaseMoon } from '../../PhaseMoon'
import { avatarStateWords, useAvatarState } from '../../avatarState'

/** The duration of a cycle from new moon to new moon, in milliseconds. */
const ROUND_MS = 5200
const FRAME_MS = 40

/** Returns the phase to show: cycling while the model thinks, full while it answers, otherwise tonight's. */
function usePhase(thinking: boolean, answering: boolean): number {
  const tonight = useMemo(() => moonAt(new Date()).phase, [])
  const [turning, setTurning] = useState(0)
  const turns = thinking && !isStill()
  useEffect(() => {
    if (!turns) return
    const began = performance.now()
    const timer = setInterval(() => setTurning(((performance.now() - began) / ROUND_MS) % 1), FRAME_MS)
    return () => clearInterval(timer)
  }, [turns])
  if (turns) return turning
  return answering ? 0.5 : tonight
}

/**
 * A small status indicator: tonight's moon, which waxes and wanes while the model thinks and is full while it
 * answers.
 */
export function Orb() {
  const presence = useAvatarState()
  const phase = usePhase(presence === 'thinking', presence === 'answering')
  return (
    <div className="orb" data-presence={presence}>
      <span className="orb-halo" style={{ opacity: 0.25 + 0.75 * Math.sin(Math.PI * phase) }} aria-hidden="true" />
      <PhaseMoon phase={phase} size={120} className="orb-moon" />
      <p className="sr-only">{avatarStateWords(presence)}</p>
    </div>
  )
}
