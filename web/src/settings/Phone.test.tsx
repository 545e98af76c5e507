import '@/testkit/browser'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ConfigReport, LanReport, SessionInfo } from '@/api/protocol.gen'
import { useStore } from '@/store'
import { button, clear, draw, press } from '@/testkit/draw'
import { requests, routes, json, refusal, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { Phone } from './Phone'

const state = () => useStore.getState()
const text = () => document.body.textContent ?? ''
const toggle = () => document.querySelector('[role=switch]') as HTMLButtonElement
const picture = () => document.querySelector('svg[aria-label="A code for your phone’s camera"]')

const OFF: LanReport = { on: false, addresses: [], port: null, fingerprint: null, trouble: null }
const ON: LanReport = { on: true, addresses: ['https://192.168.1.20:8898', 'https://moon.local:8898'], port: 8898, fingerprint: 'AB:CD', trouble: null }
const CODE = { url: 'https://192.168.1.20:8898/#code=0123', seconds: 120, rows: ['##.', '#.#', '..#'] }

function config(on: boolean, from = 'default'): ConfigReport {
  const field = { key: 'server.lan', about: 'Phones.', kind: 'switch' as const, choices: [], value: on, default: false, from, effective: true }
  return { path: '/perigee.toml', problems: [], sections: [{ name: 'server', about: 'The server.', fields: [field] }] }
}

function session(id: string, agent: string): SessionInfo {
  return { id, user: 'u', agent, createdAt: '2026-11-18T10:00:00Z', lastUsedAt: '2026-11-18T10:00:00Z', current: id === 'here' }
}

function stands(lan: LanReport): void {
  routes['GET /api/lan'] = () => json(lan)
}

async function pass(ms: number): Promise<void> {
  await act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
}

beforeEach(() => {
  vi.useFakeTimers()
  serve()
  stands(OFF)
  routes['GET /api/sessions'] = () => json([session('here', 'Firefox/1 Linux')])
  routes['GET /api/tokens'] = () => json([])
  routes['GET /api/users'] = () => json([])
  routes['GET /api/models'] = () => json({ models: [] })
  freshStores({ config: config(false) })
})

afterEach(async () => {
  await clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('her on the phone', () => {
  test('is off until it is switched on, and then has an address', async () => {
    await draw(<Phone />)
    expect(toggle().getAttribute('aria-checked')).toBe('false')
    expect(button('Show a code')).toBeUndefined()
    routes['PATCH /api/config'] = () => json(config(true, 'file'))
    await act(async () => toggle().click())
    expect(requests.find(({ route }) => route === 'PATCH /api/config')?.body).toEqual({ 'server.lan': true })
    // The server starts to listen a moment later.
    await pass(300)
    stands(ON)
    await pass(300)
    expect(toggle().getAttribute('aria-checked')).toBe('true')
    expect(text()).toContain('https://192.168.1.20:8898')
    expect(text()).toContain('https://moon.local:8898')
    expect(text()).toContain('AB:CD')
    expect(document.querySelector('a')?.getAttribute('href')).toBe('/lan')
    expect(picture()).toBeNull()
  })

  test('shows a code only when asked, and only for as long as it is good', async () => {
    stands(ON)
    routes['POST /api/lan/code'] = () => json(CODE)
    await draw(<Phone />)
    expect(requests.some(({ route }) => route === 'POST /api/lan/code')).toBe(false)
    await press('Show a code')
    expect(picture()?.querySelector('path')?.getAttribute('d')).toBe('M0 0h1v1h-1zM1 0h1v1h-1zM0 1h1v1h-1zM2 1h1v1h-1zM2 2h1v1h-1z')
    expect([...(picture()?.children ?? [])].map((shape) => shape.getAttribute('fill'))).toEqual(['white', 'black'])
    expect(text()).toContain('2:00 more')
    await pass(61_000)
    expect(text()).toContain('0:59 more')
    await pass(60_000)
    expect(picture()).toBeNull()
    expect(button('Show a code')).toBeDefined()
    expect(state().lanCode).toBeNull()
  })

  test('says when a phone has come in, and puts the code away', async () => {
    stands(ON)
    routes['POST /api/lan/code'] = () => json(CODE)
    await draw(<Phone />)
    await press('Show a code')
    await pass(3000)
    expect(picture()).not.toBeNull()
    routes['GET /api/sessions'] = () => json([session('here', 'Firefox/1 Linux'), session('phone', 'Chrome/1 Android')])
    await pass(3000)
    expect(picture()).toBeNull()
    expect(state().notices.map((notice) => notice.text)).toEqual(['Signed in: Chromium on Android'])
  })

  test('forgets the code when the page is left', async () => {
    stands(ON)
    routes['POST /api/lan/code'] = () => json(CODE)
    await draw(<Phone />)
    await press('Show a code')
    await clear()
    expect(state().lanCode).toBeNull()
  })

  test('says what is wrong, and offers no code then', async () => {
    stands({ ...OFF, trouble: 'Port 8898 cannot be opened: choose another `server.lan_port`' })
    await draw(<Phone />)
    expect(document.querySelector('[role=alert]')?.textContent).toContain('Port 8898')
    expect(button('Show a code')).toBeUndefined()
    stands({ ...ON, addresses: [], trouble: 'This machine is not in a private network at the moment.' })
    await draw(<Phone />)
    expect(document.querySelector('[role=alert]')?.textContent).toContain('not in a private network')
    expect(button('Show a code')).toBeUndefined()
  })

  test('tells why there is no code after all', async () => {
    stands(ON)
    routes['POST /api/lan/code'] = () => refusal(409, 'conflict', 'she cannot be reached')
    await draw(<Phone />)
    await press('Show a code')
    expect(document.querySelector('[role=alert]')?.textContent).toContain('She cannot be reached')
    expect(picture()).toBeNull()
  })

  test('cannot be switched here where the command line decides', async () => {
    useStore.setState({ config: config(true, 'flag') })
    stands(ON)
    await draw(<Phone />)
    expect(toggle().disabled).toBe(true)
    expect(text()).toContain('A command-line flag')
  })
})
