import { type RefObject, useEffect } from 'react'
import { isTyping } from '@/actions/useShortcuts'
import { useStore } from '@/store'

/** Makes `/` focus the page's own search instead of the composer. */
export function useSlash(container: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping(event.target) || useStore.getState().overlay !== null) return
      event.preventDefault()
      container.current?.querySelector('input')?.focus()
    }
    window.addEventListener('keydown', press, true)
    return () => window.removeEventListener('keydown', press, true)
  }, [container])
}
