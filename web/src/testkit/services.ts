import type { Pages } from '@/shell/pages'
import type { Notice, Notices } from '@/shell/slice'
import type { Route } from '@/shell/route'

/** The notices and pages of an app that is not there, for a store on its own. They write down what they are told. */
export function standIns(route: Route) {
  const said: Omit<Notice, 'id'>[] = []
  const went: Route[] = []
  const notices: Notices = { notify: (notice) => void said.push(notice), withdraw: () => {} }
  const pages: Pages = { route: () => went.at(-1) ?? route, go: (to) => void went.push(to), show: () => {}, close: () => {} }
  return { said, went, notices, pages }
}
