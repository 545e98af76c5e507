import type { Route } from './route'
import type { Overlay } from './slice'

/** The pages and dialogs of the app, as handed to features with a store of their own. */
export interface Pages {
  route: () => Route
  go: (route: Route, how?: 'push' | 'replace') => void
  show: (overlay: Overlay) => void
  /** Closes the dialog if it is of this kind. */
  close: (kind: Overlay['kind']) => void
}
