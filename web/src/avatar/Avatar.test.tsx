import '@/testkit/browser'
import { act as settle } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cue } from '@/body/cues'
import { useStore } from '@/store'
import { button, clear, draw, press } from '@/testkit/draw'
import { personality } from '@/testkit/memory'
import { requests, routes, json, refusal, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import Avatar from './Avatar'

const text = () => document.body.textContent ?? ''
const BODY = { model: null, url: '/avatar.vrm?v=1', palette: 'moon', models: [], palettes: [{ name: 'moon', title: 'Moonlight', url: '/own.vrm', colours: [] }], trouble: null }

/** Replaces the controller, since nothing can be drawn in a test, and records the calls made to it. */
const told = vi.hoisted(() => ({ calls: [] as [string, ...unknown[]][], wear: async (_: ArrayBuffer) => {}, possible: true, unknown: (_: string) => {} }))

vi.mock('./controller', () => ({
  AvatarController: {
    open: (_canvas: unknown, _random: unknown, { onUnknown }: { onUnknown: (name: string) => void }) => {
      if (!told.possible) return null
      told.unknown = onUnknown
      const controller: Record<string, unknown> = { body: null }
      for (const name of ['setSeen', 'setSize', 'setStill', 'setTheme', 'setFraming', 'setAnimations', 'setState', 'setTraits', 'setQuality', 'setPointer', 'listen', 'wake', 'cue', 'dispose']) {
        controller[name] = (...args: unknown[]) => void told.calls.push([name, ...args])
      }
      controller['showBody'] = async (bytes: ArrayBuffer) => {
        await told.wear(bytes)
        controller['body'] = {}
      }
      return controller
    },
  },
}))

const last = (name: string) => told.calls.filter(([called]) => called === name).at(-1)?.slice(1)

beforeEach(() => {
  serve()
  told.calls.length = 0
  told.possible = true
  told.wear = async () => {}
  freshStores()
  routes['GET /api/body'] = () => json(BODY)
  routes['GET /api/animations'] = () => json({ animations: [] })
  routes['GET /api/backgrounds'] = () => json({ backgrounds: [], current: '' })
  routes['GET /api/personality'] = () => json(personality())
  routes['GET /avatar.vrm?v=1'] = () => new Response('body')
  routes['GET /own.vrm'] = () => new Response('own')
})

afterEach(async () => {
  await clear()
  vi.unstubAllGlobals()
})

const said = () => useStore.getState().notices.map(({ text }) => text)

test('she is shown once her body is there, and told what the page knows', async () => {
  const host = await draw(<Avatar framing="full" />)
  await vi.waitFor(() => expect(host.querySelector('[data-avatar=shown]')).not.toBeNull())
  expect(host.querySelector('[role=img]')?.getAttribute('aria-label')).toBe('Luna')
  expect(last('setFraming')).toEqual(['full'])
  expect(last('setQuality')).toEqual(['auto'])
  useStore.getState().setQuality('low')
  await vi.waitFor(() => expect(last('setQuality')).toEqual(['low']))
  await vi.waitFor(() => expect(last('setTraits')?.[0]).toBe(personality().traits.find(({ dimension }) => dimension === 'mood')?.value))
  await settle(async () => useStore.getState().avatarStateChanged('thinking'))
  expect(last('setState')).toEqual(['thinking'])
  cue({ action: 'play', animation: 'wave' })
  expect(last('cue')).toEqual([{ action: 'play', animation: 'wave' }])
  window.dispatchEvent(new MouseEvent('pointermove', { clientX: 3, clientY: 4 }))
  expect(last('setPointer')).toEqual([3, 4])
})

test('two pictures of her fetch one file, and give back what they had', async () => {
  routes['GET /api/body'] = () => json({ ...BODY, url: '/avatar.vrm?v=two' })
  routes['GET /avatar.vrm?v=two'] = () => new Response('body')
  const host = await draw([<Avatar key="a" framing="bust" />, <Avatar key="b" framing="face" />])
  await vi.waitFor(() => expect(host.querySelectorAll('[data-avatar=shown]')).toHaveLength(2))
  expect(requests.filter(({ route }) => route.includes('v=two'))).toHaveLength(1)
  await clear()
  expect(told.calls.filter(([name]) => name === 'dispose')).toHaveLength(2)
  expect(document.querySelector('canvas')).toBeNull()
})

test('a body that cannot be read is told about, and she wears her own', async () => {
  routes['GET /api/body'] = () => json({ ...BODY, model: 'odd.vrm', url: '/avatar.vrm?v=odd' })
  routes['GET /avatar.vrm?v=odd'] = () => new Response('odd')
  told.wear = async (bytes) => {
    if (new TextDecoder().decode(bytes) === 'odd') throw new Error('It is not a 3D model that can be read.')
  }
  const host = await draw(<Avatar framing="bust" />)
  await vi.waitFor(() => expect(host.querySelector('[data-avatar=shown]')).not.toBeNull())
  expect(said()).toEqual(['This avatar cannot be used. It is not a 3D model that can be read. She uses the built-in one.'])
  routes['GET /avatar.vrm?v=odder'] = () => new Response('odd')
  await settle(async () => useStore.setState({ body: { ...BODY, url: '/avatar.vrm?v=odder' } }))
  await vi.waitFor(() => expect(said().at(-1)).toContain('She keeps the one she has.'))
  expect(host.querySelector('[data-avatar=shown]')).not.toBeNull()
})

test('where nothing comes at all, it says so, and tries again when it is asked to', async () => {
  routes['GET /api/body'] = () => refusal(500, 'internal', 'the disk is gone')
  await draw(<Avatar framing="bust" />)
  await vi.waitFor(() => expect(text()).toContain('Her avatar could not be loaded. The disk is gone.'))
  routes['GET /api/body'] = () => json(BODY)
  await press('Try again')
  await vi.waitFor(() => expect(document.querySelector('[data-avatar=shown]')).not.toBeNull())
})

test('without WebGL her face stands there, with the reason and without a button that does not help', async () => {
  told.possible = false
  await draw(<Avatar framing="bust" />)
  expect(text()).toContain('does not support WebGL')
  expect(document.querySelector('svg')).not.toBeNull()
  expect(button('Try again')).toBeUndefined()
})

test('a move that she does not know is said once', async () => {
  await draw(<Avatar framing="bust" />)
  told.unknown('moonwalk')
  told.unknown('moonwalk')
  expect(said()).toEqual(['She has no animation called “moonwalk”.'])
})
