import { beforeEach, describe, expect, test } from 'vitest'
import { readLayout, writeLayout } from './stored'

const KEY = 'perigee.luna-panels'
const KEPT = { x: 0.1, y: 0.2, width: 0.3, height: 0.4, open: true, pinned: false }

beforeEach(() => localStorage.clear())

describe('the layout in the browser', () => {
  test('comes back as it was written', () => {
    writeLayout({ panels: { clock: KEPT }, order: ['clock'] })
    expect(readLayout()).toEqual({ panels: { clock: KEPT }, order: ['clock'] })
  })

  test.each([
    'not json', '', 'null', '[]', '7', '"panels"', '{}', '{"panels":null}', '{"panels":[1,2]}', '{"panels":"x"}', `{"panels":{"clock":null}}`,
    `{"panels":{"clock":{"x":0.1}}}`, JSON.stringify({ panels: { clock: { ...KEPT, x: 5 } } }), JSON.stringify({ panels: { clock: { ...KEPT, y: -1 } } }),
    JSON.stringify({ panels: { clock: { ...KEPT, width: '0.5' } } }), JSON.stringify({ panels: { clock: { ...KEPT, open: 'yes' } } }), `{"panels":{"clock":{"x":1e999,"y":0,"width":0,"height":0,"open":true,"pinned":true}}}`,
  ])('that is %s is not taken', (text) => {
    localStorage.setItem(KEY, text)
    expect(readLayout()?.panels ?? {}).toEqual({})
  })

  test('takes what makes sense and leaves the rest', () => {
    localStorage.setItem(KEY, JSON.stringify({ panels: { clock: { ...KEPT, script: '<img onerror=1>' }, map: { x: NaN } }, order: ['map', 7, 'clock', 'clock', null, '__proto__'] }))
    expect(readLayout()).toEqual({ panels: { clock: KEPT }, order: ['clock'] })
  })

  test('takes no more than there could be panels', () => {
    localStorage.setItem(KEY, JSON.stringify({ panels: Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`p${index}`, KEPT])), order: [] }))
    expect(Object.keys(readLayout()?.panels ?? {})).toHaveLength(40)
  })

  test('does not touch what every object has', () => {
    localStorage.setItem(KEY, `{"panels":{"__proto__":${JSON.stringify(KEPT)}},"order":["__proto__"]}`)
    readLayout()
    expect(({} as { open?: unknown }).open).toBeUndefined()
  })
})
