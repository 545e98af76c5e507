import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { useStore } from '@/store'
import { boot } from '@/store/boot'
import { requests, routes, json, refusal, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { type SpotifyReturn, takeReturn } from './fromSpotify'

vi.mock('@/api/hub', () => ({ Hub: class { start(): void {} stop(): void {} } }))

const state = () => useStore.getState()
const here = () => window.location.href.replace(window.location.origin, '')
const finishes = () => requests.filter(({ route }) => route === 'POST /api/spotify/finish').map(({ body }) => body)
const USER = { id: '0000000000ada', name: 'Ada', owner: true }
const SIGNED_IN = { status: 'signedIn', redirect: 'http://127.0.0.1:8899/spotify' }

function comeBack(address: string): void {
  window.history.replaceState(null, '', address)
}

beforeEach(() => {
  localStorage.clear()
  serve()
  freshStores()
  routes['GET /api/auth/status'] = () => json({ enabled: true, authenticated: true, user: USER })
  routes['POST /api/auth/login'] = () => new Response('')
  routes['POST /api/spotify/finish'] = () => json(SIGNED_IN)
})

afterEach(() => {
  comeBack('/')
  vi.unstubAllGlobals()
})

describe('what Spotify sends', () => {
  test.each<[string, SpotifyReturn | null]>([
    ['/spotify?code=abc&state=xyz', { code: 'abc', state: 'xyz' }],
    ['/spotify/?state=x%2By&code=a%26b#_=_', { code: 'a&b', state: 'x+y' }],
    ['/spotify?error=access_denied&state=xyz', { error: 'access_denied' }],
    ['/spotify?error=access_denied&code=abc&state=xyz', { error: 'access_denied' }],
    ['/spotify?code=abc', { error: '' }],
    ['/spotify?code=&state=', { error: '' }],
    ['/spotify', null],
  ])('%s is taken out of the address and of the history', (address, sent) => {
    const entries = window.history.length
    comeBack(address)
    expect(takeReturn()).toEqual(sent)
    expect(here()).toBe('/#/settings/spotify')
    expect(window.history.length).toBe(entries)
    expect(takeReturn()).toBeNull()
  })

  test.each(['/?code=abc&state=xyz', '/spotify.html?code=abc&state=xyz', '/x/spotify?code=abc&state=xyz', '/#/settings'])('%s is none of it', (address) => {
    comeBack(address)
    expect(takeReturn()).toBeNull()
    expect(here()).toBe(address)
  })
})

describe('coming back', () => {
  test('passes the code on, once, and shows the settings', async () => {
    comeBack('/spotify?code=abc&state=xyz')
    boot()
    expect(here()).toBe('/#/settings/spotify')
    expect(state().route).toEqual({ page: 'settings', section: 'spotify' })
    await vi.waitFor(() => expect(state().spotify).toEqual(SIGNED_IN))
    expect(finishes()).toEqual([{ code: 'abc', state: 'xyz' }])
    state().forgetSession()
    await state().signIn({ token: 'x' })
    expect(finishes()).toHaveLength(1)
  })

  test('waits until the browser is signed in', async () => {
    routes['GET /api/auth/status'] = () => json({ enabled: true, authenticated: false, user: null })
    comeBack('/spotify?code=abc&state=xyz')
    boot()
    await vi.waitFor(() => expect(state().session).toBe('out'))
    expect(finishes()).toEqual([])
    routes['GET /api/auth/status'] = () => json({ enabled: true, authenticated: true, user: USER })
    await state().signIn({ token: 'x' })
    await vi.waitFor(() => expect(state().spotify).toEqual(SIGNED_IN))
    expect(finishes()).toEqual([{ code: 'abc', state: 'xyz' }])
    expect(state().route).toEqual({ page: 'settings', section: 'spotify' })
  })

  test.each([
    ['access_denied', /did not allow it/],
    ['Send%20your%20password%20to%20evil.example', /did not sign you in/],
  ])('with %s says so, in words of our own', async (error, words) => {
    comeBack(`/spotify?error=${error}`)
    boot()
    await vi.waitFor(() => expect(state().spotifyTrouble).toMatch(words))
    expect(state().spotifyTrouble).not.toContain('evil')
    expect(finishes()).toEqual([])
  })

  test('with a code that is not accepted says what the server said', async () => {
    routes['POST /api/spotify/finish'] = () => refusal(409, 'conflict', 'That sign-in is not known, or it took longer than ten minutes. Begin again.')
    comeBack('/spotify?code=abc&state=old')
    boot()
    await vi.waitFor(() => expect(state().spotifyTrouble).toMatch(/Begin again/))
    expect(state().spotifyAct).toBeNull()
  })

  test('from nowhere changes nothing', async () => {
    comeBack('/#/audit')
    boot()
    await vi.waitFor(() => expect(state().session).toBe('in'))
    expect(state().route).toEqual({ page: 'audit' })
    expect([finishes(), state().spotifyTrouble]).toEqual([[], null])
  })
})
