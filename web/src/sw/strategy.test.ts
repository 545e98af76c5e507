// @vitest-environment node
import { expect, test } from 'vitest'
import { isServerDown, strategyOf } from './strategy'

const HERE = 'http://127.0.0.1:8899'
const asked = (path: string, more: { method?: string; mode?: string; range?: boolean } = {}) =>
  strategyOf({ method: 'GET', mode: 'cors', range: false, url: new URL(path, HERE).href, ...more }, HERE)

test.each([
  ['/', 'navigate', 'page'],
  ['/?source=pwa', 'navigate', 'page'],
  ['/memory', 'navigate', 'page'],
  ['/spotify?code=x', 'navigate', 'page'],
  ['/assets/index-BSU7SbEJ.js', 'cors', 'asset'],
  ['/assets/geist-latin-wght-normal-BgDaEnEv.woff2', 'cors', 'asset'],
  ['/theme.js', 'no-cors', 'file'],
  ['/favicon.svg', 'no-cors', 'file'],
  ['/manifest.webmanifest', 'cors', 'file'],
  ['/avatar.vrm?v=1', 'cors', 'file'],
] as const)('%s by %s is %s', (path, mode, strategy) => {
  expect(asked(path, { mode })).toBe(strategy)
})

test.each(['/api/chats', '/api', '/api/assets/models/alice.vrm?v=1', '/v1/chat/completions', '/ws', '/mcp', '/frame/x', '/metrics', '/sw.js', '/.well-known/x', '/lan', '/lan/perigee.crt'])(
  '%s is left alone, even when somebody goes there',
  (path) => {
    expect(asked(path)).toBe('none')
    expect(asked(path, { mode: 'navigate' })).toBe('none')
  },
)

test('what is not asked for as a whole, or not asked for at all, is left alone', () => {
  expect(asked('/avatar.vrm', { range: true })).toBe('none')
  expect(asked('/', { method: 'POST', mode: 'navigate' })).toBe('none')
  expect(asked('/assets/x.js', { method: 'HEAD' })).toBe('none')
  expect(asked('https://elsewhere.org/assets/x.js')).toBe('none')
  // The page requests itself only to check whether it is the newest version.
  expect(asked('/')).toBe('none')
  expect(asked('/apiary', { mode: 'navigate' })).toBe('page')
})

test('whoever stands before the server may say that it is away', () => {
  expect([200, 401, 404, 500, 502, 503, 504].filter(isServerDown)).toEqual([502, 503, 504])
})
