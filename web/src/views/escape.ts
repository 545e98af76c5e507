import { useEffect, useRef } from 'react'
import { isTyping } from '@/actions/useShortcuts'
import { useStore } from '@/store'

const open: { current: () => void }[] = []

/** While `active`, Escape closes this before whatever was there earlier. */
export function useEscape(active: boolean, close: () => void): void {
  const latest = useRef(close)
  latest.current = close
  useEffect(() => {
    if (!active) return
    open.push(latest)
    return () => void open.splice(open.indexOf(latest), 1)
  }, [active])
}

/** What is looked into has keys of its own: whoever leaves it is back at the head of its panel, or at the sheet that it lies on. */
function leaveInner(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  const inner = target.closest('.widget') ?? (isTyping(target) ? null : target.closest('.panel-body'))
  const home = inner?.closest('[data-panel]')?.querySelector<HTMLElement>('[data-panel-head]') ?? inner?.closest<HTMLElement>('.history')
  home?.focus({ preventScroll: true })
  return home != null
}

/** Escape closes one thing at a time, the last one opened first; with nothing open it leads back to the desk. */
export function useEscapeToDesk(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const state = useStore.getState()
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || state.overlay !== null) return
      const last = open.at(-1)
      if (leaveInner(event.target)) return
      if (last) last.current()
      // Who writes leaves the field first.
      else if (isTyping(event.target)) (event.target as HTMLElement).blur()
      else state.setView('dev')
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
