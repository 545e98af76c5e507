import { useEffect, useRef } from 'react'
import { isTyping } from '@/actions/useShortcuts'
import { useStore } from '@/store'

const open: { current: () => void }[] = []

/** Registers a handler for Escape while `active`, before those registered earlier. */
export function useEscape(active: boolean, close: () => void): void {
  const latest = useRef(close)
  latest.current = close
  useEffect(() => {
    if (!active) return
    open.push(latest)
    return () => void open.splice(open.indexOf(latest), 1)
  }, [active])
}

/**
 * Moves the focus out of inner content, which has keys of its own, to the head of its panel or to the sheet
 * around it.
 */
function leaveInner(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  const inner = target.closest('.widget') ?? (isTyping(target) ? null : target.closest('.panel-body'))
  const home = inner?.closest('[data-panel]')?.querySelector<HTMLElement>('[data-panel-head]') ?? inner?.closest<HTMLElement>('.history')
  home?.focus({ preventScroll: true })
  return home != null
}

/** Closes one thing per Escape, the last opened first. With nothing open, it returns to the `dev` view. */
export function useEscapeToDev(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const state = useStore.getState()
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || state.overlay !== null) return
      const last = open.at(-1)
      if (leaveInner(event.target)) return
      if (last) last.current()
      // From a text field, Escape only leaves the field.
      else if (isTyping(event.target)) (event.target as HTMLElement).blur()
      else state.setView('dev')
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
