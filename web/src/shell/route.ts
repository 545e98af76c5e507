import type { ConversationId, MessageId } from '@/api/protocol.gen'

/**
 * Where the app is, kept in the address's fragment: the server sees one page only, and no conversation's id
 * stands in a log.
 */
export type Route =
  | { page: 'new' }
  | { page: 'chat'; id: ConversationId; message?: MessageId }
  | { page: 'settings'; section?: string }

const ID = /^[0-9a-hjkmnp-tv-z]{13}$/

export function parseRoute(fragment: string): Route {
  const [page, first, second] = fragment.replace(/^#?\/?/, '').split('/')
  if (page === 'c' && first && ID.test(first)) {
    return second && ID.test(second) ? { page: 'chat', id: first, message: second } : { page: 'chat', id: first }
  }
  if (page === 'settings') {
    const section = decoded(first ?? '')
    return section === '' ? { page: 'settings' } : { page: 'settings', section }
  }
  return { page: 'new' }
}

/** An address that was cut or mistyped is no reason to fail. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

export function fragmentOf(route: Route): string {
  switch (route.page) {
    case 'new':
      return '#/'
    case 'chat':
      return route.message ? `#/c/${route.id}/${route.message}` : `#/c/${route.id}`
    case 'settings':
      return route.section ? `#/settings/${encodeURIComponent(route.section)}` : '#/settings'
  }
}
