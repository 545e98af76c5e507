import type { Pages } from '@/shell/pages'
import type { Notices } from '@/shell/slice'
import { useStore } from '.'

/** The app's notices and pages, to be handed to the stores of the features. */

export const notices: Notices = {
  notify: (notice) => useStore.getState().notify(notice),
  withdraw: (about) => useStore.getState().withdraw(about),
}

export const pages: Pages = {
  route: () => useStore.getState().route,
  go: (route, how) => useStore.getState().go(route, how),
  show: (overlay) => useStore.getState().show(overlay),
  close: (kind) => {
    const { overlay, show } = useStore.getState()
    if (overlay?.kind === kind) show(null)
  },
}
