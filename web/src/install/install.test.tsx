import '@/testkit/browser'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { available } from '@/actions/registry'
import { Appearance } from '@/settings/Appearance'
import { useStore } from '@/store'
import { clear, draw, press } from '@/testkit/draw'
import { freshStores } from '@/testkit/stores'
import { installingOn } from './slice'

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15'
const initial = useStore.getState()
initial.watchInstalling()
const state = () => useStore.getState()
const listed = () => available(state()).some(({ id }) => id === 'install')

function offer(outcome: 'accepted' | 'dismissed') {
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt: async () => ({ outcome }) })
  window.dispatchEvent(event)
  return event
}

beforeEach(() => freshStores())
afterEach(clear)

test.each([
  [{ standalone: true, agent: IPHONE, touchPoints: 5, secure: true }, 'installed'],
  [{ standalone: false, agent: IPHONE, touchPoints: 5, secure: true }, 'byHand'],
  [{ standalone: false, agent: MAC, touchPoints: 5, secure: true }, 'byHand'],
  [{ standalone: false, agent: MAC, touchPoints: 0, secure: true }, 'impossible'],
  [{ standalone: false, agent: IPHONE, touchPoints: 5, secure: false }, 'impossible'],
  [{ standalone: false, agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Firefox/150.0', touchPoints: 0, secure: true }, 'impossible'],
] as const)('%o is %s', (device, installing) => {
  expect(installingOn(device)).toBe(installing)
})

describe('what can be installed', () => {
  test('is offered in the settings and in the palette, until it is done', async () => {
    await draw(<Appearance />)
    expect(document.body.textContent).not.toContain('Install Perigee')
    expect(listed()).toBe(false)
    let event = new Event('')
    await act(async () => void (event = offer('accepted')))
    expect(event.defaultPrevented).toBe(true)
    expect(listed()).toBe(true)
    await press('Install')
    expect(state().installing).toBe('installed')
    expect(document.body.textContent).not.toContain('Install Perigee')
    expect(listed()).toBe(false)
  })

  test('is not offered again after a no, until the browser does', async () => {
    offer('dismissed')
    await state().install()
    expect(listed()).toBe(false)
    offer('dismissed')
    expect(listed()).toBe(true)
  })

  test('is known when it was done by the menu of the browser', () => {
    offer('accepted')
    window.dispatchEvent(new Event('appinstalled'))
    expect(state().installing).toBe('installed')
  })

  test('by hand is explained', async () => {
    useStore.setState({ installing: 'byHand' })
    await draw(<Appearance />)
    expect(document.body.textContent).toContain('Add to Home Screen')
    expect(listed()).toBe(false)
  })
})
