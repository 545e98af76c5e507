import '@/testkit/browser'
import { act as settle } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { useStore } from '@/store'
import { receive } from '@/store/boot'
import { button, clear, draw, press } from '@/testkit/draw'
import { personality } from '@/testkit/memory'
import { requests, routes, json, refusal, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import PersonalityPage from './PersonalityPage'
import { axisDates, axisStart } from './axis'
import { undoneText } from './manualChanges'
import { points, steps } from './TraitLine'
import { SIDES, positionWords } from './wording'

const state = () => useStore.getState()
const CHAT = '0000000000abc'
const text = () => document.body.textContent ?? ''
/** Noon in August in local time, so that no day ends during the test and no clock change is near. */
const NOW = new Date(2026, 7, 20, 12)
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString()
const sent = (route: string) => requests.filter((call) => call.route === route).map(({ body }) => body)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  serve()
  freshStores({ route: { page: 'personality' } })
  Element.prototype.scrollIntoView = () => {}
  routes['GET /api/personality'] = () => json(personality())
})

afterEach(async () => {
  await clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const slide = (value: string) =>
  settle(async () => {
    const slider = document.querySelector<HTMLInputElement>('input[type=range]')
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(slider, value)
    slider?.dispatchEvent(new Event('input', { bubbles: true }))
  })

describe('the page of her personality', () => {
  test('shows the tone as she reads it, where each side stands, and what moved it', async () => {
    const moves = [
      { at: daysAgo(6), value: 0.5, why: 'a hard day', conversationId: null, messageId: null },
      { at: daysAgo(5), value: 0.6, why: 'you laughed', conversationId: CHAT, messageId: CHAT },
    ]
    routes['GET /api/personality'] = () => json(personality({}, { moves }))
    await draw(<PersonalityPage />)
    expect(text()).toContain('You are cheerful.')
    expect(text()).toContain('rather bright')
    await press('you laughed')
    expect(document.querySelector(`a[href="#/c/${CHAT}/${CHAT}"]`)?.textContent).toBe('you laughed')
    expect(document.querySelector('ol')?.textContent).toContain('a hard day')
    expect([...document.querySelectorAll('ol svg')].map((icon) => icon.getAttribute('aria-label'))).toEqual(['up', 'set'])
    expect([...document.querySelectorAll('time')].map((time) => time.textContent)).toContain('Aug 14')
  })

  test('sets a side when the slider rests, once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      routes['PATCH /api/personality'] = () => json(personality({ canUndo: true }, { value: 0.8 }))
      await draw(<PersonalityPage />)
      await slide('0.7')
      await slide('0.8')
      await settle(async () => void vi.advanceTimersByTime(400))
      expect(sent('PATCH /api/personality')).toEqual([{ traits: [{ dimension: 'mood', value: 0.8 }] }])
      expect(document.querySelector<HTMLInputElement>('input[type=range]')?.value).toBe('0.8')
    } finally {
      vi.useRealTimers()
    }
  })

  test('locks a side, and goes back where that fails', async () => {
    routes['PATCH /api/personality'] = () => refusal(500, 'internal', 'the disk is full')
    await draw(<PersonalityPage />)
    await press('Lock mood where it is')
    expect(button('Lock mood where it is')).toBeDefined()
    expect(state().notices.at(-1)?.text).toBe('The disk is full.')
    routes['PATCH /api/personality'] = () => json(personality({}, { locked: true }))
    await press('Lock mood where it is')
    expect(button('Unlock mood')?.getAttribute('aria-pressed')).toBe('true')
  })

  test('starts over, and takes that back', async () => {
    routes['POST /api/personality/reset'] = () => json(personality({ tone: 'At rest.', canUndo: true }))
    routes['POST /api/personality/undo'] = () => json(personality({ tone: 'As before.' }))
    await draw(<PersonalityPage />)
    await press('Start over')
    expect(text()).toContain('At rest.')
    const withdrawn = state().notices.at(-1)?.id
    await press('Undo: Start over')
    expect(text()).toContain('As before.')
    expect(state().notices.map(({ id }) => id)).not.toContain(withdrawn)
  })

  test('names what an undo takes back, and says what came of it', async () => {
    let now = personality({}, { dimension: 'humor', value: 0.5, rest: 0.5 })
    const set = (trait: Parameters<typeof personality>[1], canUndo = true) => () => {
      now = personality({ canUndo }, { dimension: 'humor', ...trait })
      return json(now)
    }
    routes['GET /api/personality'] = () => json(now)
    await draw(<PersonalityPage />)
    routes['PATCH /api/personality'] = set({ value: 0.8, rest: 0.8 })
    await settle(async () => state().changeTrait({ dimension: 'humor', value: 0.8 }))
    expect(button('Undo: Humour set to 80 %')?.title).toBe('Undo: Humour set to 80 %')
    routes['PATCH /api/personality'] = set({ value: 0.8, rest: 0.8, locked: true })
    await press('Lock humour where it is')
    routes['POST /api/personality/undo'] = set({ value: 0.8, rest: 0.8 })
    await press('Undo: Humour locked')
    expect(state().notices.at(-1)?.text).toBe('Humour is no longer locked.')
    routes['POST /api/personality/undo'] = set({ value: 0.5, rest: 0.5 }, false)
    await press('Undo: Humour set to 80 %')
    expect(state().notices.map(({ text: said }) => said)).toEqual(['Humour is back at 50 %.'])
  })

  test('does not name what was changed elsewhere', async () => {
    routes['GET /api/personality'] = () => json(personality({ canUndo: true }))
    routes['PATCH /api/personality'] = () => json(personality({ canUndo: true }, { value: 0.8, rest: 0.8 }))
    await draw(<PersonalityPage />)
    expect(button('Undo the last manual change')).toBeDefined()
    await settle(async () => state().changeTrait({ dimension: 'mood', value: 0.8 }))
    // A value that drifts by itself is not a manual change.
    routes['GET /api/personality'] = () => json(personality({ canUndo: true }, { value: 0.7, rest: 0.8 }))
    await settle(async () => receive({ action: 'personality_changed' }))
    expect(button('Undo: Mood set to 80 %')).toBeDefined()
    routes['GET /api/personality'] = () => json(personality({ canUndo: true }, { value: 0.2, rest: 0.2 }))
    await settle(async () => receive({ action: 'personality_changed' }))
    expect(button('Undo the last manual change')).toBeDefined()
  })

  test('shows more of what moved a side when it is asked to', async () => {
    const moves = Array.from({ length: 70 }, (_, at) => ({ at: `2026-11-14T20:00:${String(at % 60).padStart(2, '0')}Z`, value: 0.5, why: `move ${at}`, conversationId: null, messageId: null }))
    routes['GET /api/personality'] = () => json(personality({}, { moves }))
    await draw(<PersonalityPage />)
    await press('move 69')
    const shown = () => document.querySelectorAll('ol li').length
    expect(shown()).toBe(30)
    await press('Show more of what moved mood')
    expect(shown()).toBe(60)
    await press('Show more of what moved mood')
    expect(shown()).toBe(70)
    expect(button('Show more of what moved mood')).toBeUndefined()
  })

  test('follows what happens elsewhere, and says what went wrong', async () => {
    routes['GET /api/personality'] = () => refusal(500, 'internal', 'the disk is full')
    await draw(<PersonalityPage />)
    expect(text()).toContain('The disk is full.')
    routes['GET /api/personality'] = () => json(personality())
    await press('Try again')
    routes['GET /api/personality'] = () => json(personality({ tone: 'Moved elsewhere.' }))
    await settle(async () => receive({ action: 'personality_changed' }))
    expect(text()).toContain('Moved elsewhere.')
  })
})

describe('a line over time', () => {
  const move = (at: string, value: number) => ({ at, value, why: '', conversationId: null, messageId: null })

  test('goes through every move in order, and ends today', () => {
    const now = Date.parse('2026-11-15T00:00:00Z')
    expect(points([move('2026-11-14T00:00:00Z', 0.5), move('2026-11-13T00:00:00Z', 0.4)], 0.6, now).map(({ value }) => value)).toEqual([0.4, 0.5, 0.6])
    expect(points([], 0.6, now)).toEqual([{ at: now, value: 0.6 }])
  })

  test('keeps each value until the next move, and jumps there', () => {
    const all = [{ at: 0, value: 0.5 }, { at: 10, value: 0.9 }, { at: 30, value: 0.2 }]
    expect(steps(all, (at) => at, (value) => value * 10)).toBe('M0.0 5.0H10.0V9.0H30.0V2.0')
  })

  test.each([
    ['2026-11-15T12:00:00', ['12:00']],
    ['2026-11-15T05:00:00', ['05:00', '09:00']],
    ['2026-11-14T13:00:00', ['Nov 14, 13:00', 'Nov 15, 01:00']],
    ['2026-11-05T13:00:00', ['Nov 5', 'Nov 10']],
    ['2025-09-15T13:00:00', ['Sep 2025', 'Apr 2026']],
  ])('that begins at %s has dates', (from, words) => {
    const clock = (text: string) => text.replace(/(\d+:\d+).(AM|PM)/, (_, time: string, half: string) => (half === 'PM' && !time.startsWith('12') ? time.replace(/^\d+/, (hour) => String(Number(hour) + 12)) : time))
    expect(axisDates(Date.parse(from), Date.parse('2026-11-15T13:00:00')).map((date) => clock(date.words))).toEqual(words)
  })

  test('fills its width with what is shown, and is an hour long at least', () => {
    const now = Date.parse('2026-11-15T13:00:00Z')
    const hours = (...ago: number[]) => axisStart(ago.map((hour) => now - hour * 3_600_000), now)
    expect(hours(24, 12, 2)).toBe(now - 24 * 3_600_000)
    // Days of rest before an evening of moves do not push these to the edge.
    expect(hours(480, 3, 2)).toBe(now - 3 * 3_600_000)
    expect(hours(480)).toBe(now - 480 * 3_600_000)
    expect([hours(), hours(0.1), hours(480, 0.1)]).toEqual([now - 3_600_000, now - 3_600_000, now - 3_600_000])
  })

  test('leaves out what is no moment or no number', () => expect(points([move('never', 0.5), move('2026-11-14T00:00:00Z', Number.NaN)], 0.6, 0)).toHaveLength(1))
})

test('an undo of many sides names them, those first that a hand had set', () => {
  const sides = (...values: [number, number][]) => ({ tone: '', canUndo: true, traits: values.map(([value, rest], at) => ({ dimension: (['mood', 'energy', 'humor'] as const)[at] ?? 'mood', value, rest, locked: false, moves: [] })) })
  expect(undoneText(sides([0.5, 0.5], [0.5, 0.5], [0.6, 0.5]), sides([0.7, 0.7], [0.3, 0.3], [0.5, 0.5]))).toBe('Mood and energy are back where they were.')
  expect(undoneText(sides([0.5, 0.5]), sides([0.6, 0.5]))).toBe('Mood is back at 60 %.')
  expect(undoneText(sides([0.5, 0.5]), sides([0.5, 0.5]))).toBe('The change is undone.')
})

test.each([
  [0.05, 'subdued'], [0.4, 'rather subdued'], [0.5, 'in between'], [0.6, 'rather bright'], [0.95, 'bright'],
])('%f is %s', (value, words) => expect(positionWords(SIDES.mood, value)).toBe(words))
