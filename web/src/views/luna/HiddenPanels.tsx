import { useEffect, useState } from 'react'
import { classNames } from '@/design/classNames'
import { storedValue, storeValue } from '@/shell/storage'
import { useStore } from '@/store'

const KEY = 'bare-hint'
const HINT_MS = 4000
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock'])

/**
 * Returns true if only the avatar is shown. Any key or touch shows the rest again, and so does a confirmation
 * request.
 */
export function usePanelsHidden(asked: boolean): boolean {
  const bare = useStore((state) => state.panelsHidden)
  const { hidePanels } = useStore.getState()
  useEffect(() => {
    if (asked) hidePanels(false)
  }, [asked, hidePanels])
  // Returning from another view shows everything.
  useEffect(() => () => hidePanels(false), [hidePanels])
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
      hidePanels(false)
    }
    window.addEventListener('keydown', back, true)
    window.addEventListener('pointerdown', back, true)
    return () => {
      window.removeEventListener('keydown', back, true)
      window.removeEventListener('pointerdown', back, true)
    }
  }, [bare, hidePanels])
  return bare
}

/** The hint on how to return, shown once per device. */
export function HiddenPanelsHint({ shown }: { shown: boolean }) {
  const [hint, setHint] = useState(false)
  useEffect(() => {
    if (!shown || storedValue(KEY) !== null) return
    storeValue(KEY, 'seen')
    setHint(true)
    const timer = setTimeout(() => setHint(false), HINT_MS)
    return () => {
      clearTimeout(timer)
      setHint(false)
    }
  }, [shown])
  const words = shown && hint ? 'Press any key to show everything.' : ''
  return (
    <p role="status" className={classNames('bare-hint', words !== '' && 'glass')}>
      {words}
    </p>
  )
}
