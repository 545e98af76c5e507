import '@/testkit/browser'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ConfigReport, SpotifyStatus } from '@/api/protocol.gen'
import { leave } from '@/shell/leave'
import { useStore } from '@/store'
import { button, clear, draw, press } from '@/testkit/draw'
import { requests, routes, json, refusal, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import SettingsPage from './SettingsPage'

vi.mock('@/shell/leave', () => ({ leave: vi.fn() }))

const state = () => useStore.getState()
const redirect = `${window.location.origin}/spotify`
const section = () => document.querySelector('section[aria-label=Music]') as HTMLElement
const alert = () => section().querySelector('[role=alert]')?.textContent ?? null

function config(client: string | null): ConfigReport {
  const field = { key: 'spotify.client_id', about: 'The client id.', kind: 'text' as const, choices: [], value: client, default: null, from: 'file', effective: true }
  return { path: '/perigee.toml', problems: [], sections: [{ name: 'spotify', about: 'Music.', fields: [field] }] }
}

function stands(status: SpotifyStatus): void {
  routes['GET /api/spotify'] = () => json({ status, redirect })
}

/** Delays the response of a route until the returned function is called with it. */
function slow(route: string): (answer: Response) => void {
  let give: (answer: Response) => void = () => {}
  const answer = new Promise<Response>((resolve) => void (give = resolve))
  routes[route] = () => answer
  return give
}

beforeEach(() => {
  vi.mocked(leave).mockClear()
  serve()
  routes['GET /api/config'] = () => json(config('id'))
  Element.prototype.scrollIntoView = () => {}
  freshStores({ session: 'in', route: { page: 'settings', section: 'spotify' } })
})

afterEach(async () => {
  await clear()
  vi.unstubAllGlobals()
})

describe('music', () => {
  test('that is not set up says how, and follows when the client id is there', async () => {
    routes['GET /api/config'] = () => json(config(null))
    stands('notSetUp')
    await draw(<SettingsPage />)
    expect(section().querySelector('a')?.href).toBe('https://developer.spotify.com/dashboard')
    expect(section().textContent).toContain(redirect)
    expect(section().textContent).toContain('into the field below')
    expect(button('Copy the redirect address')).toBeDefined()
    expect(button('Sign in to Spotify')).toBeUndefined()
    stands('signedOut')
    routes['PATCH /api/config'] = () => json(config('id'))
    await act(async () => state().changeConfig('spotify.client_id', 'id'))
    expect(button('Sign in to Spotify')).toBeDefined()
  })

  test('leads to Spotify in the same tab', async () => {
    stands('signedOut')
    routes['POST /api/spotify/begin'] = () => json({ url: 'https://accounts.example/authorize?state=x' })
    await draw(<SettingsPage />)
    await press('Sign in to Spotify')
    expect(vi.mocked(leave).mock.calls).toEqual([['https://accounts.example/authorize?state=x']])
    // A user who returns with the browser's back button can try again.
    expect(button('Sign in to Spotify')?.disabled).toBe(false)
    expect(alert()).toBeNull()
  })

  test('that cannot begin says why, until the page is left', async () => {
    stands('signedOut')
    routes['POST /api/spotify/begin'] = () => refusal(409, 'conflict', 'Spotify is not set up.')
    await draw(<SettingsPage />)
    await press('Sign in to Spotify')
    expect(alert()).toBe('Spotify is not set up.')
    expect(leave).not.toHaveBeenCalled()
    await clear()
    await draw(<SettingsPage />)
    expect(alert()).toBeNull()
  })

  test('begins once, however often it is pressed', async () => {
    stands('signedOut')
    const give = slow('POST /api/spotify/begin')
    await draw(<SettingsPage />)
    await press('Sign in to Spotify')
    expect(button('Opening Spotify…')?.disabled).toBe(true)
    await act(async () => state().signInToSpotify())
    await act(async () => give(json({ url: 'https://accounts.example/' })))
    expect(requests.filter(({ route }) => route === 'POST /api/spotify/begin')).toHaveLength(1)
    expect(leave).toHaveBeenCalledOnce()
  })

  test('is signed out of', async () => {
    stands('signedIn')
    routes['DELETE /api/spotify'] = () => new Response(null, { status: 204 })
    await draw(<SettingsPage />)
    expect(section().querySelector('[role=status]')?.textContent).toContain('Signed in')
    await press('Sign out')
    expect(button('Sign in to Spotify')).toBeDefined()
  })

  test('stays signed in where signing out fails', async () => {
    stands('signedIn')
    routes['DELETE /api/spotify'] = () => refusal(500, 'internal', 'the sign-in could not be kept: the disk is full')
    await draw(<SettingsPage />)
    await press('Sign out')
    expect(alert()).toBe('The sign-in could not be kept: the disk is full.')
    expect(button('Sign out')).toBeDefined()
  })

  test('shows the end of a sign-in, and no older answer takes its place', async () => {
    const give = slow('GET /api/spotify')
    const finish = slow('POST /api/spotify/finish')
    await draw(<SettingsPage />)
    await act(async () => void state().finishSpotify({ code: 'a', state: 'b' }))
    expect(section().textContent).toContain('Signing you in…')
    await act(async () => finish(json({ status: 'signedIn', redirect })))
    expect(section().textContent).toContain('Signed in')
    await act(async () => give(json({ status: 'signedOut', redirect })))
    expect(section().textContent).toContain('Signed in')
  })

  test('says why a sign-in failed, beside the way to try again', async () => {
    stands('signedOut')
    routes['POST /api/spotify/finish'] = () => refusal(400, 'badRequest', 'Spotify did not accept the sign-in. Begin again.')
    await draw(<SettingsPage />)
    await act(async () => state().finishSpotify({ code: 'a', state: 'b' }))
    expect(alert()).toMatch(/did not accept/)
    await act(async () => state().refreshSpotify())
    expect(alert()).toMatch(/did not accept/)
    expect(button('Sign in to Spotify')).toBeDefined()
  })

  test('that cannot be asked about is asked again', async () => {
    routes['GET /api/spotify'] = () => refusal(500, 'internal', 'the store is broken')
    await draw(<SettingsPage />)
    expect(alert()).toMatch(/The store is broken/)
    stands('signedIn')
    await press('Try again')
    expect(alert()).toBeNull()
    expect(section().textContent).toContain('Signed in')
  })

  test('warns where Spotify would lead to another address', async () => {
    routes['GET /api/spotify'] = () => json({ status: 'signedOut', redirect: 'http://127.0.0.1:8899/spotify' })
    await draw(<SettingsPage />)
    expect(section().querySelector('a')?.href).toBe('http://127.0.0.1:8899/#/settings/spotify')
    stands('signedOut')
    await act(async () => state().refreshSpotify())
    expect(section().querySelector('a')).toBeNull()
  })
})
