import { useEffect } from 'react'
import { useStore } from '@/store'
import { matches } from './keys'
import { ACTIONS } from './registry'

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

/** Keeps letters that are typed after ⌘K but before the palette is open. */
function catchEarly(event: KeyboardEvent, query: string): boolean {
  const letter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
  if (!letter || document.querySelector('[role="dialog"]')) return false
  event.preventDefault()
  useStore.getState().show({ kind: 'palette', query: query + event.key })
  return true
}

/** Installs the global shortcuts. Those without a modifier do not apply in text fields. */
export function useShortcuts(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented) return
      const state = useStore.getState()
      if (event.key === '/' && !isTyping(event.target) && !event.ctrlKey && !event.metaKey && state.overlay === null) {
        event.preventDefault()
        state.focusComposer()
        return
      }
      if (state.overlay?.kind === 'palette' && catchEarly(event, state.overlay.query)) return
      const action = ACTIONS.find((candidate) => candidate.keys && matches(event, candidate.keys))
      if (!action || !(action.when?.(state) ?? true)) return
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey
      if (plain && isTyping(event.target)) return
      if (state.overlay !== null && action.id !== 'palette') return
      event.preventDefault()
      action.run(state, '')
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
