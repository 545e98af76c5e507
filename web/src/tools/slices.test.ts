import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Event } from '@/api/protocol.gen'
import { useStore } from '@/store'
import { receive } from '@/store/boot'
import { act, requests, routes, json, message, refusal, serve, turn as turnIn, view } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { confirmation, auditEntry, skill, tool, waiting } from '@/testkit/tools'

const state = () => useStore.getState()
let CHAT = ''
let count = 0
/** Answered confirmations are remembered, so each test needs ids of its own. */
let id = (name: string) => name

beforeEach(() => {
  count += 1
  CHAT = String(9000 + count).padStart(13, '0')
  id = (name) => `${name}${count}`
  serve()
  freshStores({ route: { page: 'chat', id: CHAT }, tools: [] })
})

afterEach(() => vi.unstubAllGlobals())

const open = () => state().questions.map(({ confirmation: { id: name } }) => name)

describe('a question', () => {
  test('is heard of by any way, and asked once', () => {
    receive({ action: 'confirmation_asked', waiting: waiting(id('q'), CHAT) })
    state().followQuestions(CHAT, 'a1', [{ type: 'confirmation', ...confirmation(id('q')) }])
    expect(open()).toEqual([id('q')])
  })

  test('is there again after a reload', async () => {
    routes['GET /api/chat/confirmations'] = () => json({ waiting: [waiting(id('q'), CHAT), waiting(id('r'), 'elsewhere')] })
    await state().refreshQuestions()
    expect(open()).toEqual([id('q'), id('r')])
  })

  test('that was settled elsewhere goes, and does not come back by a slower way', () => {
    state().questionAsked(waiting(id('q'), CHAT))
    receive({ action: 'confirmation_settled', id: id('q') })
    expect(open()).toEqual([])
    state().questionAsked(waiting(id('q'), CHAT))
    expect(open()).toEqual([])
    receive({ action: 'confirmation_settled', id: id('unknown') })
    expect(open()).toEqual([])
  })

  test('that the server no longer has goes with the next list, but one that came since stays', async () => {
    state().questionAsked(waiting(id('q'), CHAT))
    useStore.setState({ questions: state().questions.map((question) => ({ ...question, heardAt: 0 })) })
    routes['GET /api/chat/confirmations'] = () => {
      state().questionAsked(waiting(id('r'), CHAT))
      useStore.setState({ questions: state().questions.map((question) => (question.heardAt === 0 ? question : { ...question, heardAt: Date.now() + 1 })) })
      return json({ waiting: [] })
    }
    await state().refreshQuestions()
    expect(open()).toEqual([id('r')])
  })

  test('stays where the list cannot be had', async () => {
    state().questionAsked(waiting(id('q'), CHAT))
    await state().refreshQuestions()
    expect(open()).toEqual([id('q')])
  })

  test('that is told again from the beginning of the turn is not asked again', () => {
    const call = (status: 'waiting' | 'running' | 'done'): Event => ({ type: 'tool', id: id('q'), name: 'open', args: {}, status })
    state().followQuestions(CHAT, 'a1', [call('waiting'), { type: 'confirmation', ...confirmation(id('q')) }, call('running'), call('done')])
    expect(open()).toEqual([])
  })

  test('of a tool that asks again in the midst of its work is another one', async () => {
    const later = new Date(Date.now() + 240_000).toISOString()
    const call = (status: 'waiting' | 'running'): Event => ({ type: 'tool', id: id('q'), name: 'notes__ask', args: {}, status })
    const again = { type: 'confirmation' as const, ...confirmation(id('q'), { until: later }) }
    routes[`POST /api/chat/confirm/${id('q')}`] = () => json({ settled: true })
    state().followQuestions(CHAT, 'a1', [call('waiting'), { type: 'confirmation', ...confirmation(id('q')) }])
    await state().answerQuestion(id('q'), true)
    // The feed is first ahead of the turn, then behind it.
    receive({ action: 'confirmation_asked', waiting: waiting(id('q'), CHAT, { until: later }) })
    state().followQuestions(CHAT, 'a1', [call('running')])
    state().followQuestions(CHAT, 'a1', [call('waiting'), again])
    expect(state().questions.map(({ confirmation: { until } }) => until)).toEqual([later])
    await state().answerQuestion(id('q'), true, { filled: { colour: 'blue' } })
    expect(requests.filter(({ route }) => route.includes('/confirm/')).map(({ body }) => body)).toEqual([{ approved: true }, { approved: true, filled: { colour: 'blue' } }])
    state().followQuestions(CHAT, 'a1', [again])
    expect(open()).toEqual([])
  })

  test('that the feed tells of before the turn has told that its tool runs stays', () => {
    receive({ action: 'confirmation_asked', waiting: waiting(id('q'), CHAT) })
    const call = (status: 'waiting' | 'running'): Event => ({ type: 'tool', id: id('q'), name: 'notes__ask', args: {}, status })
    state().followQuestions(CHAT, 'a1', [call('running'), call('waiting'), { type: 'confirmation', ...confirmation(id('q')) }])
    expect(open()).toEqual([id('q')])
  })

  test('is over when its tool goes on, and when its turn ends', () => {
    state().questionAsked(waiting(id('q'), CHAT))
    state().questionAsked(waiting(id('r'), CHAT))
    state().followQuestions(CHAT, 'a1', [{ type: 'tool', id: id('q'), name: 'open', args: {}, status: 'denied' }])
    expect(open()).toEqual([id('r')])
    receive({ action: 'turn_ended', conversationId: CHAT, turnId: 't', messageId: 'a1' })
    expect(open()).toEqual([])
  })

  test.each([
    ['yes', true, undefined, { approved: true }],
    ['no', false, undefined, { approved: false }],
    ['yes to the tool for good', true, 'tool', { approved: true, remember: 'tool' }],
    ['yes to exactly this for good', true, 'arguments', { approved: true, remember: 'arguments' }],
  ] as const)('is answered with %s', async (_, approved, lasting, body) => {
    routes[`POST /api/chat/confirm/${id('q')}`] = () => json({ settled: true })
    state().questionAsked(waiting(id('q'), CHAT))
    await state().answerQuestion(id('q'), approved, { remember: lasting })
    expect(requests.find(({ route }) => route.includes('/confirm/'))?.body).toEqual(body)
    expect(open()).toEqual([])
    expect(state().notices).toEqual([])
  })

  test('is answered once, however often the button is pressed', async () => {
    routes[`POST /api/chat/confirm/${id('q')}`] = () => json({ settled: true })
    state().questionAsked(waiting(id('q'), CHAT))
    await Promise.all([state().answerQuestion(id('q'), true), state().answerQuestion(id('q'), false)])
    expect(requests.filter(({ route }) => route.includes('/confirm/')).map(({ body }) => body)).toEqual([{ approved: true }])
  })

  test.each([
    ['answered already', () => json({ settled: false })],
    ['unknown', () => refusal(404, 'notFound', 'no such question')],
  ])('that was %s goes, and that is said', async (_, reply) => {
    routes[`POST /api/chat/confirm/${id('q')}`] = reply
    state().questionAsked(waiting(id('q'), CHAT))
    await state().answerQuestion(id('q'), true)
    expect(open()).toEqual([])
    expect(state().notices.at(-1)?.text).toMatch(/already answered/)
  })

  test('stays where the answer does not get through, with the reason, and can be answered again', async () => {
    routes[`POST /api/chat/confirm/${id('q')}`] = () => refusal(500, 'internal', 'the disk is full')
    state().questionAsked(waiting(id('q'), CHAT))
    await state().answerQuestion(id('q'), true)
    expect(state().questions[0]).toMatchObject({ answering: null, trouble: 'The disk is full.' })
    routes[`POST /api/chat/confirm/${id('q')}`] = () => json({ settled: true })
    await state().answerQuestion(id('q'), false)
    expect(open()).toEqual([])
  })
})

describe('a turn that is resumed in the middle', () => {
  test('shows what was done, what waits, and goes on', async () => {
    const stored = message('answer of t1', 'assistant', 'Let me ', { status: 'streaming', turnId: 't1', acts: [act('a', 'time', { status: 'running', at: 0 })] })
    routes['POST /api/chats/load'] = () => json(view(CHAT, [message('u2', 'user', 'Hi'), stored], { live: { turnId: 't1', conversationId: CHAT, messageId: stored.id, status: 'running' } }))
    const turn = turnIn('t1', CHAT)
    routes['GET /api/chat/turns/t1'] = turn.response
    await state().openChat(CHAT)
    turn.begin()
    turn.emit({ type: 'tool', id: 'a', name: 'time', args: {}, status: 'running' })
    turn.emit({ type: 'tool', id: 'a', name: 'time', args: {}, status: 'done', result: '12:00', ms: 3 })
    turn.say('It is noon. ')
    turn.emit({ type: 'tool', id: id('q'), name: 'open', args: { target: 'clock' }, status: 'waiting' })
    turn.emit({ type: 'confirmation', ...confirmation(id('q')) })
    const answer = () => state().conversations[CHAT]?.messages.at(-1)
    await vi.waitFor(() => expect(open()).toEqual([id('q')]))
    expect(answer()?.acts.map((done) => [done.id, done.status, done.at])).toEqual([
      ['a', 'done', 0],
      [id('q'), 'waiting', 12],
    ])
    expect(state().questions[0]).toMatchObject({ conversationId: CHAT, messageId: 'answer of t1' })
    turn.emit({ type: 'tool', id: id('q'), name: 'open', args: { target: 'clock' }, status: 'denied', result: 'No answer came.' })
    turn.end()
    await vi.waitFor(() => expect(state().live[CHAT]).toBeUndefined())
    expect(open()).toEqual([])
    expect(answer()?.acts.at(-1)).toMatchObject({ status: 'denied' })
  })
})

describe('permissions', () => {
  beforeEach(() => useStore.setState({ tools: [tool('open')], grants: [{ id: 'g1', tool: 'open', args: {}, createdAt: '' }] }))

  test('hold at once, and the default is told as such', async () => {
    routes['PUT /api/permissions'] = () => json({})
    await state().setPermission('open', 'allow')
    await state().setPermission('open', 'confirm')
    expect(requests.map(({ body }) => body)).toEqual([{ open: 'allow' }, { open: null }])
    expect(state().tools?.[0]?.permission).toBe('confirm')
  })

  test('that do not hold go back, with the reason', async () => {
    routes['PUT /api/permissions'] = () => refusal(500, 'internal', 'the disk is full')
    await state().setPermission('open', 'block')
    expect(state().tools?.[0]?.permission).toBe('confirm')
    expect(state().permitTrouble).toEqual({ open: 'The disk is full.' })
  })

  test('of a tool that is not there change nothing', async () => {
    await state().setPermission('nothing', 'allow')
    expect(requests).toEqual([])
  })

  test('given for good are taken back, and stay where that fails', async () => {
    await state().revokeGrant('g1')
    expect(state().grants).toHaveLength(1)
    routes['DELETE /api/permissions/grants/g1'] = () => json({})
    await state().revokeGrant('g1')
    expect(state().grants).toEqual([])
  })

  test('that changed in the file are read again, but not for a page that was never opened', async () => {
    routes['GET /api/tools'] = () => json({ tools: [tool('open', { permission: 'block' })] })
    routes['GET /api/permissions'] = () => json({ permissions: {}, grants: [], trouble: 'Line 3 is no JSON.' })
    receive({ action: 'permissions_changed' })
    await vi.waitFor(() => expect(state().tools?.[0]?.permission).toBe('block'))
    expect(state().permissionTrouble).toBe('Line 3 is no JSON.')
    useStore.setState({ tools: null })
    requests.length = 0
    receive({ action: 'permissions_changed' })
    expect(requests).toEqual([])
  })
})

describe('a button in something on the screen', () => {
  test('passes the gate, and puts what it brings in place of what was there', async () => {
    const turn = turnIn('t1', CHAT)
    routes['POST /api/tools/spotify/run'] = turn.response
    const running = state().runTool('spotify', { action: 'next' }, { chat: CHAT, act: 'a7' })
    turn.begin()
    turn.emit({ type: 'confirmation', ...confirmation(id('q')) })
    await vi.waitFor(() => expect(open()).toEqual([id('q')]))
    turn.emit({ type: 'tool', id: id('q'), name: 'spotify', args: {}, status: 'running' })
    turn.emit({ type: 'command', id: id('q'), action: 'spotify', payload: { state: { title: 'Clair de lune' } } })
    turn.end()
    await running
    expect(state().freshPayloads).toEqual({ a7: { state: { title: 'Clair de lune' } } })
    expect(open()).toEqual([])
    expect(requests[0]?.body).toEqual({ args: { action: 'next' }, conversationId: CHAT })
  })

  test('that fails says why', async () => {
    const turn = turnIn('t1', CHAT)
    routes['POST /api/tools/spotify/run'] = turn.response
    const running = state().runTool('spotify', {}, { chat: CHAT, act: 'a7' })
    turn.begin()
    turn.emit({ type: 'tool', id: 'x', name: 'spotify', args: {}, status: 'failed', result: 'No player is open.' })
    turn.end()
    await running
    expect(state().notices.at(-1)?.text).toBe('No player is open.')
    await state().runTool('unknown', {}, { chat: CHAT, act: 'a7' })
    expect(state().notices.at(-1)?.tone).toBe('danger')
  })
})

describe('what she did', () => {
  test('is read page by page, and anew with another filter', async () => {
    routes['GET /api/audit?limit=50'] = () => json({ entries: [auditEntry({ tool: 'a' })], next: 'c1' })
    routes['GET /api/audit?limit=50&cursor=c1'] = () => json({ entries: [auditEntry({ tool: 'b' })], next: null })
    routes['GET /api/audit?tool=b&decision=denied&q=tide&limit=50'] = () => json({ entries: [], next: null })
    await state().openAudit()
    await state().olderAudit()
    await state().olderAudit()
    expect(state().audit).toMatchObject({ state: 'ready', next: null, entries: [{ tool: 'a' }, { tool: 'b' }] })
    expect(requests).toHaveLength(2)
    await state().openAudit({ tool: 'b', decision: 'denied', q: 'tide' })
    expect(state().audit).toMatchObject({ state: 'ready', entries: [] })
  })

  test('keeps what was read where the next page fails, and the last filter wins', async () => {
    routes['GET /api/audit?limit=50'] = () => json({ entries: [auditEntry()], next: 'c1' })
    await state().openAudit()
    await state().olderAudit()
    expect(state().audit).toMatchObject({ state: 'failed', entries: [{ tool: 'web_search' }] })
    routes['GET /api/audit?limit=50&cursor=c1'] = () => json({ entries: [auditEntry({ tool: 'older' })], next: null })
    await state().retryAudit()
    expect(state().audit.entries.map((found) => found.tool)).toEqual(['web_search', 'older'])
    let late: (reply: Response) => void = () => {}
    routes['GET /api/audit?q=slow&limit=50'] = () => new Promise((resolve) => (late = resolve))
    routes['GET /api/audit?q=quick&limit=50'] = () => json({ entries: [auditEntry({ tool: 'quick' })], next: null })
    const slow = state().openAudit({ q: 'slow' })
    await state().openAudit({ q: 'quick' })
    late(json({ entries: [auditEntry({ tool: 'slow' })], next: null }))
    await slow
    expect(state().audit.entries.map((found) => found.tool)).toEqual(['quick'])
  })
})

test('a page that is opened again and fails reads the newest once more, not the older ones', async () => {
  routes['GET /api/audit?limit=50'] = () => json({ entries: [auditEntry({ tool: 'old' })], next: 'c1' })
  await state().openAudit()
  routes['GET /api/audit?limit=50'] = () => refusal(500, 'internal', 'the disk is full')
  await state().openAudit()
  expect(state().audit).toMatchObject({ state: 'failed', entries: [{ tool: 'old' }] })
  routes['GET /api/audit?limit=50'] = () => json({ entries: [auditEntry({ tool: 'fresh' })], next: null })
  await state().retryAudit()
  expect(state().audit).toMatchObject({ state: 'ready', entries: [{ tool: 'fresh' }] })
})

describe('skills', () => {
  test('are read again whenever they are opened, and stay on the page meanwhile', async () => {
    routes['GET /api/skills'] = () => json({ skills: [skill('notes')], folder: '/skills' })
    routes['GET /api/skills/notes'] = () => json({ skill: skill('notes'), body: 'One' })
    await state().refreshSkills()
    await state().openSkill('notes')
    routes['GET /api/skills'] = () => json({ skills: [], folder: '/skills' })
    routes['GET /api/skills/notes'] = () => json({ skill: skill('notes'), body: 'Two' })
    const reading = state().openSkill('notes')
    expect(state().skill?.body).toBe('One')
    await Promise.all([reading, state().refreshSkills()])
    expect(state()).toMatchObject({ skill: { body: 'Two' }, skills: [], skillFolder: '/skills' })
  })

  test('that are not there say so, and a slow one does not take the place of another', async () => {
    await state().openSkill('gone')
    expect(state().skill).toMatchObject({ gone: true })
    let late: (reply: Response) => void = () => {}
    routes['GET /api/skills/slow'] = () => new Promise((resolve) => (late = resolve))
    routes['GET /api/skills/quick'] = () => json({ skill: skill('quick'), body: 'Quick' })
    const slow = state().openSkill('slow')
    await state().openSkill('quick')
    late(json({ skill: skill('slow'), body: 'Slow' }))
    await slow
    expect(state().skill?.body).toBe('Quick')
  })
})

describe('what is pinned', () => {
  const chart = act('a1', 'widget', { command: { action: 'widget', payload: { title: 'Tides' } } })
  const pinned = () => state().conversations[CHAT]?.pinned.map((entry) => entry.act.id)

  beforeEach(async () => {
    routes['POST /api/chats/load'] = () => json(view(CHAT, [], { pinned: [{ messageId: 'm0', act: act('a0', 'map') }] }))
    await state().openChat(CHAT)
  })

  test('comes with the conversation, and changes at once', async () => {
    routes[`PUT /api/chats/${CHAT}/pins`] = () => json({})
    await state().pin(CHAT, 'm1', chart, true)
    expect(pinned()).toEqual(['a0', 'a1'])
    expect(requests.at(-1)?.body).toEqual({ messageId: 'm1', actId: 'a1', pinned: true })
    state().showPin('a1')
    await state().pin(CHAT, 'm1', chart, false)
    expect(pinned()).toEqual(['a0'])
    expect(state().openPin).toBeNull()
  })

  test('goes back where the server does not keep it', async () => {
    await state().pin(CHAT, 'm1', chart, true)
    expect(pinned()).toEqual(['a0'])
    expect(state().notices).toHaveLength(1)
  })
})

describe('a call to somebody who looks elsewhere', () => {
  const raised: [string, NotificationOptions | undefined][] = []
  class Bell {
    static permission = 'granted'
    onclick: (() => void) | null = null
    constructor(title: string, options?: NotificationOptions) {
      raised.push([title, options])
    }
    close() {}
  }

  beforeEach(() => {
    raised.length = 0
    Bell.permission = 'granted'
    vi.stubGlobal('Notification', Bell)
  })

  async function notified(visibility: DocumentVisibilityState, command: Extract<Event, { type: 'command' }>): Promise<void> {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility)
    const turn = turnIn(id('t'), CHAT)
    routes['POST /api/chats/load'] = () => json(view(CHAT, []))
    routes['POST /api/chat/stream'] = turn.response
    await state().openChat(CHAT)
    void state().send(CHAT, { text: 'Hi', files: [] })
    turn.begin()
    turn.emit(command)
    turn.emit(command)
    turn.end()
    await vi.waitFor(() => expect(state().conversations[CHAT]?.messages.at(-1)?.status).toBe('complete'))
  }

  test('is raised once, with plain words', async () => {
    await notified('hidden', { type: 'command', id: id('n'), action: 'notify', payload: { title: 'Tea', text: '<b>It is ready.</b>' } })
    expect(raised).toEqual([['Tea', expect.objectContaining({ body: '<b>It is ready.</b>' })]])
  })

  test.each([
    ['the page is looked at', 'visible', 'notify', 'granted'],
    ['it was not permitted', 'hidden', 'notify', 'denied'],
    ['it is something else', 'hidden', 'widget', 'granted'],
  ] as const)('is not raised where %s', async (_, visibility, action, permission) => {
    Bell.permission = permission
    await notified(visibility, { type: 'command', id: id('n'), action, payload: { title: 'Tea' } })
    expect(raised).toEqual([])
  })

  test('does no harm with a payload that is none', async () => {
    await notified('hidden', { type: 'command', id: id('n'), action: 'notify', payload: null })
    expect(raised).toEqual([['Luna', expect.objectContaining({ body: '' })]])
  })
})
