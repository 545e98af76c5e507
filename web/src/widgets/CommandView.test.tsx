import axe from 'axe-core'
import { act, useState } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadAtlas } from '@/map/atlas'
import { OnlineMap } from '@/map/online'
import { loadMaths } from '@/markdown/katex'
import { useStore } from '@/store'
import { button, clear, draw, press } from '@/testkit/draw'
import { opensSomething } from './command'
import { CommandView } from './CommandView'
import { SAMPLES } from './samples'

const PATIENCE = 20_000

// Imports the lazily loaded parts in advance, so that no test waits for the compiler.
beforeAll(async () => {
  await Promise.all([import('./Opened'), import('./chart/ChartView'), import('@/map/MapView'), import('@/scene/SceneView'), loadMaths(), loadAtlas('coarse'), loadAtlas('fine')])
})

beforeEach(() => {
  localStorage.clear()
  useStore.setState({ ticks: {} })
  // The DOM of the tests has no graphics, so that content which needs them falls back to text.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(640)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(360)
})

afterEach(clear)

async function show(action: string, payload: unknown, more: Partial<Parameters<typeof CommandView>[0]> = {}): Promise<HTMLElement> {
  const host = await draw(<CommandView id="act0000000001" action={action} payload={payload} {...more} />)
  await vi.waitFor(async () => {
    await act(async () => {})
    expect(host.querySelector('[aria-label="Opening"]')).toBeNull()
    // Content that needs a library is an empty stage until the library is loaded.
    expect(host.querySelector('div:is(.widget-stage, .chart-stage):not([tabindex]):empty')).toBeNull()
  }, PATIENCE)
  return host
}

const widget = (type: string, data: unknown, more: Partial<Parameters<typeof CommandView>[0]> = {}) => show('widget', { type, title: 'A title', data }, more)

async function key(target: Element | null | undefined, name: string): Promise<void> {
  await act(async () => void target?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true })))
}

describe('every kind', () => {
  test.each(SAMPLES.map((sample) => [sample.name, sample] as const))('is drawn, and axe finds nothing wrong: %s', async (_, { action, payload }) => {
    const host = await show(action, payload, { onPin: () => {}, onRun: async () => {} })
    expect(host.querySelector('[role=alert]')).toBeNull()
    expect(host.textContent).not.toContain('could not be shown')
    // Contrast needs a real page and is covered by the browser tests.
    const { violations } = await axe.run(host, { iframes: false, runOnly: ['wcag2a', 'wcag2aa'], rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
    expect(opensSomething(action)).toBe(true)
  })

  test('and nothing else opens', () => {
    expect(['time', 'memory_read', 'constructor', ''].map(opensSomething)).toEqual([false, false, false, false])
  })
})

const HTML = '<img src=x onerror=alert(1)><script>alert(1)</script><a href="javascript:alert(1)">x</a><b>bold</b>'
const EVERYWHERE = {
  title: HTML, text: HTML, name: HTML, label: HTML, front: HTML, back: HTML, when: HTML, from: HTML, subject: HTML, latex: `\\href{javascript:alert(1)}{${HTML}}`, summary: `${HTML} [1]`,
  points: [HTML], pros: [HTML], cons: [HTML], query: HTML, question: HTML, place: HTML, target: HTML, trouble: HTML,
}

describe('what is written in a payload', () => {
  const kinds = ['steps', 'summary', 'timeline', 'tabs', 'flashcards', 'checklist', 'emails', 'compare', 'formula', 'table'] as const
  test.each(kinds)('never becomes part of the page: %s', async (type) => {
    const data = type === 'compare' ? { items: [EVERYWHERE] } : type === 'summary' || type === 'formula' ? EVERYWHERE : [EVERYWHERE]
    check(await show('widget', { type, title: HTML, data }))
  })

  test.each([
    ['web_search', { query: HTML, results: [{ ...EVERYWHERE, url: 'javascript:alert(1)', site: HTML }] }],
    ['web_research', { ...EVERYWHERE, sources: [{ ...EVERYWHERE, url: 'https://ok.example', site: HTML }] }],
    ['weather', { ...EVERYWHERE, current: { temperature: 1, words: HTML }, days: [{ date: HTML, min: 1, max: 2, words: HTML }] }],
    ['spotify', { state: { ...EVERYWHERE, artist: HTML, device: HTML, coverUrl: 'javascript:alert(1)' } }],
    ['notify', EVERYWHERE],
    ['open', { ...EVERYWHERE, opened: false, url: 'javascript:alert(1)' }],
    ['map', { lat: 1, lon: 1, title: HTML, markers: [{ lat: 1, lon: 1, label: HTML }] }],
    ['scene', { title: HTML, shapes: [{ kind: 'box', label: HTML }] }],
    ['widget', { type: HTML, data: HTML }],
  ])('nor does it in %s', async (action, payload) => check(await show(action, payload)))

  function check(host: HTMLElement): void {
    expect(host.querySelector('script, img, [onerror], [onclick]')?.outerHTML ?? null).toBeNull()
    for (const link of document.querySelectorAll('a[href]')) {
      expect(link.getAttribute('href')).toMatch(/^https?:/)
      expect(link.getAttribute('rel')).toBe('noopener noreferrer')
    }
  }
})

describe('what cannot be shown', () => {
  test.each([[{ type: 'steps', data: 17 }], [{ type: 'chart', data: {} }], ['just words'], [null]])('%j says why, and shows what came', async (payload) => {
    const host = await show('widget', payload)
    expect(host.querySelector('[role=note]')?.textContent).toContain('This could not be shown.')
    expect(host.querySelector('pre')?.textContent).toBe(JSON.stringify(payload, null, 2))
  })

  test('is cut where it is long', async () => {
    const host = await show('widget', { type: 'hologram', data: 'x'.repeat(100_000) })
    expect(host.querySelector('pre')?.textContent?.length).toBeLessThan(5000)
  })
})

test('what is left out is said, and why', async () => {
  expect((await widget('steps', ['a', {}, [], 'b'])).textContent).toContain('2 of the steps could not be read')
  expect((await widget('compare', { columns: [...'abcdefghij'], rows: [['x', 1]] })).textContent).toContain('and 2 more columns')
})

describe('the frame', () => {
  test('pins and unpins', async () => {
    const pins: boolean[] = []
    await widget('steps', ['a'], { pinned: false, onPin: (pinned) => pins.push(pinned) })
    await press('Pin')
    await widget('steps', ['a'], { pinned: true, onPin: (pinned) => pins.push(pinned) })
    await press('Unpin')
    expect(pins).toEqual([true, false])
  })

  test('grows to the whole screen and back with what was done in it', async () => {
    const host = await widget('flashcards', [{ front: 'Q', back: 'A' }, { front: 'Q2', back: 'A2' }])
    await press('Turn to the back')
    await press('Show full screen')
    const dialog = document.querySelector('[role=dialog]')
    expect(dialog?.querySelector('[aria-label="Turn to the front"]')).not.toBeNull()
    expect(host.querySelector('.flashcard')).toBeNull()
    await press('Got it', dialog as Element)
    await press('Close')
    expect(document.querySelector('[role=dialog]')).toBeNull()
    expect(host.textContent).toContain('1 known')
  })
})

describe('flashcards', () => {
  const cards = [{ front: 'Q1', back: 'A1' }, { front: 'Q2', back: 'A2' }]
  const face = (host: HTMLElement) => host.querySelector('.flashcard-face[aria-hidden=false]')?.textContent

  test('turn, and go on with the arrow keys', async () => {
    const host = await widget('flashcards', cards)
    expect(face(host)).toContain('Q1')
    await press('Turn to the back')
    expect(face(host)).toContain('A1')
    await key(host.querySelector('.flashcard button'), 'ArrowRight')
    expect(face(host)).toContain('Q2')
    await key(host.querySelector('.flashcard button'), 'ArrowLeft')
    expect(face(host)).toContain('Q1')
  })

  test('are learned when each is known, and can be begun again', async () => {
    const host = await widget('flashcards', cards)
    await press('Again')
    await press('Got it')
    expect(host.textContent).toContain('1 known')
    await press('Got it')
    expect(host.textContent).toContain('You know all 2.')
    await press('Start over')
    expect(face(host)).toContain('Q1')
  })
})

test('tabs turn with the arrow keys, and only the open one is in the tab order', async () => {
  const host = await widget('tabs', [{ title: 'One', text: 'first' }, { title: 'Two', text: 'second' }, { title: 'Three', text: 'third' }])
  const open = () => host.querySelector('[aria-selected=true]')
  const panel = () => host.querySelector('[role=tabpanel]')?.textContent.trim()
  await key(open(), 'ArrowRight')
  expect([open()?.textContent, panel(), document.activeElement]).toEqual(['Two', 'second', open()])
  await key(open(), 'End')
  expect(panel()).toBe('third')
  await key(open(), 'ArrowRight')
  expect(panel()).toBe('first')
  expect([...host.querySelectorAll('[role=tab]')].map((tab) => (tab as HTMLElement).tabIndex)).toEqual([0, -1, -1])
})

describe('a checklist', () => {
  const boxes = (host: HTMLElement) => [...host.querySelectorAll<HTMLInputElement>('input[type=checkbox]')]
  const LIST = [{ text: 'a', done: true }, 'b']
  const ticked = (host: HTMLElement) => boxes(host).map(({ checked }) => checked)

  test('keeps its ticks by the act', async () => {
    const host = await widget('checklist', LIST)
    await act(async () => boxes(host)[0]?.click())
    await act(async () => boxes(host)[1]?.click())
    expect(ticked(await widget('checklist', LIST))).toEqual([false, true])
    expect(ticked(await widget('checklist', LIST, { id: 'another' }))).toEqual([true, false])
  })

  test('is the same list wherever it is shown, and copied as it is ticked', async () => {
    const written = vi.fn(async () => {})
    vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: { writeText: written } } }))
    const payload = { type: 'checklist', data: LIST }
    const host = await draw(
      <>
        <CommandView id="a" action="widget" payload={payload} />
        <CommandView id="a" action="widget" payload={payload} />
      </>,
    )
    await vi.waitFor(() => expect(boxes(host)).toHaveLength(4))
    await act(async () => boxes(host)[1]?.click())
    await act(async () => boxes(host)[2]?.click())
    expect(ticked(host)).toEqual([false, true, false, true])
    await press('Copy')
    expect(written).toHaveBeenCalledWith('- [ ] a\n- [x] b')
    vi.unstubAllGlobals()
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  })
})

test('what is looked at stays while the payload says the same, and another payload begins anew', async () => {
  const payload = (lat: number) => ({ lat, lon: 16, zoom: 4, markers: [{ lat, lon: 16, label: 'Here' }] })
  let put = (_: unknown) => {}
  function Changing() {
    const [held, setHeld] = useState<unknown>(payload(48))
    put = setHeld
    return <CommandView id="a" action="map" payload={held} />
  }
  const host = await draw(<Changing />)
  const scale = () => host.querySelector('.map-scale')?.getAttribute('style')
  await vi.waitFor(() => expect(scale()).toBeTruthy(), PATIENCE)
  const first = scale()
  await key(host.querySelector('.map'), 'ArrowUp')
  const farther = scale()
  expect(farther).not.toBe(first)
  await act(async () => put(payload(48)))
  expect(scale()).toBe(farther)
  await act(async () => put({ ...payload(48), zoom: 5 }))
  expect([first, farther]).not.toContain(scale())
})

describe('a table', () => {
  test('sorts up, down, and back', async () => {
    const host = await widget('table', { columns: ['n'], rows: [[2], [10], [1]] })
    const cells = () => [...host.querySelectorAll('td')].map((cell) => cell.textContent)
    const state = () => host.querySelector('th')?.getAttribute('aria-sort')
    await press('n')
    expect([cells(), state()]).toEqual([['1', '2', '10'], 'ascending'])
    await press('n')
    expect([cells(), state()]).toEqual([['10', '2', '1'], 'descending'])
    await press('n')
    expect([cells(), state()]).toEqual([['2', '10', '1'], 'none'])
  })

  test('of ten thousand rows draws a hundred, and more when asked', async () => {
    const host = await widget('table', { columns: ['n'], rows: Array.from({ length: 12_000 }, (_, index) => [index]) })
    expect(host.querySelectorAll('tbody tr')).toHaveLength(100)
    expect(host.textContent).toContain('100 of 10,000 rows, and 2,000 more that were left out')
    await press('Show 100 more')
    expect(host.querySelectorAll('tbody tr')).toHaveLength(200)
  })

  test('is copied as CSV', async () => {
    const written = vi.fn(async () => {})
    vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: { writeText: written } } }))
    await widget('table', { columns: ['a', 'b'], rows: [['x, y', 1.5]] })
    await press('Copy')
    expect(written).toHaveBeenCalledWith('a,b\n"x, y",1.5')
    vi.unstubAllGlobals()
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  })
})

describe('an interactive page', () => {
  const page = () => widget('interactive', { html: '<p>x</p>' }, { id: 'a/../b' })
  const frame = (host: HTMLElement) => host.querySelector('iframe')

  test('is not even fetched before somebody wants it', async () => {
    const host = await page()
    expect(frame(host)).toBeNull()
    expect(host.textContent).toMatch(/A title.*may reach the network/)
    expect(host.textContent).not.toMatch(/nothing else|neither/)
  })

  test('is shut off from this one, begins again, and stops, with the keyboard at the button that ends it', async () => {
    const host = await page()
    await press('Run it')
    const first = frame(host)
    expect([first?.getAttribute('sandbox'), first?.getAttribute('src'), first?.hasAttribute('srcdoc')]).toEqual(['allow-scripts', '/frame/a%2F..%2Fb', false])
    expect(document.activeElement).toBe(button('Stop'))
    await press('Reset')
    expect(frame(host)).not.toBeNull()
    expect(frame(host)).not.toBe(first)
    await press('Stop')
    expect(frame(host)).toBeNull()
    expect(document.activeElement).toBe(button('Run it'))
  })

  test('does not run in another view of it, nor when it is seen again', async () => {
    await page()
    await press('Run it')
    expect(frame(await page())).toBeNull()
  })
})

test('the marks of a research lead to their sources', async () => {
  const host = await show('web_research', { question: 'q', summary: 'So [1], and so [2, 1].', sources: [{ title: 'A', url: 'https://a.example/' }, { title: 'B', url: 'https://b.example/' }] })
  const marks = [...host.querySelectorAll('.cited a')].map((mark) => `${mark.textContent} ${mark.getAttribute('href')}`)
  expect(marks).toEqual(['1 https://a.example/', '2 https://b.example/', '1 https://a.example/'])
})

describe('the player', () => {
  const state = { player: 'spotify', playing: true, title: 'Song', artist: 'Someone', positionMs: 1000, durationMs: 90_000, volume: 40 }

  test('asks for what its buttons say', async () => {
    const asked: unknown[] = []
    await show('spotify', { state }, { onRun: async (tool, args) => void asked.push([tool, args]) })
    for (const name of ['Previous', 'Pause', 'Next', 'Check what is playing']) await press(name)
    expect(asked).toEqual(['previous', 'pause', 'next', 'status'].map((action) => ['spotify', { action }]))
  })

  test('takes no second call while one runs, and says so; the volume that was set meanwhile is told afterwards', async () => {
    const asked: unknown[] = []
    const ended: (() => void)[] = []
    const onRun = (_: string, args: Record<string, unknown>) => new Promise<void>((resolve) => void (asked.push(args), ended.push(resolve)))
    const host = await show('spotify', { state }, { onRun })
    await press('Next')
    await press('Previous')
    expect(['Previous', 'Pause', 'Next', 'Check what is playing'].map((name) => button(name)?.getAttribute('aria-disabled'))).toEqual(['true', 'true', 'true', 'true'])
    expect(host.querySelector('[aria-busy=true]')).not.toBeNull()
    const slider = host.querySelector('input') as HTMLInputElement
    await act(async () => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(slider, '80')
      slider.dispatchEvent(new Event('input', { bubbles: true }))
    })
    await act(async () => void slider.dispatchEvent(new PointerEvent('pointerup', { bubbles: true })))
    expect(asked).toEqual([{ action: 'next' }])
    await act(async () => ended[0]?.())
    expect(asked).toEqual([{ action: 'next' }, { action: 'volume', volume: 80 }])
    await act(async () => ended[1]?.())
    expect(host.querySelector('[aria-busy=true]')).toBeNull()
    await press('Previous')
    expect(asked.at(-1)).toEqual({ action: 'previous' })
  })

  test('shows what the next payload says', async () => {
    const host = await show('spotify', { state })
    expect(host.textContent).toContain('Song')
    const next = await show('spotify', { state: { ...state, playing: false, title: 'Another' } }, { onRun: async () => {} })
    expect(next.textContent).toContain('Another')
    expect(button('Play')).toBeDefined()
  })

  test('has no buttons where nothing can act', async () => {
    await show('spotify', { state })
    expect(button('Pause')).toBeUndefined()
  })
})

test('a link that could not be opened there is offered here', async () => {
  const host = await show('open', { target: 'https://example.org', kind: 'url', opened: false })
  expect(host.querySelector('a')?.getAttribute('href')).toBe('https://example.org/')
  expect((await show('open', { target: 'https://example.org', kind: 'url', opened: true })).querySelector('a')).toBeNull()
})

describe('the map', () => {
  test('asks the network for nothing unless it may', async () => {
    const host = await show('map', { lat: 1, lon: 2, markers: [{ lat: 1, lon: 2, label: 'Here' }] })
    expect(host.querySelectorAll('canvas')).toHaveLength(2)
    expect(host.querySelector('img')).toBeNull()
    expect(button('Here')).toBeDefined()
  })

  test('fetches tiles through Perigee where it may', async () => {
    const host = await draw(
      <OnlineMap value>
        <CommandView id="a" action="map" payload={{ lat: 48.2, lon: 16.4, zoom: 3 }} />
      </OnlineMap>,
    )
    await vi.waitFor(() => expect(host.querySelector('img')).not.toBeNull(), PATIENCE)
    for (const tile of host.querySelectorAll('img')) expect(tile.getAttribute('src')).toMatch(/^\/api\/map\/tiles\/3\/[0-7]\/[0-7]$/)
  })
})

test('a scene without WebGL says what it would show', async () => {
  const host = await show('scene', { shapes: [{ kind: 'box', label: 'House' }, { kind: 'cone' }] })
  expect(host.textContent).toContain('does not support WebGL')
  expect(host.textContent).toContain('House (box), cone')
})
