import type { ConversationId, MessageId } from '@/api/protocol.gen'

/**
 * The current page of the app, kept in the fragment of the address: the server sees a single page, and no
 * conversation id appears in a log.
 */
export type Route =
  | { page: 'new' }
  | { page: 'chat'; id: ConversationId; message?: MessageId }
  | { page: 'settings'; section?: string }
  | { page: 'tools'; tool?: string }
  | { page: 'servers'; name?: string }
  | { page: 'audit' }
  | { page: 'skills'; name?: string }
  | { page: 'memory'; tab?: MemoryTab; item?: string }
  | { page: 'personality' }
  | { page: 'code'; view?: CodeView; item?: string; line?: number }

/** A tab of the memory page. Without one, the facts are shown; `item` is the open fact or file. */
export type MemoryTab = (typeof MEMORY_TABS)[number]
const MEMORY_TABS = ['facts', 'timeline', 'files', 'entries', 'recall'] as const

/**
 * A view of the workspace. Without one, the last open one is shown; `item` is the path of a file, or the
 * proposal under review.
 */
export type CodeView = (typeof CODE_VIEWS)[number]
const CODE_VIEWS = ['files', 'file', 'review', 'agent', 'terminal', 'history'] as const

const ID = /^[0-9a-hjkmnp-tv-z]{13}$/

/**
 * The view of a conversation: among everything else, with the avatar's face alone, or on the avatar's screen
 * with panels.
 */
export type View = 'dev' | 'user' | 'luna'

/** The full-screen views with the avatar. Their name comes first in the address: `#/luna/c/ID`. */
const FULL = ['user', 'luna'] as const

const parts = (fragment: string) => fragment.replace(/^#?\/?/, '').split('/')

/** Returns the view that an address names, if its page can be shown in that view. */
export function parseView(fragment: string): View {
  const [first] = parts(fragment)
  return canFillScreen(parseRoute(fragment)) ? (FULL.find((view) => view === first) ?? 'dev') : 'dev'
}

/**
 * Returns true for pages that can be shown in a full-screen view. Settings, memory and the others are always
 * pages of their own.
 */
export function canFillScreen({ page }: Route): boolean {
  return page === 'new' || page === 'chat'
}

export function parseRoute(fragment: string): Route {
  const [named, ...rest] = parts(fragment)
  const [page, first, second, third] = FULL.some((view) => view === named) ? rest : [named, ...rest]
  if (page === 'c' && first && ID.test(first)) {
    return second && ID.test(second) ? { page: 'chat', id: first, message: second } : { page: 'chat', id: first }
  }
  if (page === 'settings') {
    const section = decoded(first ?? '')
    return section === '' ? { page: 'settings' } : { page: 'settings', section }
  }
  if (page === 'tools') {
    const tool = decoded(first ?? '')
    return tool === '' ? { page: 'tools' } : { page: 'tools', tool }
  }
  if (page === 'servers') {
    const name = decoded(first ?? '')
    return name === '' ? { page: 'servers' } : { page: 'servers', name }
  }
  if (page === 'audit') return { page: 'audit' }
  if (page === 'skills') {
    const name = decoded(first ?? '')
    return name === '' ? { page: 'skills' } : { page: 'skills', name }
  }
  if (page === 'personality') return { page: 'personality' }
  if (page === 'memory') return memoryRoute(first ?? '', decoded(second ?? ''))
  if (page === 'code') return codeRoute(first ?? '', decoded(second ?? ''), third ?? '')
  return { page: 'new' }
}

function memoryRoute(name: string, item: string): Route {
  const tab = MEMORY_TABS.find((known) => known === name)
  if (!tab || (tab === 'facts' && item === '')) return { page: 'memory' }
  return item === '' ? { page: 'memory', tab } : { page: 'memory', tab, item }
}

function codeRoute(name: string, item: string, line: string): Route {
  const view = CODE_VIEWS.find((known) => known === name)
  if (!view) return { page: 'code' }
  if (view !== 'file' && view !== 'review') return { page: 'code', view }
  if (item === '') return { page: 'code' }
  return view === 'file' && /^[1-9]\d{0,8}$/.test(line) ? { page: 'code', view, item, line: Number(line) } : { page: 'code', view, item }
}

/** Decodes a part of an address. A truncated or mistyped one must not throw. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** Returns the address of a page in this view. */
export function fragmentOf(route: Route, view: View = 'dev'): string {
  const plain = plainFragment(route)
  return view === 'dev' || !canFillScreen(route) ? plain : plain.replace('#', `#/${view}`).replace(/\/$/, '')
}

function plainFragment(route: Route): string {
  switch (route.page) {
    case 'new':
      return '#/'
    case 'chat':
      return route.message ? `#/c/${route.id}/${route.message}` : `#/c/${route.id}`
    case 'settings':
      return route.section ? `#/settings/${encodeURIComponent(route.section)}` : '#/settings'
    case 'tools':
      return route.tool ? `#/tools/${encodeURIComponent(route.tool)}` : '#/tools'
    case 'servers':
      return route.name ? `#/servers/${encodeURIComponent(route.name)}` : '#/servers'
    case 'audit':
      return '#/audit'
    case 'skills':
      return route.name ? `#/skills/${encodeURIComponent(route.name)}` : '#/skills'
    case 'memory':
      return ['#/memory', ...(route.tab ? [route.tab] : []), ...(route.item ? [encodeURIComponent(route.item)] : [])].join('/')
    case 'personality':
      return '#/personality'
    case 'code':
      return ['#/code', ...(route.view ? [route.view] : []), ...(route.item ? [encodeURIComponent(route.item)] : []), ...(route.line ? [route.line] : [])].join('/')
  }
}
