import { useEffect, useState } from 'react'
import { join } from '@/design/join'
import { recall, remember } from '@/shell/storage'
import { useStore } from '@/store'

const KEY = 'bare-hint'
const HINT_MS = 4000
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock'])

/**
 * Returns true if only the avatar is shown. Any key or touch shows the rest again, and so does a confirmation
 * request.
 */
export function useBare(asked: boolean): boolean {
  const bare = useStore((state) => state.bare)
  const { setBare } = useStore.getState()
  useEffect(() => {
    if (asked) setBare(false)
  }, [asked, setBare])
  // Returning from another view shows everything.
  useEffect(() => () => setBare(false), [setBare])
  useEffect(() => {
    if (!bare) return
    const back = (event: KeyboardEvent | PointerEvent) => {
      if (event instanceof KeyboardEvent) {
        if (MODIFIERS.has(event.key)) return
        // A plain key does only this; a shortcut still takes effect.
        if (!event.ctrlKey && !event.metaKey && !event.altKey) {
          event.preventDefault()
          event.stopImmediatePropagation()
        }
      }
      setBare(false)
    }
    window.addEventListener('keydown', back, true)
    window.addEventListener('pointerdown', back, true)
    return () => {
      window.removeEventListener('keydown', back, true)
      window.removeEventListener('pointerdown', back, true)
    }
  }, [bare, setBare])
  return bare
}

/** The hint on how to return, shown once per device. */
export function BareHint({ shown }: { shown: boolean }) {
  const [hint, setHint] = useState(false)
  useEffect(() => {
    if (!shown || recall(KEY) !== null) return
    remember(KEY, 'seen')
    setHint(true)
    const timer = setTimeout(() => setHint(false), HINT_MS)
    return () => {
      clearTimeout(timer)
      setHint(false)
    }
  }, [shown])
  const words = shown && hint ? 'Press any key to show everything.' : ''
  return (
    <p role="status" className={join('bare-hint', words !== '' && 'glass')}>
      {words}
    </p>
  )
}
