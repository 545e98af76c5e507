// Tests a conversation in the browser with a scripted model: streaming, stopping, branches, errors,
// reconnecting.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Perigee, answers, composer, gate, questions, say, stage, until, untilClosed } from './harness.mjs'

const here = stage()

const answered = (text) => answers(here.page).last().getByText(text).first().waitFor()

test('an answer appears while it is written, and Markdown is rendered', async () => {
  const half = gate()
  here.model.says(async (send) => {
    send('# Moons\n\nThe **first** half')
    await half.opened
    send(' and the second.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```rust\nfn main() {}\n```\n')
  })
  await say(here.page, 'Tell me')
  await answered('first')
  assert.equal(await here.page.getByRole('button', { name: 'Stop' }).isVisible(), true)
  half.open()
  await answers(here.page).last().getByRole('cell', { name: '2' }).waitFor()
  await answers(here.page).last().getByRole('heading', { name: 'Moons' }).waitFor()
  await answers(here.page).last().getByLabel(/Rust code/).waitFor()
})

test('stop keeps what had come', async () => {
  here.model.says(async (send, response) => {
    send('The beginning of something long')
    await untilClosed(response)
  })
  await say(here.page, 'Go on')
  await answered('The beginning')
  await here.page.getByRole('button', { name: 'Stop' }).click()
  await here.page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
  await answered('The beginning of something long')
})

test('regenerating and editing make branches that can be walked', async () => {
  here.model.says('First answer.', 'Second answer.', 'Third answer.')
  await say(here.page, 'A question')
  await answered('First answer.')
  await answers(here.page).last().hover()
  await answers(here.page).last().getByRole('button', { name: /again|another|regenerate/i }).click()
  await answered('Second answer.')
  await here.page.getByLabel('Version 2 of 2').waitFor()
  await here.page.getByRole('group', { name: 'Versions' }).getByRole('button').first().click()
  await answered('First answer.')

  await questions(here.page).last().hover()
  await questions(here.page).last().getByRole('button', { name: /edit/i }).click()
  await here.page.getByRole('textbox').filter({ hasText: 'A question' }).waitFor()
  await say(here.page, 'Another question')
  await answered('Third answer.')
  assert.equal(here.model.requests.at(-1).messages.at(-1).content.endsWith('Another question'), true)
})

test('a reload in mid-answer goes on with the same answer', async () => {
  const rest = gate()
  here.model.says(async (send) => {
    send('Before the reload. ')
    await rest.opened
    send('After the reload.')
  })
  await say(here.page, 'Wait for it')
  await answered('Before the reload.')
  await here.page.reload()
  await answered('Before the reload.')
  rest.open()
  await answered('After the reload.')
  assert.equal(await answers(here.page).count(), 1, 'it is one answer, not two')
})

test('an answer that is cut by a crash ends, and the page goes on with the server that comes back', async () => {
  here.model.says(async (send, response) => {
    send('The first half of a thought')
    await untilClosed(response)
  })
  await say(here.page, 'Think aloud')
  await answered('The first half')
  await here.perigee.kill()
  here.perigee = await Perigee.start({ home: here.perigee.home, port: new URL(here.perigee.address).port })
  await answered('The answer was cut off.')
  await here.page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
  here.model.says('Here I am.')
  await say(here.page, 'Are you back?')
  await answered('Here I am.')
})

test('a conversation that was deleted does not come back with Back, and does with Undo', async () => {
  here.model.says('Unforgettable.')
  await say(here.page, 'Remember this')
  await answered('Unforgettable.')
  await here.page.getByRole('button', { name: 'Actions for this conversation' }).click()
  await here.page.getByRole('menuitem', { name: 'Delete' }).click()
  await here.page.getByRole('button', { name: 'Undo' }).waitFor()
  await here.page.goBack()
  await here.page.getByRole('heading', { name: 'This chat is gone' }).waitFor()
  assert.equal(await here.page.getByText('Unforgettable.').count(), 0)
  await here.page.getByRole('button', { name: 'Undo' }).click()
  await answered('Unforgettable.')
})

test('the whole list of conversations can be scrolled', async () => {
  for (let index = 0; index < 130; index += 1) await here.perigee.call('POST', '/api/chats/new', { title: `Night ${index}` })
  await here.page.reload()
  const list = here.page.getByRole('list', { name: 'Conversations' })
  await list.getByText('Night 129', { exact: true }).waitFor()
  await list.hover()
  // Scrolls repeatedly, since the list grows when its end comes near.
  const first = list.getByText('Night 0', { exact: true })
  await until(async () => {
    await here.page.mouse.wheel(0, 2000)
    return first.isVisible()
  })
})

test('what an answer cost is still told after a reload', async () => {
  here.model.says(async (send) => {
    send('Let me see.', 'reasoning_content')
    send('Four words, no more.')
  })
  await say(here.page, 'Be brief')
  await answered(/\d tokens/)
  const told = await answers(here.page).last().innerText()
  await here.page.reload()
  await answered(/\d tokens/)
  assert.match(told, /Thought for/)
  assert.equal(await answers(here.page).last().innerText(), told)
})

test('a tag shows how many conversations it has, and narrows the list to them', async () => {
  for (const [title, tags] of [['Tides', ['sea', 'moon']], ['Eclipses', ['moon']]]) {
    const { id } = await here.perigee.call('POST', '/api/chats/new', { title })
    await here.perigee.call('PATCH', `/api/chats/${id}`, { tags })
  }
  await here.page.reload()
  const list = here.page.getByRole('list', { name: 'Conversations' })
  await here.page.getByRole('button', { name: 'sea 1' }).click()
  await list.getByText('Eclipses').waitFor({ state: 'detached' })
  await list.getByText('Tides').waitFor()
  await here.page.getByRole('button', { name: 'moon 2' }).click()
  await list.getByText('Eclipses').waitFor()
  await here.page.getByRole('button', { name: 'moon 2' }).click()
  await list.getByText('Be brief').or(list.getByText('Tell me')).first().waitFor()
})

test('a model that fails shows why, keeps the question, and can be asked again', async () => {
  here.model.says({ status: 400, body: '{"error":{"message":"no such model"}}' }, 'It works.')
  await say(here.page, 'Are you there?')
  await here.page.getByText(/no such model/).first().waitFor()
  await questions(here.page).last().getByText('Are you there?').waitFor()
  await here.page.getByRole('button', { name: /again|retry/i }).first().click()
  await answered('It works.')
})

test('hostile Markdown runs nothing and loads nothing', async () => {
  const attacks = [
    '<script>window.hit=1</script>',
    '<img src=x onerror="window.hit=1">',
    '[click](javascript:window.hit=1)',
    '<svg onload="window.hit=1">',
    '<iframe srcdoc="<script>parent.hit=1</script>"></iframe>',
    '![x](http://127.0.0.1:9/leak.png)',
    '<style>body{display:none}</style>',
    '<a href="data:text/html,<script>1</script>">x</a>',
    '<form action="http://127.0.0.1:9"><button>send</button></form>',
  ]
  // The policy reports what it blocks; these reports are expected and not faults.
  here.expectedFaults = [/^(?:Applying inline style|Executing inline event handler) violates .* The action has been blocked\.$/]
  const asked = []
  here.page.on('request', (request) => asked.push(request.url()))
  here.model.says(async (send) => {
    for (const character of `${attacks.join('\n\n')}\n\nThe end.`) send(character)
  })
  await say(here.page, 'Attack')
  await answered('The end.')
  assert.equal(await here.page.evaluate(() => window.hit), undefined)
  assert.equal(await answers(here.page).last().locator('script, iframe, style, form, [onerror], [onload]').count(), 0)
  const links = await answers(here.page).last().locator('a').evaluateAll((all) => all.map((link) => link.href))
  assert.ok(links.every((href) => /^(https?|mailto):/.test(href)), links.join(' '))
  assert.ok(asked.every((url) => url.startsWith(here.perigee.address)), asked.join('\n'))
})

test('the keyboard reaches everything: palette, slash commands, the last message', async () => {
  here.model.says('Hello.')
  await say(here.page, 'A first message')
  await answered('Hello.')
  await here.page.keyboard.press('Control+k')
  await here.page.getByRole('textbox', { name: 'What are you looking for?' }).or(here.page.getByRole('combobox')).first().fill('settings')
  await here.page.getByRole('option').first().waitFor()
  await here.page.keyboard.press('Escape')
  await composer(here.page).fill('/')
  await here.page.getByRole('listbox', { name: 'Commands' }).waitFor()
  await composer(here.page).fill('')
  await composer(here.page).press('ArrowUp')
  await here.page.getByRole('textbox').filter({ hasText: 'A first message' }).waitFor()
})

test('without a cookie there is a login page, and a wrong token is refused in words', async () => {
  const stranger = await here.browser.newContext()
  const outside = await stranger.newPage()
  await outside.goto(here.perigee.address)
  await outside.getByRole('textbox').first().fill('not the token')
  await outside.keyboard.press('Enter')
  await outside.getByText(/not good|wrong|not right|perigee open/i).first().waitFor()
  await stranger.close()
})

test('on a phone nothing sticks out', async () => {
  await here.enter({ viewport: { width: 390, height: 844 }, hasTouch: true })
  here.model.says(`A table:\n\n| ${'column | '.repeat(12)}\n|${'---|'.repeat(12)}\n\n${'longword'.repeat(30)}\n\nThe end.`)
  await composer(here.page).fill('Show me')
  await here.page.getByRole('button', { name: 'Send' }).tap()
  await answered('The end.')
  const wide = await here.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  assert.ok(wide <= 0, `the page is ${wide} pixels too wide`)
})
