import { type RefObject, useEffect } from 'react'
import { QUESTION_CARD } from '@/actions/registry'

/**
 * Moves the focus with F6 from panel to panel, and on to the confirmation request, the dock and the bar;
 * Shift reverses it.
 */
export function useCycle(place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'F6' || event.defaultPrevented || !place.current) return
      const stops = [...place.current.querySelectorAll<HTMLElement>(`[data-panel-head], #${QUESTION_CARD}, .dock button:first-of-type, .luna-bar button`)].filter(first)
      if (stops.length === 0) return
      event.preventDefault()
      const at = stops.findIndex((stop) => home(stop)?.contains(document.activeElement))
      const next = at < 0 ? (event.shiftKey ? stops.length - 1 : 0) : (at + (event.shiftKey ? -1 : 1) + stops.length) % stops.length
      stops[next]?.focus()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [place])
}

const home = (stop: Element) => stop.closest(`[data-panel], #${QUESTION_CARD}, .dock, .luna-bar`)

/** Returns true for the first stop of its panel or bar, so that each has only one. */
function first(stop: HTMLElement, index: number, all: HTMLElement[]): boolean {
  return all.findIndex((other) => home(other) === home(stop)) === index
}
