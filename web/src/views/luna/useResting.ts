import { type RefObject, useEffect, useState } from 'react'

/** The time without input after which the Luna view rests, in milliseconds. */
export const REST_MS = 20_000

const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focusin'] as const

/**
 * Returns true after a while without input. The view does not rest while it is `busy`, nor while the user
 * points at a panel or has text in the composer.
 */
export function useResting(place: RefObject<HTMLElement | null>, busy: boolean): boolean {
  const [resting, setResting] = useState(false)
  useEffect(() => {
    if (busy) {
      setResting(false)
      return
    }
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => (isHeld(place.current) ? wait() : setResting(true)), REST_MS)
    }
    const wake = () => {
      setResting(false)
      wait()
    }
    wait()
    for (const sign of SIGNS) window.addEventListener(sign, wake, { passive: true, capture: true })
    return () => {
      clearTimeout(timer)
      for (const sign of SIGNS) window.removeEventListener(sign, wake, { capture: true })
    }
  }, [place, busy])
  return resting
}

/**
 * Returns true if the user is probably reading or writing: the pointer is over a panel, text is selected, or
 * the focused field has text in it.
 */
function isHeld(view: HTMLElement | null): boolean {
  const field = document.activeElement
  const marked = document.getSelection()
  if (marked && !marked.isCollapsed && view?.contains(marked.anchorNode)) return true
  return view?.querySelector('.panel:hover') != null || (field instanceof HTMLTextAreaElement && field.value !== '')
}
