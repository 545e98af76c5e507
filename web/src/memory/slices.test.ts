import '@/testkit/browser'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Fact } from '@/api/protocol.gen'
import { useStore } from '@/store'
import { receive } from '@/store/boot'
import { fact, factList, fileView, forgetReport, item, vectorEntry } from '@/testkit/memory'
import { requests, routes, json, message, refusal, serve, view } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { useMemoryStore } from './useMemoryStore'

const state = () => useStore.getState()
const memory = () => useMemoryStore.getState()
const LIST = 'GET /api/memory?status=current&limit=100'
const full = () => refusal(500, 'internal', 'the disk is full')
const sent = (route: string) => requests.filter((call) => call.route === route).map(({ body }) => body)
/** A fact that was learned just now. */
const fresh = (id: string, content: string) => {
  const at = new Date().toISOString()
  return fact(id, content, { createdAt: at, updatedAt: at })
}
const shown = () => memory().facts.list.map(({ content }) => content)

beforeEach(() => {
  localStorage.clear()
  serve()
  freshStores({ route: { page: 'memory' } })
})

afterEach(() => vi.unstubAllGlobals())

const open = async (...facts: ReturnType<typeof fact>[]) => {
  routes[LIST] = () => json(factList(facts, { unconfirmed: 1 }))
  await memory().openFacts()
}

describe('the list of facts', () => {
  test('is searched by the server, and goes on by its cursor', async () => {
    routes['GET /api/memory?q=dog&category=relationship&status=past&limit=100'] = () => json(factList([fact('a', 'A')], { next: 'c1' }))
    routes['GET /api/memory?q=dog&category=relationship&status=past&limit=100&cursor=c1'] = () => json(factList([fact('a', 'A'), fact('b', 'B')]))
    await memory().openFacts({ q: 'dog', category: 'relationship', status: 'past' })
    await memory().moreFacts()
    expect(shown()).toEqual(['A', 'B'])
    expect(memory().facts.next).toBeNull()
    await memory().moreFacts()
    expect(requests).toHaveLength(2)
  })

  test('shows what was asked for last, however late the first answer comes', async () => {
    let answer: (response: Response) => void = () => {}
    routes['GET /api/memory?q=slow&status=current&limit=100'] = () => new Promise((resolve) => (answer = resolve))
    routes['GET /api/memory?q=quick&status=current&limit=100'] = () => json(factList([fact('q', 'Quick')]))
    const slow = memory().openFacts({ q: 'slow' })
    await memory().openFacts({ q: 'quick' })
    answer(json(factList([fact('s', 'Slow')])))
    await slow
    expect(shown()).toEqual(['Quick'])
  })

  test('that cannot be read says why, and can be asked for again', async () => {
    routes[LIST] = full
    await memory().openFacts()
    expect(memory().facts).toMatchObject({ state: 'failed', trouble: 'The disk is full.' })
    routes[LIST] = () => json(factList([fact('a', 'A')]))
    await memory().retryFacts()
    expect(shown()).toEqual(['A'])
  })

  test('is read again when something was learned elsewhere, as far as it was, and quietly', async () => {
    const many = Array.from({ length: 150 }, (_, at) => fact(`f${at}`, `Fact ${at}`))
    await open(...many)
    routes['GET /api/memory?status=current&limit=150'] = () => json(factList([fact('new', 'New'), ...many]))
    receive({ action: 'memory_changed' })
    expect(memory().facts.state).toBe('ready')
    await vi.waitFor(() => expect(shown()[0]).toBe('New'))
    routes['GET /api/memory?status=current&limit=151'] = full
    receive({ action: 'memory_changed' })
    await vi.waitFor(() => expect(requests.filter(({ route }) => route.includes('limit=151'))).toHaveLength(1))
    expect(memory().facts).toMatchObject({ state: 'ready', trouble: null })
  })

  test('is left alone while another page is shown', async () => {
    await open(fact('a', 'A'))
    useStore.setState({ route: { page: 'new' } })
    receive({ action: 'memory_changed' })
    expect(requests).toHaveLength(1)
  })
})

describe('a fact', () => {
  test('is changed at once, kept as the server says it, and can be taken back', async () => {
    await open(fact('a', 'A dog.'))
    routes['PATCH /api/memory/a'] = ({ content }) => json(fact('a', `${String(content)} Kept.`))
    const done = memory().changeFact('a', { content: 'A cat.' })
    expect(shown()).toEqual(['A cat.'])
    await done
    expect(shown()).toEqual(['A cat. Kept.'])
    routes['POST /api/memory/a/undo'] = () => json(fact('a', 'A dog.'))
    state().notices.at(-1)?.action?.run()
    await vi.waitFor(() => expect(shown()).toEqual(['A dog.']))
  })

  test('that cannot be changed is as before, with the reason and what was wanted', async () => {
    await open(fact('a', 'A dog.'))
    routes['PATCH /api/memory/a'] = full
    await memory().changeFact('a', { content: 'A cat.' })
    expect(shown()).toEqual(['A dog.'])
    expect(memory().factTrouble).toEqual({ a: 'The disk is full.' })
    expect(memory().memoryDrafts).toEqual({ 'fact a': { content: 'A cat.' } })
    routes['PATCH /api/memory/a'] = () => json(fact('a', 'A cat.'))
    await memory().changeFact('a', { content: 'A cat.' })
    expect(memory().factTrouble).toEqual({})
  })

  test('that is gone meanwhile leaves the list', async () => {
    await open(fact('a', 'A'), fact('b', 'B'))
    routes['PATCH /api/memory/a'] = () => refusal(404, 'notFound', 'there is no such fact')
    memory().keepDraft('fact a', { private: true })
    await memory().changeFact('a', { content: 'C' })
    expect(shown()).toEqual(['B'])
    expect(memory().memoryDrafts).toEqual({})
    expect(state().notices.at(-1)?.text).toBe('There is no such fact.')
  })

  test.each([
    ['yes', true, 'current', 'She will remember that.'],
    ['no', false, 'faded', 'She will not keep that.'],
  ] as const)('that waits leaves the waiting ones with a %s, and that is said', async (_, confirmed, status, said) => {
    routes['GET /api/memory?status=unconfirmed&limit=100'] = () => json(factList([fact('a', 'A', { status: 'unconfirmed' }), fact('b', 'B', { status: 'unconfirmed' })], { unconfirmed: 2 }))
    await memory().openFacts({ status: 'unconfirmed' })
    routes['PATCH /api/memory/a'] = () => json(fact('a', 'A', { status }))
    await memory().changeFact('a', { confirmed })
    expect(sent('PATCH /api/memory/a')).toEqual([{ confirmed }])
    expect(shown()).toEqual(['B'])
    expect(memory().facts.unconfirmed).toBe(1)
    expect(state().notices.at(-1)?.text).toBe(said)
  })

  test('whose yes does not get through waits on, in its place', async () => {
    const waiting = ['a', 'b', 'c'].map((id) => fact(id, id, { status: 'unconfirmed' }))
    routes['GET /api/memory?status=unconfirmed&limit=100'] = () => json(factList(waiting, { unconfirmed: 3 }))
    await memory().openFacts({ status: 'unconfirmed' })
    routes['PATCH /api/memory/b'] = full
    await memory().changeFact('b', { confirmed: true })
    expect(shown()).toEqual(['a', 'b', 'c'])
    expect(memory().facts.unconfirmed).toBe(3)
  })

  test('is added on top, or the reason is told', async () => {
    await open(fact('a', 'A'))
    routes['POST /api/memory'] = full
    expect(await memory().addFact({ content: 'B', private: true })).toBe('The disk is full.')
    routes['POST /api/memory'] = ({ content }) => json(fresh('b', String(content)), 201)
    expect(await memory().addFact({ content: 'B', private: true })).toBeNull()
    expect(shown()).toEqual(['B', 'A'])
    expect(memory().facts.total).toBe(2)
    expect(state().notices).toEqual([])
  })

  test.each([
    ['stands in the list', () => fresh('a', 'A')],
    ['stands elsewhere', () => fact('x', 'A')],
    ['was changed by that', () => ({ ...fresh('x', 'A'), updatedAt: new Date(Date.now() + 5).toISOString() })],
  ])('that was known already, and %s, is not counted twice, and that is said', async (_, reply) => {
    await open(fact('a', 'A'))
    routes['POST /api/memory'] = () => json(reply(), 201)
    expect(await memory().addFact({ content: 'A', private: false })).toBeNull()
    expect(state().notices.map(({ text }) => text)).toEqual(['She knew that already.'])
    expect(memory().facts.total).toBe(1)
  })

  test('of several becomes one, the first chosen', async () => {
    await open(fact('a', 'A'), fact('b', 'B'), fact('c', 'C'))
    const [a, , c] = memory().facts.list
    memory().chooseFact(c as Fact, true)
    routes['GET /api/memory?q=a&status=current&limit=100'] = () => json(factList([fact('a', 'A')]))
    await memory().openFacts({ q: 'a' })
    memory().chooseFact(a as Fact, true)
    await memory().openFacts({ q: '' })
    routes['POST /api/memory/merge'] = ({ content }) => json(fact('c', String(content)))
    memory().keepDraft('fact a', { content: 'A, begun' })
    expect(await memory().mergeFacts(memory().chosenFacts.map(({ id }) => id), 'A and C')).toBeNull()
    expect(sent('POST /api/memory/merge')).toEqual([{ ids: ['c', 'a'], content: 'A and C' }])
    expect(shown()).toEqual(['B', 'A and C'])
    expect(memory().chosenFacts).toEqual([])
    expect(memory().memoryDrafts).toEqual({})
  })

  test('that is chosen is merged in the words that it has now', async () => {
    await open(fact('a', 'A'), fact('b', 'B'))
    for (const one of memory().facts.list) memory().chooseFact(one, true)
    const chosen = () => memory().chosenFacts.map(({ content }) => content)
    routes['PATCH /api/memory/a'] = () => json(fact('a', 'A, changed here'))
    await memory().changeFact('a', { content: 'A, changed here' })
    expect(chosen()).toEqual(['A, changed here', 'B'])
    await open(fact('a', 'A, changed here'), fact('b', 'B, changed elsewhere'))
    expect(chosen()).toEqual(['A, changed here', 'B, changed elsewhere'])
    routes['PATCH /api/memory/b'] = full
    await memory().changeFact('b', { content: 'B, not kept' })
    expect(chosen()).toEqual(['A, changed here', 'B, changed elsewhere'])
  })

  test('that changes again takes its earlier undo with it, and leaves those of others', async () => {
    await open(fact('a', 'A'), fact('b', 'B'), fact('c', 'C'))
    routes['PATCH /api/memory/c'] = () => json(fact('c', 'C2'))
    await memory().changeFact('c', { content: 'C2' })
    routes['POST /api/memory/merge'] = () => json(fact('a', 'A and B'))
    await memory().mergeFacts(['a', 'b'], 'A and B')
    const said = () => state().notices.map(({ text }) => text)
    expect(said()).toEqual(['Changed.', '2 facts merged into one.'])
    routes['PATCH /api/memory/a'] = () => json(fact('a', 'Both'))
    await memory().changeFact('a', { content: 'Both' })
    expect(said()).toEqual(['Changed.', 'Changed.'])
    routes['POST /api/memory/a/undo'] = () => json(fact('a', 'A and B'))
    await memory().undoFact('a')
    expect(said()).toEqual(['Changed.'])
    routes['POST /api/memory/c/undo'] = () => json(fact('c', 'C'))
    state().notices[0]?.action?.run()
    expect(requests.at(-1)?.route).toBe('POST /api/memory/c/undo')
  })

  test('is remembered by a command, and that is said either way', async () => {
    routes['POST /api/memory'] = () => json(fresh('a', 'A'), 201)
    await memory().rememberThis('A')
    expect(state().notices.map(({ text }) => text)).toEqual(['She will remember that.'])
    routes['POST /api/memory'] = () => json(fact('b', 'A'), 201)
    await memory().rememberThis('A')
    expect(state().notices.at(-1)?.text).toBe('She knew that already.')
    state().notices.at(-1)?.action?.run()
    expect(state().route).toEqual({ page: 'memory', tab: 'facts', item: 'b' })
    routes['POST /api/memory'] = full
    await memory().rememberThis('B')
    expect(state().notices.at(-1)).toMatchObject({ tone: 'danger', text: 'The disk is full.' })
  })

  test('that the address names is looked up, and may be gone', async () => {
    routes['GET /api/memory/a'] = () => json(fact('a', 'A'))
    await memory().openFactPage('a')
    expect(memory().fact?.fact?.content).toBe('A')
    await memory().openFactPage('b')
    expect(memory().fact).toMatchObject({ id: 'b', fact: null, gone: true })
  })
})

describe('forgetting', () => {
  const FORGET = 'POST /api/memory/forget'

  test('asks first what it would take, and removes nothing by that', async () => {
    await open(fact('a', 'A'))
    routes[FORGET] = () => json(forgetReport())
    await memory().askToForget({ fact: 'a' })
    expect(sent(FORGET)).toEqual([{ fact: 'a', also: [], leave: [], confirm: false }])
    expect(state().overlay).toEqual({ kind: 'forget' })
    expect(memory().forgetting).toMatchObject({ state: 'ready' })
    expect(shown()).toEqual(['A'])
    memory().closeForget()
    expect(state().overlay).toBeNull()
    expect(memory().forgetting).toBeNull()
  })

  test('takes words along and leaves others where they stand, and looks again each time', async () => {
    routes[FORGET] = ({ also, leave }) =>
      json(forgetReport({ words: ['The dog is called Max.', ...(also as string[])].filter((one) => !(leave as string[]).includes(one)) }))
    await memory().askToForget({ fact: 'a' })
    const chosen = () => ({ also: memory().forgetting?.also, leave: memory().forgetting?.leave, words: memory().forgetting?.report?.words })
    await memory().chooseWords('Max', true)
    expect(chosen()).toEqual({ also: ['Max'], leave: [], words: ['The dog is called Max.', 'Max'] })
    await memory().chooseWords('The dog is called Max.', false)
    expect(chosen()).toEqual({ also: ['Max'], leave: ['The dog is called Max.'], words: ['Max'] })
    await memory().chooseWords('Max', false)
    await memory().chooseWords('The dog is called Max.', true)
    expect(chosen()).toEqual({ also: [], leave: [], words: ['The dog is called Max.'] })
    await memory().confirmForget()
    expect(sent(FORGET).at(-1)).toEqual({ fact: 'a', also: [], leave: [], confirm: true })
  })

  test('happens once, and what was shown of it goes everywhere', async () => {
    await open(fact('a', 'A'), fact('b', 'B'))
    useStore.setState({ conversations: { c: { chat: null, messages: [message('m', 'user', 'A')], before: null, summary: null, pinned: [], state: 'ready', trouble: null, gone: false, loadingEarlier: false } } })
    routes[FORGET] = ({ confirm }) => json(forgetReport({ done: confirm === true }))
    routes[LIST] = () => json(factList([fact('b', 'B')]))
    routes['GET /api/chats/c'] = () => json(view('c', [message('m', 'user', '[forgotten]')]))
    await memory().askToForget({ fact: 'a' })
    await Promise.all([memory().confirmForget(), memory().confirmForget()])
    expect(sent(FORGET)).toEqual([{ fact: 'a', also: [], leave: [], confirm: false }, { fact: 'a', also: [], leave: [], confirm: true }])
    expect(memory().forgetting).toMatchObject({ state: 'done', report: { done: true } })
    expect(shown()).toEqual(['B'])
    await vi.waitFor(() => expect(state().conversations['c']?.messages[0]?.content).toBe('[forgotten]'))
  })

  test('leaves no words behind in what was begun, here or elsewhere', async () => {
    await open(fact('a', 'A'))
    memory().keepDraft('fact a', { content: 'A, the secret' })
    memory().keepDraft('file plan.md', { content: 'The secret plan' })
    window.dispatchEvent(new Event('pagehide'))
    expect(localStorage.getItem('perigee.memory-drafts')).toContain('secret')
    receive({ action: 'forgotten' })
    expect(memory().memoryDrafts).toEqual({})
    expect(localStorage.getItem('perigee.memory-drafts')).toBeNull()
    expect(state().notices.at(-1)?.text).toMatch(/^Your unsaved changes/)
    state().dismiss(state().notices.at(-1)?.id ?? 0)
    receive({ action: 'forgotten' })
    expect(state().notices).toEqual([])
  })

  test('that fails leaves everything, and can be tried again', async () => {
    await open(fact('a', 'A'))
    routes[FORGET] = ({ confirm }) => (confirm ? full() : json(forgetReport()))
    await memory().askToForget({ fact: 'a' })
    await memory().confirmForget()
    expect(memory().forgetting).toMatchObject({ state: 'ready', trouble: 'The disk is full.' })
    expect(shown()).toEqual(['A'])
  })

  test('without words asks for them', async () => {
    await memory().askToForget({ words: ' ' })
    expect(memory().forgetting).toMatchObject({ state: 'asking', target: null })
    expect(requests).toEqual([])
  })

  test('of something else meanwhile shows that, and not what was asked before', async () => {
    let answer: (response: Response) => void = () => {}
    routes[FORGET] = ({ words: said }) => (said === 'slow' ? new Promise((resolve) => (answer = resolve)) : json(forgetReport({ words: ['quick'] })))
    const slow = memory().askToForget({ words: 'slow' })
    await memory().askToForget({ words: 'quick' })
    answer(json(forgetReport({ words: ['slow'] })))
    await slow
    expect(memory().forgetting?.report?.words).toEqual(['quick'])
  })
})

describe('the timeline', () => {
  const day = (name: string, ...ids: string[]) => ({ day: name, entries: ids.map((id) => ({ at: `${name}T10:00:00Z`, kind: 'learned' as const, fact: fact(id, id), before: null })) })

  test('goes back page by page, and a day that was cut is one day', async () => {
    routes['GET /api/memory/timeline'] = () => json({ days: [day('2026-05-02', 'a'), day('2026-05-01', 'b')], next: 'p2' })
    routes['GET /api/memory/timeline?before=p2'] = () => json({ days: [day('2026-05-01', 'c'), day('2026-04-30', 'd')], next: null })
    await memory().openTimeline()
    await memory().olderTimeline()
    expect(memory().timeline.days.map(({ day: name, entries }) => [name, entries.length])).toEqual([['2026-05-02', 1], ['2026-05-01', 2], ['2026-04-30', 1]])
  })
})

describe('a trial of recall', () => {
  test('shows what is asked last, or an honest nothing', async () => {
    routes['GET /api/memory/recall?q=dog'] = () => json({ items: [item('a', 'Max')], refused: false, whole: false, reading: null, millis: 3 })
    routes['GET /api/memory/recall?q=rocket'] = () => json({ items: [], refused: true, whole: false, reading: null, millis: 3 })
    await memory().tryRecall(' dog ')
    expect(memory().recalled.reply?.items).toHaveLength(1)
    await memory().tryRecall('rocket')
    expect(memory().recalled.reply).toMatchObject({ items: [], refused: true })
    await memory().tryRecall('')
    expect(memory().recalled).toMatchObject({ state: 'idle', reply: null })
  })
})

describe('an import', () => {
  test('sends the file as it is with its name, and reports', async () => {
    const bodies: unknown[] = []
    vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
      bodies.push([path, init.body])
      return json({ format: 'chatgpt', facts: 2, conversations: 0, messages: 0, entries: 0, files: 0, known: 1, problems: [] })
    })
    const file = new File(['{}'], 'my chats.json')
    await memory().importMemory(file)
    expect(bodies[0]).toEqual(['/api/memory/import?name=my+chats.json', file])
    expect(memory().imported).toMatchObject({ state: 'done', reply: { facts: 2 } })
  })

  test('that is refused says why', async () => {
    routes['POST /api/memory/import?name=a.png'] = () => refusal(415, 'unsupportedMediaType', 'this is no format that she knows')
    await memory().importMemory(new File([''], 'a.png'))
    expect(memory().imported).toMatchObject({ state: 'failed', trouble: 'This is no format that she knows.' })
  })
})

describe('a memory file', () => {
  const history = [
    { id: 'h2', at: '2026-11-14T20:00:00Z', what: 'changed', content: 'two' },
    { id: 'h1', at: '2026-11-13T20:00:00Z', what: 'written', content: 'one' },
  ]

  beforeEach(async () => {
    routes['GET /api/memory/files/a.md'] = () => json(fileView('a.md', 'two', { history }))
    await memory().openMemoryFile('a.md')
  })

  test('goes back to what it was, and that can be undone', async () => {
    routes['POST /api/memory/files/a.md/restore'] = ({ id }) => json(fileView('a.md', id === 'h1' ? 'one' : 'two', { history }))
    await memory().restoreMemoryFile('a.md', 'h1')
    expect(memory().memoryFile?.view?.content).toBe('one')
    state().notices.at(-1)?.action?.run()
    await vi.waitFor(() => expect(memory().memoryFile?.view?.content).toBe('two'))
    expect(state().notices).toHaveLength(1)
    routes['PUT /api/memory/files/a.md'] = () => json(fileView('a.md', 'three', { history }))
    await memory().writeMemoryFile('a.md', 'three')
    expect(state().notices).toEqual([])
  })

  test('is deleted, and brought back with its history', async () => {
    useMemoryStore.setState({ memoryFiles: [fileView('a.md', 'two').file] })
    routes['DELETE /api/memory/files/a.md'] = () => json({})
    routes['POST /api/memory/files/a.md/restore'] = () => json(fileView('a.md', 'two', { history }))
    memory().keepDraft('file a.md', { content: 'three' })
    await memory().deleteMemoryFile('a.md')
    expect(memory().memoryFiles).toEqual([])
    expect(memory().memoryDrafts).toEqual({})
    expect(state().route).toEqual({ page: 'memory', tab: 'files' })
    state().notices.at(-1)?.action?.run()
    await vi.waitFor(() => expect(memory().memoryFiles).toHaveLength(1))
    expect(sent('POST /api/memory/files/a.md/restore')).toEqual([{ id: 'h2' }])
  })

  test('that cannot be written keeps what it was, and says why', async () => {
    routes['PUT /api/memory/files/a.md'] = full
    expect(await memory().writeMemoryFile('a.md', 'three')).toBe('The disk is full.')
    expect(memory().memoryFile?.view?.content).toBe('two')
  })
})

describe('an entry of the vector store', () => {
  const texts = () => memory().entries.list.map(({ content }) => content)

  beforeEach(async () => {
    routes['GET /api/vector?limit=100'] = () => json({ entries: [vectorEntry('a', 'A', { metadata: { x: 1 } }), vectorEntry('b', 'B')], total: 3 })
    await memory().openEntries()
  })

  test('is read page by page', async () => {
    routes['GET /api/vector?limit=100&offset=2'] = () => json({ entries: [vectorEntry('b', 'B'), vectorEntry('c', 'C')], total: 3 })
    await memory().moreEntries()
    expect(texts()).toEqual(['A', 'B', 'C'])
    await memory().moreEntries()
    expect(requests).toHaveLength(2)
  })

  test('is changed at once, and as before where that fails', async () => {
    routes['PUT /api/vector/a'] = full
    const done = memory().changeEntry('a', { content: 'A2', metadata: {} })
    expect(texts()).toEqual(['A2', 'B'])
    await done
    expect(texts()).toEqual(['A', 'B'])
    expect(memory().entryTrouble['a']).toBe('The disk is full.')
    expect(memory().memoryDrafts['entry a']).toEqual({ content: 'A2', labels: '' })
  })

  test('is deleted, and brought back where it stood, as it was', async () => {
    routes['DELETE /api/vector/a'] = () => json({})
    routes['POST /api/vector'] = (body) => json(vectorEntry(String(body['id']), String(body['content'])))
    memory().keepDraft('entry a', { content: 'A2', labels: '' })
    await memory().deleteEntry('a')
    expect(texts()).toEqual(['B'])
    expect(memory().memoryDrafts).toEqual({})
    state().notices.at(-1)?.action?.run()
    await vi.waitFor(() => expect(texts()).toEqual(['A', 'B']))
    expect(sent('POST /api/vector')).toEqual([{ id: 'a', content: 'A', metadata: { x: 1 }, origins: [], createdAt: '2026-11-14T20:00:00Z' }])
  })

  test('that changes again takes its earlier undo with it', async () => {
    routes['PUT /api/vector/a'] = (body) => json(vectorEntry('a', String(body['content'])))
    routes['DELETE /api/vector/a'] = () => json({})
    await memory().changeEntry('a', { content: 'A2', metadata: {} })
    await memory().changeEntry('a', { content: 'A3', metadata: {} })
    expect(state().notices.map(({ text }) => text)).toEqual(['Changed.'])
    await memory().deleteEntry('a')
    expect(state().notices.map(({ text }) => text)).toEqual(['Deleted an entry.'])
  })

  test('that cannot be deleted stays where it stood', async () => {
    routes['DELETE /api/vector/a'] = full
    await memory().deleteEntry('a')
    expect(texts()).toEqual(['A', 'B'])
  })
})
