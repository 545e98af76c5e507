import '@/testkit/browser'
import { act as settle } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Fact } from '@/api/protocol.gen'
import type { Route } from '@/shell/route'
import { useStore } from '@/store'
import { button, clear, draw, press } from '@/testkit/draw'
import { fact, factList, fileView, forgetReport, item, vectorEntry } from '@/testkit/memory'
import { requests, routes, json, refusal, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { readMemoryDrafts } from './drafts'
import FactDialog from './FactDialog'
import ForgetDialog from './ForgetDialog'
import ImportDialog from './ImportDialog'
import MemoryPage from './MemoryPage'
import MergeDialog from './MergeDialog'
import { useMemoryStore } from './useMemoryStore'

const state = () => useStore.getState()
const memory = () => useMemoryStore.getState()
const LIST = 'GET /api/memory?status=current&limit=100'
const CHAT = '0000000000abc'
const MESSAGE = '0000000000abd'

beforeEach(() => {
  localStorage.clear()
  serve()
  freshStores()
  Element.prototype.scrollIntoView = () => {}
  Element.prototype.scrollTo = () => {}
})

afterEach(async () => {
  await clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const text = () => document.body.textContent ?? ''
const field = (label: string) => document.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[aria-label="${label}"]`)
const type = (label: string, value: string) =>
  settle(async () => {
    const found = document.querySelector<HTMLInputElement>(`input[aria-label="${label}"], textarea[aria-label="${label}"], select[aria-label="${label}"]`)
    if (!found) throw new Error(`there is no field “${label}”`)
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(found) as object, 'value')?.set?.call(found, value)
    found.dispatchEvent(new Event(found.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }))
  })
const key = (name: string, more: KeyboardEventInit = {}, on: Element | null = document.activeElement) =>
  settle(async () => void on?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...more })))
const rows = () => [...document.querySelectorAll<HTMLElement>('[data-row]')]
const frame = () => settle(async () => void (await new Promise((done) => requestAnimationFrame(done))))
const sent = (route: string) => requests.filter((call) => call.route === route).map(({ body }) => body)
const history = (changes: unknown[] = [], canUndo = false) => () => json({ changes, canUndo })

async function show(route: Route, ...facts: Fact[]): Promise<void> {
  routes[LIST] ??= () => json(factList(facts))
  useStore.setState({ route })
  await draw(<MemoryPage />)
}

/** Simulates a reload of the page. */
async function reload(route: Route): Promise<void> {
  await clear()
  window.dispatchEvent(new Event('pagehide'))
  freshStores()
  useMemoryStore.setState({ memoryDrafts: readMemoryDrafts() })
  await show(route)
}

describe('what she knows', () => {
  test('stands in lines with whom it is about, how sure she is, and whose words it rests on', async () => {
    await show(
      { page: 'memory' },
      fact('a', 'The dog is called Max.', { subject: 'Max', private: true, useCount: 2, lastUsedAt: new Date().toISOString() }),
      fact('b', 'Likes tea.', { category: 'preference', origins: [{ kind: 'web', name: 'https://tea.example' }], halfLifeDays: null }),
    )
    expect(rows().map((row) => row.textContent)).toEqual([expect.stringMatching(/^The dog is called Max\.Personal, about Maxcame up just nowprivate/), expect.stringMatching(/^Likes tea\.Taste, about you.*outside text: a page: https:\/\/tea\.example/)])
    expect(rows()[1]?.textContent).not.toContain('until')
    expect([...document.querySelectorAll('svg[role=img]')].map((meter) => meter.getAttribute('aria-label'))).toEqual([
      'Sure (90 %). Half of that fades in 3 months unless it comes up again.',
      'Sure (90 %). Does not fade.',
    ])
  })

  test('says until when it holds', async () => {
    const year = new Date().getFullYear() + 1
    await show({ page: 'memory' }, fact('a', 'The car is at the garage.', { expiresAt: new Date(year, 10, 20).toISOString(), halfLifeDays: null }))
    expect(rows()[0]?.textContent).toContain(`until November 20, ${year}`)
    expect(document.querySelector('svg[role=img]')?.getAttribute('aria-label')).toBe(`Sure (90 %). Valid until November 20, ${year}.`)
  })

  test('is walked by the arrows, opened by Enter or E, and forgotten by Delete after a look', async () => {
    routes['GET /api/memory/b/history'] = history()
    routes['POST /api/memory/forget'] = () => json(forgetReport())
    await show({ page: 'memory' }, fact('a', 'A'), fact('b', 'B'))
    rows()[0]?.focus()
    await key('ArrowDown')
    await frame()
    expect(document.activeElement).toBe(rows()[1])
    await key('e')
    expect(field('What the fact says')?.value).toBe('B')
    expect(document.activeElement).toBe(field('What the fact says'))
    await key('Escape')
    await frame()
    expect(document.activeElement).toBe(rows()[1])
    await key('Delete')
    expect(sent('POST /api/memory/forget')).toEqual([{ fact: 'b', also: [], leave: [], confirm: false }])
    expect(state().overlay).toEqual({ kind: 'forget' })
  })

  test('that is left without words stays open, and says why', async () => {
    routes['GET /api/memory/a/history'] = history()
    await show({ page: 'memory' }, fact('a', 'A'))
    rows()[0]?.focus()
    await key('e')
    await type('What the fact says', '  ')
    await key('s', { ctrlKey: true })
    expect(field('What the fact says')).not.toBeNull()
    expect(text()).toContain('It cannot be empty.')
  })

  test('says how sure she is, as a number, too', async () => {
    await show({ page: 'memory' }, fact('a', 'A', { confidence: 0.65, halfLifeDays: 90 }))
    expect(rows()[0]?.textContent).toContain('65 %')
  })

  test('is changed in place: Ctrl+S saves, Escape does not', async () => {
    routes['GET /api/memory/a/history'] = history()
    routes['PATCH /api/memory/a'] = ({ content }) => json(fact('a', String(content)))
    await show({ page: 'memory' }, fact('a', 'A'), fact('b', 'B'))
    const open = () => settle(async () => rows()[0]?.click())
    await open()
    await type('What the fact says', 'Thrown away')
    await key('Escape', {}, field('What the fact says'))
    expect(requests.some(({ route }) => route.startsWith('PATCH'))).toBe(false)
    await open()
    expect(field('What the fact says')?.value).toBe('A')
    await type('What the fact says', 'Saved')
    await key('s', { ctrlKey: true }, field('What the fact says'))
    expect(rows()[0]?.textContent).toMatch(/^Saved/)
    expect(sent('PATCH /api/memory/a')).toEqual([{ content: 'Saved' }])
  })

  test('that was left in the middle of a change is as it was, and the change waits', async () => {
    routes['GET /api/memory/a/history'] = history()
    routes['GET /api/memory/b/history'] = history()
    routes['GET /api/memory/timeline'] = () => json({ days: [], next: null })
    await show({ page: 'memory' }, fact('a', 'A'), fact('b', 'B'))
    await settle(async () => rows()[0]?.click())
    await type('What the fact says', 'Begun')
    await settle(async () => useStore.setState({ route: { page: 'memory', tab: 'timeline' } }))
    expect(text()).toContain('Nothing here yet')
    await settle(async () => useStore.setState({ route: { page: 'memory' } }))
    expect(field('What the fact says')?.value).toBe('Begun')
    // While the first fact is open, the only remaining line is the second one.
    await settle(async () => rows()[0]?.click())
    expect(field('What the fact says')?.value).toBe('B')
    expect(text()).toContain('You have an unsaved change.')
    await press('Continue editing: A')
    expect(field('What the fact says')?.value).toBe('Begun')
    await reload({ page: 'memory' })
    expect(text()).toContain('You have an unsaved change.')
    await press('Discard the change: A')
    expect(text()).not.toContain('You have an unsaved change.')
    await settle(async () => rows()[0]?.click())
    expect(field('What the fact says')?.value).toBe('A')
    expect(requests.some(({ route }) => route.startsWith('PATCH'))).toBe(false)
  })

  test('says what went wrong where a change did not get through, and has the words still', async () => {
    routes['GET /api/memory/a/history'] = history()
    routes['PATCH /api/memory/a'] = () => refusal(500, 'internal', 'the disk is full')
    await show({ page: 'memory' }, fact('a', 'A'))
    await settle(async () => rows()[0]?.click())
    await type('What the fact says', 'B')
    await press('Save')
    expect(rows()[0]?.textContent).toMatch(/^A/)
    expect(document.querySelector('[role=alert]')?.textContent).toMatch(/^The disk is full\. It stays as it was\./)
    await press('Change it again')
    expect(field('What the fact says')?.value).toBe('B')
  })

  test('leads to the message that it came from, and tells its history', async () => {
    routes['GET /api/memory/a/history'] = history([{ at: '2026-11-14T20:00:00Z', kind: 'replaced', before: null, other: 'old', otherContent: 'Lived in Lyon.', changed: [] }], true)
    routes['POST /api/memory/a/undo'] = () => json(fact('a', 'Before.'))
    await show({ page: 'memory' }, fact('a', 'A', { quote: 'I moved to Vienna', source: { kind: 'conversation', conversationId: CHAT, messageId: MESSAGE, title: 'Night train' } }))
    await settle(async () => rows()[0]?.click())
    expect(text()).toContain('“I moved to Vienna”')
    expect([...document.querySelectorAll('a')].find((link) => link.textContent === 'Where does this come from?')?.getAttribute('href')).toBe(`#/c/${CHAT}/${MESSAGE}`)
    await press('History')
    expect(document.querySelector('a[href="#/memory/facts/old"]')?.textContent).toBe('Lived in Lyon.')
    await press('Undo the last change')
    expect(sent('POST /api/memory/a/undo')).toHaveLength(1)
  })

  test('that waits is answered with a yes or a no', async () => {
    routes[LIST] = () => json(factList([fact('a', 'A')], { unconfirmed: 1 }))
    routes['GET /api/memory?status=unconfirmed&limit=100'] = () => json(factList([fact('w', 'W', { status: 'unconfirmed' })], { unconfirmed: 1 }))
    routes['PATCH /api/memory/w'] = () => json(fact('w', 'W'))
    await show({ page: 'memory' })
    expect(text()).toContain('One thing she read elsewhere is waiting for you to confirm.')
    await press('Look at it')
    await press('Correct: W')
    expect(sent('PATCH /api/memory/w')).toEqual([{ confirmed: true }])
    expect(text()).toContain('Nothing is waiting for you to confirm.')
  })

  test('is chosen with X, until one goes elsewhere', async () => {
    await show({ page: 'memory' }, fact('a', 'A dog'), fact('b', 'A dog called Max'), fact('c', 'C'))
    rows()[0]?.focus()
    await key('x')
    expect(text()).toContain('Select another to merge them')
    rows()[1]?.focus()
    await key('x')
    await press('Merge into one')
    expect(state().overlay).toEqual({ kind: 'mergeFacts' })
    expect(memory().chosenFacts.map(({ id }) => id)).toEqual(['a', 'b'])
    routes['GET /api/memory/timeline'] = () => json({ days: [], next: null })
    await settle(async () => useStore.setState({ route: { page: 'memory', tab: 'timeline' } }))
    expect(memory().chosenFacts).toEqual([])
  })

  test('is merged, in words that can be changed', async () => {
    routes['POST /api/memory/merge'] = ({ content }) => json(fact('a', String(content)))
    useStore.setState({ overlay: { kind: 'mergeFacts' } })
    useMemoryStore.setState({ chosenFacts: [fact('a', 'A dog'), fact('b', 'A dog called Max')] })
    await draw(<MergeDialog />)
    expect(field('What the merged fact says')?.value).toBe('A dog called Max')
    const choices = () => [...document.querySelectorAll<HTMLInputElement>('fieldset input[type=radio]')].map(({ checked, parentElement }) => [parentElement?.textContent, checked])
    expect(choices()).toEqual([['A dog', false], ['A dog called Max', true]])
    await settle(async () => document.querySelector<HTMLInputElement>('fieldset input[type=radio]')?.click())
    expect(field('What the merged fact says')?.value).toBe('A dog')
    expect(choices()).toEqual([['A dog', true], ['A dog called Max', false]])
    await type('What the merged fact says', 'A dog, Max')
    await press('Merge')
    expect(sent('POST /api/memory/merge')).toEqual([{ ids: ['a', 'b'], content: 'A dog, Max' }])
    expect(state().overlay).toBeNull()
  })

  test('has boxes to choose by for those who touch and never come near', async () => {
    await show({ page: 'memory' }, fact('a', 'A'))
    const [icon, box] = ['svg', 'span'].map((part) => document.querySelector(`label:has(input[aria-label="Select: A"]) > ${part}`)?.getAttribute('class')?.split(' '))
    expect(icon).toContain('touch:hidden')
    expect(box).toContain('touch:grid')
  })

  test.each([
    [500, 'nearest'],
    [600, 'start'],
  ])('that is %i high and opened in a page of 800 shows its beginning below the search', async (height, block) => {
    routes['GET /api/memory/a/history'] = history()
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800)
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(height)
    const scrolled = vi.fn()
    await show({ page: 'memory' }, fact('a', 'A'))
    Element.prototype.scrollIntoView = scrolled
    await settle(async () => rows()[0]?.click())
    expect(scrolled.mock.calls).toEqual([[{ block }]])
    expect(document.querySelector('section[aria-label=A]')?.className).toContain('scroll-mt-32')
  })

  test('is searched by the server once typing rests, and / leads there', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      routes['GET /api/memory?q=tea&status=current&limit=100'] = () => json(factList([]))
      await show({ page: 'memory' }, fact('a', 'A'))
      await key('/', {}, document.body)
      expect(document.activeElement).toBe(document.querySelector('input[aria-label="Search what she knows"]'))
      await type('Search what she knows', 't')
      await type('Search what she knows', 'tea')
      await settle(async () => void vi.advanceTimersByTime(250))
      expect(requests.filter(({ route }) => route.includes('q=')).map(({ route }) => route)).toEqual(['GET /api/memory?q=tea&status=current&limit=100'])
      expect(text()).toContain('Nothing she knows matches.')
    } finally {
      vi.useRealTimers()
    }
  })

  test('is counted by kinds among what was found', async () => {
    const list = [fact('a', 'Green tea', { category: 'preference' }), fact('b', 'A tea shop'), fact('c', 'A dog')]
    routes['GET /api/memory?q=tea&status=current&limit=100'] = () => json({ ...factList(list), facts: list.slice(0, 2), total: 2 })
    const kinds = () => [...document.querySelectorAll('[aria-label=Kinds] button')].map((kind) => kind.textContent)
    await show({ page: 'memory' }, ...list)
    expect(kinds()).toEqual(['All3', 'Taste1', 'Personal2'])
    await settle(async () => memory().openFacts({ q: 'tea' }))
    expect(kinds()).toEqual(['All2', 'Taste1', 'Personal1'])
  })

  test('begins empty with the next step, and says what went wrong', async () => {
    await show({ page: 'memory' })
    expect(text()).toContain('Nothing yet')
    await press('Import from another app')
    expect(state().overlay).toEqual({ kind: 'importMemory' })
    routes[LIST] = () => refusal(500, 'internal', 'the disk is full')
    useMemoryStore.setState({ facts: useMemoryStore.getInitialState().facts })
    await draw(<MemoryPage />)
    expect(text()).toContain('The disk is full.')
    routes[LIST] = () => json(factList([fact('a', 'A')]))
    await press('Try again')
    expect(rows()).toHaveLength(1)
  })

  test('of ten thousand draws a window of them', async () => {
    await show({ page: 'memory' }, ...Array.from({ length: 10_000 }, (_, at) => fact(`f${at}`, `Fact ${at}`)))
    expect(rows().length).toBeLessThan(60)
    expect(document.querySelector('li[data-item]')?.getAttribute('aria-setsize')).toBe('10000')
  })

  test('is added by hand, and a sentence is asked for', async () => {
    routes['POST /api/memory'] = (body) => json(fact('n', String(body['content'])), 201)
    await draw(<FactDialog />)
    await press('Save')
    expect(text()).toContain('Write a sentence first.')
    await type('What she should know', ' Anna eats no fish. ')
    await press('Make it private')
    await press('Save')
    expect(sent('POST /api/memory')).toEqual([{ content: 'Anna eats no fish.', private: true }])
  })

  test('that is being added is there when the dialog is opened again, until it is saved or cleared', async () => {
    routes['POST /api/memory'] = (body) => json(fact('n', String(body['content'])), 201)
    const again = async () => {
      await clear()
      await draw(<FactDialog />)
    }
    state().show({ kind: 'addFact' })
    await again()
    await type('What she should know', 'Anna eats no')
    await type('Kind', 'health')
    await key('Escape', {}, field('What she should know'))
    expect(state().overlay).toBeNull()
    await again()
    expect([field('What she should know')?.value, field('Kind')?.value]).toEqual(['Anna eats no', 'health'])
    await press('Clear')
    await again()
    expect([field('What she should know')?.value, field('Kind')?.value]).toEqual(['', ''])
    await type('What she should know', 'Anna eats no fish.')
    await press('Save')
    expect(memory().memoryDrafts).toEqual({})
  })
})

describe('one fact on its own page', () => {
  test('is changed there, and a past one is not', async () => {
    routes['GET /api/memory/a'] = () => json(fact('a', 'A', { status: 'superseded', supersededBy: 'b' }))
    routes['GET /api/memory/a/history'] = history()
    await show({ page: 'memory', tab: 'facts', item: 'a' })
    expect(text()).toContain('Replaced by something newer')
    expect(document.querySelector('a[href="#/memory/facts/b"]')).not.toBeNull()
    expect(field('What the fact says')).toBeNull()
  })

  test('keeps what was begun there, whatever is heard of it meanwhile', async () => {
    routes['GET /api/memory/a'] = () => json(fact('a', 'A'))
    routes['GET /api/memory/a/history'] = history()
    await show({ page: 'memory', tab: 'facts', item: 'a' })
    await type('What the fact says', 'Begun')
    routes['GET /api/memory/a'] = () => json(fact('a', 'A', { useCount: 1, updatedAt: '2026-11-15T20:00:00Z' }))
    await settle(async () => memory().openFactPage('a'))
    expect(field('What the fact says')?.value).toBe('Begun')
    await key('Escape', {}, field('What the fact says'))
    expect(field('What the fact says')?.value).toBe('A')
    expect(requests.some(({ route }) => route.startsWith('PATCH'))).toBe(false)
  })

  test('may be gone', async () => {
    await show({ page: 'memory', tab: 'facts', item: 'a' })
    expect(text()).toContain('She no longer knows this.')
  })
})

describe('the dialog of forgetting', () => {
  const report = forgetReport({
    removed: [{ place: 'facts', count: 1, example: null }, { place: 'messages', count: 2, example: 'My dog is…' }, { place: 'audit', count: 0, example: null }],
    backups: [{ file: 'b1.tar', madeAt: new Date(2026, 10, 2, 20).toISOString() }],
    historyUntil: '2026-11-21T20:00:00Z',
  })

  test('shows what goes, what stays and until when, and then what was found', async () => {
    routes['POST /api/memory/forget'] = ({ confirm }) => json(confirm ? { ...report, done: true } : report)
    await settle(async () => memory().askToForget({ fact: 'a' }))
    await draw(<ForgetDialog />)
    for (const part of ['1 fact', '2 messages, where a mark replaces the words', 'My dog is…', 'b1.tar', 'November 2, 2026', 'gone for good after']) expect(text()).toContain(part)
    expect(text()).not.toContain('what she did')
    // The safe choice has the focus.
    expect(document.activeElement?.textContent).toBe('Keep it')
    await press('Forget it for good')
    expect(text()).toContain('Nothing is left of them.')
    expect(text()).toContain('1 backup stays as it is')
  })

  test('shows words and not how they are kept', async () => {
    const removed = [
      { place: 'prompts', count: 1, example: '<context>\nIt is Sunday.\n</context>' },
      { place: 'acts', count: 1, example: '{"query":"a walk with Max","limit":5' },
      { place: 'state', count: 1, example: '{"id":"0aj330"}' },
    ]
    routes['POST /api/memory/forget'] = () => json(forgetReport({ removed }))
    await settle(async () => memory().askToForget({ fact: 'a' }))
    await draw(<ForgetDialog />)
    const lines = [...document.querySelectorAll('section[aria-label="What will be removed"] li')].map((line) => line.textContent)
    expect(lines).toEqual(['1 stored promptIt is Sunday.', '1 saved state of the model', '1 thing that she dida walk with Max'])
  })

  test('names where words are left', async () => {
    routes['POST /api/memory/forget'] = ({ confirm }) => json({ ...report, done: confirm, found: confirm ? ['perigee.db-wal'] : [] })
    await settle(async () => memory().askToForget({ fact: 'a' }))
    await draw(<ForgetDialog />)
    await press('Forget it for good')
    expect(text()).toContain('still found in 1 place')
    expect(text()).toContain('perigee.db-wal')
  })

  test('does not take the history of files, which has its day, for something left', async () => {
    routes['POST /api/memory/forget'] = ({ confirm }) => json({ ...report, done: confirm, found: confirm ? ['memories/.git'] : [] })
    await settle(async () => memory().askToForget({ fact: 'a' }))
    await draw(<ForgetDialog />)
    await press('Forget it for good')
    expect(text()).toContain('Nothing is left of them, except in the history of her files, which is removed later.')
    expect(text()).toContain('gone for good after')
    expect(text()).not.toContain('still found')
  })

  test('has nothing to do where it stands nowhere', async () => {
    routes['POST /api/memory/forget'] = () => json(forgetReport({ removed: [] }))
    await settle(async () => memory().askToForget({ words: 'zebra' }))
    await draw(<ForgetDialog />)
    expect(text()).toContain('There is nothing to remove.')
    expect(button('Forget it for good')).toBeUndefined()
  })
})

describe('files', () => {
  const view = fileView('plan.md', '# Plan\n\nRun **far**.', {
    history: [
      { id: 'h2', at: '2026-11-14T20:00:00Z', what: 'changed', content: '# Plan\n\nRun **far**.' },
      { id: 'h1', at: '2026-11-13T20:00:00Z', what: 'written', content: '# Plan\n\nWalk.' },
    ],
  })

  test('are listed, and begun by a name', async () => {
    routes['GET /api/memory/files'] = () => json({ files: [view.file] })
    routes['PUT /api/memory/files/garden.md'] = () => json(fileView('garden.md', '# garden\n'))
    await show({ page: 'memory', tab: 'files' })
    expect(document.querySelector('a[href="#/memory/files/plan.md"]')?.textContent).toMatch(/^plan\.md/)
    await press('New file')
    await type('Name of the file', 'garden')
    await press('Start')
    expect(state().route).toEqual({ page: 'memory', tab: 'files', item: 'garden.md' })
  })

  test('are read as Markdown, written, and compared with what they were', async () => {
    routes['GET /api/memory/files/plan.md'] = () => json(view)
    routes['PUT /api/memory/files/plan.md'] = () => refusal(500, 'internal', 'the disk is full')
    await show({ page: 'memory', tab: 'files', item: 'plan.md' })
    expect(document.querySelector('.prose strong')?.textContent).toBe('far')
    await settle(async () => document.querySelector<HTMLButtonElement>('section button[aria-expanded]')?.click())
    expect(document.querySelector('[aria-label="What changed"]')?.textContent).toMatch(/removed: Walk\..*added: Run \*\*far\*\*\./)
    await press('Edit')
    await type('Text of plan.md', 'Fly.')
    await key('s', { ctrlKey: true }, field('Text of plan.md'))
    expect(text()).toContain('Your changes are still here.')
    routes['PUT /api/memory/files/plan.md'] = ({ content }) => json({ ...view, content })
    await press('Save')
    expect(document.querySelector('.prose')?.textContent?.trim()).toBe('Fly.')
    routes['POST /api/memory/files/plan.md/restore'] = () => json(view)
    await press('Restore this: written')
    expect(sent('POST /api/memory/files/plan.md/restore')).toEqual([{ id: 'h1' }])
  })
})

describe('a file that was left in the middle of a change', () => {
  beforeEach(() => {
    routes['GET /api/memory/files/plan.md'] = () => json(fileView('plan.md', 'Walk.'))
    routes['GET /api/memory/files'] = () => json({ files: [fileView('plan.md', 'Walk.').file] })
  })
  const begin = async () => {
    await show({ page: 'memory', tab: 'files', item: 'plan.md' })
    await press('Edit')
    await type('Text of plan.md', 'Run.')
  }

  test('has the change still, elsewhere and after a reload', async () => {
    await begin()
    await settle(async () => useStore.setState({ route: { page: 'memory', tab: 'files' } }))
    expect(text()).toContain('unsaved change')
    await settle(async () => useStore.setState({ route: { page: 'memory', tab: 'files', item: 'plan.md' } }))
    expect(field('Text of plan.md')?.value).toBe('Run.')
    await reload({ page: 'memory', tab: 'files', item: 'plan.md' })
    expect(field('Text of plan.md')?.value).toBe('Run.')
    await key('Escape', {}, field('Text of plan.md'))
    expect(document.querySelector('.prose')?.textContent?.trim()).toBe('Walk.')
    expect(readMemoryDrafts()).toEqual({})
  })

  test('says so where it was written by another meanwhile', async () => {
    await begin()
    expect(text()).not.toContain('changed after you started')
    const view = fileView('plan.md', 'Swim.')
    routes['GET /api/memory/files/plan.md'] = () => json({ ...view, file: { ...view.file, changedAt: '2026-11-15T20:00:00Z' } })
    await settle(async () => memory().openMemoryFile('plan.md'))
    expect(field('Text of plan.md')?.value).toBe('Run.')
    expect(text()).toContain('The file was changed after you started.')
  })

  test('lets go of it when it is saved', async () => {
    routes['PUT /api/memory/files/plan.md'] = ({ content }) => json(fileView('plan.md', String(content)))
    await begin()
    await press('Save')
    expect(document.querySelector('.prose')?.textContent?.trim()).toBe('Run.')
    expect(memory().memoryDrafts).toEqual({})
  })
})

describe('entries', () => {
  test('that were left in the middle of a change have it still', async () => {
    routes['GET /api/vector?limit=100'] = () => json({ entries: [vectorEntry('e', 'Seeds')], total: 1 })
    await show({ page: 'memory', tab: 'entries' })
    await settle(async () => rows()[0]?.click())
    await type('Text of the entry', 'Moonflower seeds')
    await type('Labels, as JSON', '{"topic":')
    await reload({ page: 'memory', tab: 'entries' })
    expect(rows()[0]?.textContent).toMatch(/^Seeds/)
    await press('Continue editing: Seeds')
    expect([field('Text of the entry')?.value, field('Labels, as JSON')?.value]).toEqual(['Moonflower seeds', '{"topic":'])
    await key('Escape', {}, field('Text of the entry'))
    expect(text()).not.toContain('You have an unsaved change.')
    expect(readMemoryDrafts()).toEqual({})
  })

  test('that are being written are there when the page is, until they are saved or cleared', async () => {
    routes['GET /api/vector?limit=100'] = () => json({ entries: [vectorEntry('e', 'Seeds')], total: 1 })
    routes['POST /api/vector'] = (body) => json(vectorEntry('n', String(body['content'])))
    await show({ page: 'memory', tab: 'entries' })
    await press('New entry')
    await type('Text of the entry', 'Bulbs')
    await key('Escape', {}, field('Text of the entry'))
    expect(field('Text of the entry')).toBeNull()
    await press('New entry')
    expect(field('Text of the entry')?.value).toBe('Bulbs')
    await reload({ page: 'memory', tab: 'entries' })
    expect(field('Text of the entry')?.value).toBe('Bulbs')
    await press('Clear')
    expect(field('Text of the entry')?.value).toBe('')
    await type('Text of the entry', 'Tulips')
    await press('Save')
    expect(sent('POST /api/vector')).toEqual([{ content: 'Tulips', metadata: {} }])
    expect(memory().memoryDrafts).toEqual({})
  })

  test('are changed in place with their labels, which must be an object', async () => {
    routes['GET /api/vector?limit=100'] = () => json({ entries: [vectorEntry('e-17', 'Seeds', { metadata: { topic: 'garden' } })], total: 1 })
    routes['PUT /api/vector/e-17'] = (body) => json(vectorEntry('e-17', String(body['content'])))
    await show({ page: 'memory', tab: 'entries' })
    expect(rows()[0]?.textContent).toContain('topic: garden')
    expect(rows()[0]?.textContent).toContain('e-17')
    await settle(async () => rows()[0]?.click())
    expect(field('Labels, as JSON')).toBeNull()
    await press('Change the labels')
    await type('Labels, as JSON', '[1]')
    await press('Save')
    expect(text()).toContain('must be a JSON object')
    await type('Labels, as JSON', '')
    await type('Text of the entry', 'Moonflower seeds')
    await key('s', { ctrlKey: true }, field('Text of the entry'))
    expect(sent('PUT /api/vector/e-17')).toEqual([{ content: 'Moonflower seeds', metadata: {} }])
    expect(rows()[0]?.textContent).toMatch(/^Moonflower seeds/)
  })
})

describe('a trial of recall', () => {
  test('shows what it is for by an example, and a question to try is put into the field and looked up', async () => {
    routes['GET /api/memory/recall?q=What+is+my+dog+called%3F'] = () => json({ items: [item('a', 'The dog is called Max.')], refused: false, whole: false, reading: null, millis: 4 })
    await show({ page: 'memory', tab: 'recall' })
    const questions = [...document.querySelectorAll<HTMLElement>('[aria-label="Questions to try"] button')]
    expect(questions.map((found) => found.textContent)).toEqual(['What is my dog called?', 'Where did I live before?', 'What should I cook for my sister?'])
    expect(document.querySelector('figure')?.textContent).toContain('An example: you ask, and see what she would think of')
    await settle(async () => questions[0]?.click())
    expect([...document.querySelectorAll('input')].map(({ value }) => value)).toContain('What is my dog called?')
    await vi.waitFor(() => settle(async () => expect(text()).toContain('The dog is called Max.')), 5000)
    expect(document.querySelector('[aria-label="Questions to try"]')).toBeNull()
  })

  test('shows each with its score, its parts and its place, or says that nothing is near enough', async () => {
    useMemoryStore.setState({ recalled: { query: 'dog', state: 'done', trouble: null, reply: { items: [item('a', 'Max', { conversationId: CHAT, messageId: MESSAGE, title: 'Dogs', score: 0.8 })], refused: false, whole: false, reading: null, millis: 4 } } })
    await show({ page: 'memory', tab: 'recall' })
    expect(document.querySelector(`a[href="#/c/${CHAT}/${MESSAGE}"]`)?.textContent).toBe('Dogs')
    for (const part of ['Max', '0.80', 'meaning', '0.40']) expect(text()).toContain(part)
    await settle(async () => useMemoryStore.setState({ recalled: { query: 'x', state: 'done', trouble: null, reply: { items: [], refused: true, whole: false, reading: null, millis: 4 } } }))
    expect(text()).toContain('Nothing close enough')
  })

  test('says that a young memory is read whole, and that conversations are being read in', async () => {
    const reply = { items: [item('a', 'No solar. The deposit is back.')], refused: true, whole: true, reading: { done: 120, of: 400 }, millis: 4 }
    useMemoryStore.setState({ recalled: { query: 'x', state: 'done', trouble: null, reply } })
    await show({ page: 'memory', tab: 'recall' })
    for (const words of ['No solar', 'everything you have told her so far', '120 of 400']) expect(text()).toContain(words)
  })
})

describe('the timeline', () => {
  test('tells day by day what happened, and leads to the facts', async () => {
    // Days close to today would have other names.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-08-01T12:00:00Z') })
    const vienna = fact('a', 'Lives in Vienna.')
    const lyon = fact('b', 'Lives in Lyon.', { status: 'superseded', supersededBy: 'a' })
    const entry = (kind: string, about: Fact, before: string | null = null, at = '2026-05-02T10:00:00Z') => ({ at, kind, fact: about, before })
    const days = [{ day: '2026-05-02', entries: [entry('edited', vienna, 'Lives in Wien.', '2026-05-02T11:00:00Z'), entry('replaced', vienna), entry('superseded', lyon), entry('learned', vienna)] }]
    routes['GET /api/memory/timeline'] = () => json({ days, next: null })
    await show({ page: 'memory', tab: 'timeline' })
    expect(document.querySelector('section')?.getAttribute('aria-label')).toMatch(/May 2/)
    const lines = [...document.querySelectorAll('section li')].map((line) => line.textContent)
    expect(lines).toEqual([expect.stringMatching(/^You changed it.*Lives in Vienna\.Lives in Wien\.$/), expect.stringMatching(/^Learned, replacing another.*Lives in Wien\.Lives in Lyon\.$/)])
    for (const id of ['a', 'b']) expect(document.querySelector(`a[href="#/memory/facts/${id}"]`)).not.toBeNull()
  })
})

describe('an import', () => {
  test('names the formats, and then what came in and what did not', async () => {
    await draw(<ImportDialog />)
    for (const part of ['Perigee', 'Markdown', 'ChatGPT', 'SillyTavern']) expect(text()).toContain(part)
    const reply = { format: 'chatgpt', facts: 42, conversations: 2, messages: 30, entries: 0, files: 0, known: 1, problems: ['One was empty.'] }
    await settle(async () => useMemoryStore.setState({ imported: { name: 'chats.json', state: 'done', reply, trouble: null } }))
    expect(text()).toContain('“chats.json” was read as an export of ChatGPT. Imported 42 facts and 2 conversations with 30 messages. 1 more was here already.')
    expect(text()).toContain('One was empty.')
    await settle(async () => useMemoryStore.setState({ imported: { name: 'chats.json', state: 'done', reply: { ...reply, facts: 0, conversations: 0, known: 44 }, trouble: null } }))
    expect(text()).toContain('Nothing new was imported. 44 were here already.')
  })
})
