import { request } from './http'
import type { SpotifyCode, SpotifyState, SpotifyUrl } from './protocol.gen'

export function readSpotify(): Promise<SpotifyState> {
  return request('GET', '/api/spotify')
}

/** Starts the sign-in and returns its URL. */
export function beginSpotify(): Promise<SpotifyUrl> {
  return request('POST', '/api/spotify/begin')
}

export function finishSpotify(body: SpotifyCode): Promise<SpotifyState> {
  return request('POST', '/api/spotify/finish', { body })
}

export function leaveSpotify(): Promise<void> {
  return request('DELETE', '/api/spotify')
}
