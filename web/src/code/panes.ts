import { NARROW } from '@/shell/slice'
import { useStore } from '@/store'
import { useCodeStore } from './useCodeStore'

/** The width from which files, code and chat stand side by side. */
export const WIDE = '(min-width: 72rem)'

/**
 * Shows a pane: beside the others if there is room, otherwise in their place. Only the latter adds an entry
 * to the browser history.
 */
export function toPane(pane: 'files' | 'agent' | 'terminal'): void {
  const { route, go, sidebarShown, toggleSidebar } = useStore.getState()
  const beside = pane === 'files' ? !window.matchMedia(NARROW).matches : window.matchMedia(WIDE).matches
  if (!beside || route.page !== 'code') {
    go({ page: 'code', view: pane })
    return
  }
  if (pane === 'agent') useCodeStore.getState().showAgent(true)
  else if (pane === 'terminal') useCodeStore.getState().showTerminal(true)
  else if (!sidebarShown) toggleSidebar()
}
