import { NARROW } from '@/shell/slice'
import { useStore } from '@/store'
import { useCode } from './store'

/** From here on the files, the code and the conversation stand beside each other. */
export const WIDE = '(min-width: 72rem)'

/** Shows a pane: beside the others where there is room, else in their place. Only the latter is a step that one can go back from. */
export function toPane(pane: 'files' | 'agent' | 'terminal'): void {
  const { route, go, sidebarShown, toggleSidebar } = useStore.getState()
  const beside = pane === 'files' ? !window.matchMedia(NARROW).matches : window.matchMedia(WIDE).matches
  if (!beside || route.page !== 'code') {
    go({ page: 'code', view: pane })
    return
  }
  if (pane === 'agent') useCode.getState().showAgent(true)
  else if (pane === 'terminal') useCode.getState().showTerminal(true)
  else if (!sidebarShown) toggleSidebar()
}
