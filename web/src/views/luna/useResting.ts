import { type RefObject, useEffect, useState } from 'react'

/** So long without a sign of anybody, and her screen rests. */
export const REST_MS = 20_000

const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focusin'] as const

/** Whether nobody has done anything here for a while. What is `busy` does not rest, nor what somebody points at or writes in. */
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

/** A pointer that lies over a panel reads there, and so does whoever marked some words; a field with words in it is being thought about. */
function isHeld(view: HTMLElement | null): boolean {
  const field = document.activeElement
  const marked = document.getSelection()
  if (marked && !marked.isCollapsed && view?.contains(marked.anchorNode)) return true
  return view?.querySelector('.panel:hover') != null || (field instanceof HTMLTextAreaElement && field.value !== '')
}
