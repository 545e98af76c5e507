import type { SpotifyCode } from '@/api/protocol.gen'
import { fragmentOf } from '@/shell/route'

/** The parameters with which Spotify redirects the browser: a code, or an error. */
export type SpotifyReturn = SpotifyCode | { error: string }

/** The path to which Spotify redirects the browser. */
const PLACE = /^\/spotify\/?$/

/**
 * Reads Spotify's parameters and removes them from the URL and the history before anything else can see them.
 */
export function takeReturn(): SpotifyReturn | null {
  const { pathname, search } = window.location
  if (!PLACE.test(pathname)) return null
  window.history.replaceState(null, '', `/${fragmentOf({ page: 'settings', section: 'spotify' })}`)
  const sent = new URLSearchParams(search)
  const [code, state, error] = ['code', 'state', 'error'].map((name) => sent.get(name) ?? '')
  if (error) return { error }
  if (code && state) return { code, state }
  // Without a query the user merely opened this URL.
  return search === '' ? null : { error: '' }
}
