import { request } from './http'
import type { SpotifyCode, SpotifyState, SpotifyUrl } from './protocol.gen'

export function readSpotify(): Promise<SpotifyState> {
  return request('GET', '/api/spotify')
}

/** Starts the sign-in and returns its URL. */
export function beginSpotifySignIn(): Promise<SpotifyUrl> {
  return request('POST', '/api/spotify/begin')
}

export function finishSpotifySignIn(body: SpotifyCode): Promise<SpotifyState> {
  return request('POST', '/api/spotify/finish', { body })
}

export function signOutOfSpotify(): Promise<void> {
  return request('DELETE', '/api/spotify')
}
