import { errorText } from '@/api/http'
import type { SpotifyState } from '@/api/protocol.gen'
import { beginSpotifySignIn, finishSpotifySignIn, signOutOfSpotify, readSpotify } from '@/api/spotify'
import { leave } from '@/shell/leave'
import type { Slice } from '@/store/slice'
import type { SpotifyReturn } from './fromSpotify'

export interface MusicSlice {
  spotify: SpotifyState | null
  /** The reason why the state could not be loaded. */
  spotifyUnread: string | null
  /** The error of the last action. */
  spotifyTrouble: string | null
  /** The action in progress. */
  spotifyAct: 'beginning' | 'finishing' | 'leaving' | null

  refreshSpotify: () => Promise<void>
  /** Leaves this page for Spotify's sign-in page. */
  signInToSpotify: () => Promise<void>
  finishSpotify: (returned: SpotifyReturn) => Promise<void>
  signOutOfSpotify: () => Promise<void>
  forgetSpotifyTrouble: () => void
}

/**
 * Returns a message for an error code. The code itself is never shown, since anyone can write a URL that
 * contains it.
 */
function refusal(error: string): string {
  if (error === 'access_denied') return 'Spotify says that you did not allow it. Nothing has changed, and you can sign in whenever you like.'
  return 'Spotify did not sign you in. Try again, and check the client id and the redirect address of your app.'
}

export const musicSlice: Slice<MusicSlice> = (set, get) => {
  /** Counts the changes of state: a response requested before the last change is out of date. */
  let changes = 0

  const attempt = async (act: NonNullable<MusicSlice['spotifyAct']>, work: () => Promise<SpotifyState | null>) => {
    if (get().spotifyAct) return
    set({ spotifyAct: act, spotifyTrouble: null })
    try {
      const spotify = await work()
      if (spotify) {
        changes += 1
        set({ spotify, spotifyUnread: null })
      }
    } catch (error) {
      set({ spotifyTrouble: errorText(error) })
    } finally {
      set({ spotifyAct: null })
    }
  }

  return {
    spotify: null,
    spotifyUnread: null,
    spotifyTrouble: null,
    spotifyAct: null,

    refreshSpotify: async () => {
      const before = changes
      try {
        const spotify = await readSpotify()
        if (changes === before) set({ spotify, spotifyUnread: null })
      } catch (error) {
        if (changes === before) set({ spotifyUnread: errorText(error) })
      }
    },

    signInToSpotify: () =>
      attempt('beginning', async () => {
        const { url } = await beginSpotifySignIn()
        leave(url)
        return null
      }),

    finishSpotify: async (returned) => {
      if ('error' in returned) set({ spotifyTrouble: refusal(returned.error) })
      else await attempt('finishing', () => finishSpotifySignIn(returned))
    },

    signOutOfSpotify: () =>
      attempt('leaving', async () => {
        await signOutOfSpotify()
        const { spotify } = get()
        return spotify && { ...spotify, status: 'signedOut' }
      }),

    forgetSpotifyTrouble: () => set({ spotifyTrouble: null }),
  }
}
