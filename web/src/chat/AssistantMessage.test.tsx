import '@/testkit/browser'
import { act as settle } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Act, Message } from '@/api/protocol.gen'
import { useStore } from '@/store'
import { clear, draw, press } from '@/testkit/draw'
import { forgetReport, item } from '@/testkit/memory'
import { act, requests, routes, json, message, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { LOADING } from './conversation'
import { AssistantMessage } from './AssistantMessage'
import { beginLive } from './live'

vi.mock('@/widgets/CommandView', () => ({
  opensSomething: (action: string) => action === 'web_search',
  CommandView: ({ id }: { id: string }) => <section data-command={id} />,
}))

const CHAT = '0000000000abc'

beforeEach(() => {
  localStorage.clear()
  serve()
  freshStores({ conversations: { [CHAT]: { ...LOADING, state: 'ready' } } })
})

afterEach(async () => {
  await clear()
  vi.unstubAllGlobals()
})

async function show(content: string, acts: Act[], more: Partial<Message> = {}, streaming = false): Promise<HTMLElement> {
  const answer = message('a1', 'assistant', content, { acts, ...more })
  if (streaming) useStore.setState({ live: { [CHAT]: { ...beginLive({ kind: 'watch' }, [], 0), turnId: 't1', messageId: 'a1', phase: 'acting' } } })
  return draw(<AssistantMessage chat={CHAT} message={answer} last />)
}

const cards = (host: HTMLElement) => [...host.querySelectorAll('[data-act]')].map((card) => card.querySelector('button')?.textContent)
const search = (more: Partial<Act> = {}) => act('a', 'web_search', { args: { query: 'tides' }, result: 'Twice a day.', ms: 640, ...more })

describe('what she did', () => {
  test('stands between the texts, in one line', async () => {
    const host = await show('Let me look.\n\nTwice a day.', [search({ at: 14 })])
    const order = [...host.querySelectorAll('.prose, [data-act]')].map((element) => element.textContent.trim())
    expect(order).toEqual(['Let me look.', 'Searched the web for “tides”0.6 s', 'Twice a day.'])
    expect(host.textContent).not.toContain('web_search')
  })

  test('opens to its arguments and what came of it', async () => {
    const host = await show('', [search()])
    await press('Searched the web for “tides”0.6 s', host)
    expect([...host.querySelectorAll('dt, dd')].map((part) => part.textContent)).toEqual(['query', 'tides'])
    expect(host.textContent).toContain('Twice a day.')
  })

  test('shows a long result in part, and all of it when asked', async () => {
    const host = await show('', [search({ result: `${'line\n'.repeat(400)}the end` })])
    await settle(async () => host.querySelector<HTMLButtonElement>('[data-act] button')?.click())
    expect(host.textContent).not.toContain('the end')
    await press('Show all 2,007 characters', host)
    expect(host.textContent).toContain('the end')
    await press('Show less', host)
    expect(host.textContent).not.toContain('the end')
  })

  test.each([
    ['running', true, 'Searching the web for “tides”'],
    ['waiting', true, 'Wants to search the web for “tides”waiting for you'],
    ['done', true, 'Searched the web for “tides”0.6 s'],
    ['failed', false, 'Could not search the web for “tides”failed0.6 s'],
    ['denied', false, 'Was not allowed to search the web for “tides”not allowed'],
    ['blocked', false, 'May not search the web for “tides”blocked'],
    ['running', false, 'Stopped searching the web for “tides”stopped'],
    ['waiting', false, 'Did not get to search the web for “tides”stopped'],
  ] as const)('is said in plain words: %s, in a turn that runs: %s', async (status, streaming, words) => {
    expect(cards(await show('', [search({ status })], {}, streaming))).toEqual([words])
  })

  test.each([
    ['failed', 'it was stopped', 'stopped', 'Stopped searching the web for “tides”stopped'],
    ['denied', 'It was stopped.', 'dropped', 'Did not get to search the web for “tides”stopped'],
    ['failed', 'it was stopped by a storm', 'failed', 'Could not search the web for “tides”failed0.6 s'],
  ] as const)('that somebody stopped is no fault: %s, %s', async (status, result, state, words) => {
    const host = await show('', [search({ status, result })])
    expect(cards(host)).toEqual([words])
    expect(host.querySelector('[data-act]')?.getAttribute('data-status')).toBe(state)
    expect(host.querySelectorAll('[data-act] .text-danger').length > 0).toBe(state === 'failed')
  })

  test('is folded where it is much, and says what failed there', async () => {
    const many = Array.from({ length: 8 }, (_, index) => search({ id: `a${index}`, status: index === 0 ? 'failed' : 'done' }))
    const host = await show('', many)
    expect(cards(host)).toHaveLength(3)
    await press('5 earlier steps1 failed', host)
    expect(cards(host)).toHaveLength(8)
  })

  test('leaves no line when finished steps are hidden, but for what failed and what it opened', async () => {
    useStore.getState().hideCards(true)
    expect(localStorage.getItem('perigee.cards')).toBe('hidden')
    const opened = search({ id: 'b', command: { action: 'web_search', payload: { title: 'Tides' } } })
    const host = await show('So.', [search(), opened, search({ id: 'c', status: 'failed' })])
    const shown = host.querySelector('[data-command="b"]')
    expect(cards(host)).toEqual(['Could not search the web for “tides”failed0.6 s'])
    expect(shown).not.toBeNull()
    await settle(async () => useStore.getState().hideCards(false))
    expect(cards(host)).toHaveLength(3)
    // The opened content keeps its state when a card appears above it.
    expect(host.querySelector('[data-command="b"]')).toBe(shown)
    expect(localStorage.getItem('perigee.cards')).toBeNull()
  })

  test('that cannot be put into words is a small note, and the message stands', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const args = Object.defineProperty({}, 'query', { enumerable: true, get: () => { throw new Error('no') } })
    const host = await show('So it is.', [search({ args, at: 3 })])
    expect(host.textContent).toMatch(/So.*cannot be shown here.*it is\./s)
  })

  test('says that she thinks, after her tools and before her next words', async () => {
    expect((await show('', [search()], {}, true)).querySelector('[data-testid=activity]')).not.toBeNull()
    expect((await show('', [search({ status: 'running' })], {}, true)).querySelector('[data-testid=activity]')).toBeNull()
    expect((await show('So', [search()], {}, true)).querySelector('[data-testid=activity]')).toBeNull()
  })
})

describe('a plan', () => {
  const steps = ['done', 'running', 'pending', 'skipped', 'pending', 'pending', 'pending'].map((status, index) => ({ title: `Step ${index}`, status: status as 'done' }))

  test('shows six steps at most, with the moon at the one under way', async () => {
    const host = await show('', [], { plan: steps }, true)
    const shown = [...host.querySelectorAll('[data-step]')]
    expect(shown.map((step) => step.textContent)).toEqual([
      'Step 0, done', 'Step 1, in progress', 'Step 2, to do', 'Step 3, skipped', 'Step 4, to do', 'Step 5, to do',
    ])
    expect(shown.filter((step) => step.querySelector('.moon-cursor'))).toHaveLength(1)
  })

  test('stands still once the turn has ended', async () => {
    const host = await show('', [], { plan: steps })
    expect(host.querySelector('[data-step] .moon-cursor')).toBeNull()
  })
})

describe('what she remembered', () => {
  const memory = [
    item('f1', 'Does not eat fish.', { conversationId: CHAT, messageId: '0000000000abd', title: 'Dinner', score: 0.81 }),
    item('notes.md', 'Peaches.', { kind: 'file', score: 0.3 }),
  ]

  test('is one quiet line, and opens to where each stands', async () => {
    const host = await show('Rice, then.', [], { memory })
    expect(host.textContent).not.toContain('Does not eat fish.')
    await press('Remembered 2 things')
    expect(host.querySelector(`a[href="#/c/${CHAT}/0000000000abd"]`)?.textContent).toBe('Dinner')
    expect(host.querySelector('a[href="#/memory/files/notes.md"]')).not.toBeNull()
    expect(host.textContent).toContain('0.81')
  })

  test('says whom it is about where its words do not', async () => {
    const anna = [item('f1', 'Plays the cello', { who: 'Anna' }), item('f2', 'Sister Anna lives in Rome.', { who: 'sister Anna' })]
    const host = await show('A fine sound.', [], { memory: anna })
    await press('Remembered 2 things')
    expect(host.textContent).toContain('Anna: Plays the cello')
    expect(host.textContent).not.toContain('sister Anna: ')
  })

  test('can be corrected and forgotten right there', async () => {
    routes['POST /api/memory/forget'] = () => json(forgetReport())
    await show('Rice, then.', [], { memory })
    await press('Remembered 2 things')
    await press('Correct this')
    expect(useStore.getState().route).toEqual({ page: 'memory', tab: 'facts', item: 'f1' })
    const list = document.querySelectorAll('[aria-label="What she remembered"] li')
    await press('Forget this', list[1])
    expect(requests.at(-1)?.body).toEqual({ words: 'Peaches.', also: [], leave: [], confirm: false })
  })

  test('is not spoken of where there is nothing', async () => {
    const host = await show('Rice, then.', [])
    expect(host.textContent).not.toContain('Remembered')
  })

  test('the answer itself can be forgotten, but not in a conversation that leaves nothing', async () => {
    routes['POST /api/memory/forget'] = () => json(forgetReport())
    await show('Rice, then.', [])
    await press('Forget this')
    expect(requests.at(-1)?.body).toEqual({ message: 'a1', also: [], leave: [], confirm: false })
    await settle(async () => useStore.setState({ incognito: CHAT }))
    expect(document.querySelector('[aria-label="Forget this"]')).toBeNull()
  })
})
