import type { SpotifyCode } from '@/api/protocol.gen'
import { fragmentOf } from '@/shell/route'

/** What Spotify sent the browser back with: a code, or the word why there is none. */
export type SpotifyReturn = SpotifyCode | { error: string }

/** Where Spotify sends the browser. */
const PLACE = /^\/spotify\/?$/

/** Takes what Spotify sent out of the address and of the history, before anything else can see it. */
export function takeReturn(): SpotifyReturn | null {
  const { pathname, search } = window.location
  if (!PLACE.test(pathname)) return null
  window.history.replaceState(null, '', `/${fragmentOf({ page: 'settings', section: 'spotify' })}`)
  const sent = new URLSearchParams(search)
  const [code, state, error] = ['code', 'state', 'error'].map((name) => sent.get(name) ?? '')
  if (error) return { error }
  if (code && state) return { code, state }
  // Somebody who merely typed the address wants nothing.
  return search === '' ? null : { error: '' }
}
