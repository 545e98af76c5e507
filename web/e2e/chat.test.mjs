// A conversation in the browser with a scripted model: streaming, stopping, branches, faults, coming back.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Perigee, ScriptedModel, answers, composer, gate, openBrowser, questions, say, signIn } from './harness.mjs'

let browser, model, perigee, page, context, faults

before(async () => {
  browser = await openBrowser()
  model = await ScriptedModel.start()
  perigee = await Perigee.start({ config: model.config })
})

after(async () => {
  await browser?.close()
  await perigee?.stop()
  model?.stop()
})

beforeEach(async () => {
  await context?.close()
  model.script.length = 0
  await perigee.call('POST', '/api/chat/clear', {})
  ;({ page, context, faults } = await signIn(browser, perigee))
})

const answered = (text) => answers(page).last().getByText(text).first().waitFor()

test('an answer appears while it is written, and Markdown is rendered', async () => {
  const half = gate()
  model.says(async (send) => {
    send('# Moons\n\nThe **first** half')
    await half.opened
    send(' and the second.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```rust\nfn main() {}\n```\n')
  })
  await say(page, 'Tell me')
  await answered('first')
  assert.equal(await page.getByRole('button', { name: 'Stop' }).isVisible(), true)
  half.open()
  await answers(page).last().getByRole('cell', { name: '2' }).waitFor()
  await answers(page).last().getByRole('heading', { name: 'Moons' }).waitFor()
  await answers(page).last().getByLabel(/Rust code/).waitFor()
  assert.deepEqual(faults, [])
})

test('stop keeps what had come', async () => {
  const never = gate()
  model.says(async (send, response) => {
    send('The beginning of something long')
    await Promise.race([never.opened, new Promise((resolve) => response.on('close', resolve))])
  })
  await say(page, 'Go on')
  await answered('The beginning')
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
  await answered('The beginning of something long')
})

test('regenerating and editing make branches that can be walked', async () => {
  model.says('First answer.', 'Second answer.', 'Third answer.')
  await say(page, 'A question')
  await answered('First answer.')
  await answers(page).last().hover()
  await answers(page).last().getByRole('button', { name: /again|another|regenerate/i }).click()
  await answered('Second answer.')
  await page.getByLabel('Version 2 of 2').waitFor()
  await page.getByRole('group', { name: 'Versions' }).getByRole('button').first().click()
  await answered('First answer.')

  await questions(page).last().hover()
  await questions(page).last().getByRole('button', { name: /edit/i }).click()
  await page.getByRole('textbox').filter({ hasText: 'A question' }).waitFor()
  await say(page, 'Another question')
  await answered('Third answer.')
  assert.equal(model.requests.at(-1).messages.at(-1).content.endsWith('Another question'), true)
})

test('a reload in mid-answer goes on with the same answer', async () => {
  const rest = gate()
  model.says(async (send) => {
    send('Before the reload. ')
    await rest.opened
    send('After the reload.')
  })
  await say(page, 'Wait for it')
  await answered('Before the reload.')
  await page.reload()
  await answered('Before the reload.')
  rest.open()
  await answered('After the reload.')
  assert.equal(await answers(page).count(), 1, 'it is one answer, not two')
})

test('an answer that is cut by a crash ends, and the page goes on with the server that comes back', async () => {
  const never = gate()
  model.says(async (send, response) => {
    send('The first half of a thought')
    await Promise.race([never.opened, new Promise((resolve) => response.on('close', resolve))])
  })
  await say(page, 'Think aloud')
  await answered('The first half')
  await perigee.kill()
  perigee = await Perigee.start({ home: perigee.home, port: new URL(perigee.address).port })
  await answered('The answer was cut off.')
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
  model.says('Here I am.')
  await say(page, 'Are you back?')
  await answered('Here I am.')
})

test('a conversation that was deleted does not come back with Back, and does with Undo', async () => {
  model.says('Unforgettable.')
  await say(page, 'Remember this')
  await answered('Unforgettable.')
  await page.getByRole('button', { name: 'Actions for this conversation' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'This one is gone' }).waitFor()
  assert.equal(await page.getByText('Unforgettable.').count(), 0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await answered('Unforgettable.')
})

test('the whole list of conversations can be scrolled', async () => {
  for (let index = 0; index < 130; index += 1) await perigee.call('POST', '/api/chats/new', { title: `Night ${index}` })
  await page.reload()
  const list = page.getByRole('list', { name: 'Conversations' })
  await list.getByText('Night 129', { exact: true }).waitFor()
  await list.hover()
  // Again and again, since the list grows as its end comes near.
  const first = list.getByText('Night 0', { exact: true })
  for (let turns = 0; turns < 60 && !(await first.isVisible()); turns += 1) await page.mouse.wheel(0, 2000)
  await first.waitFor()
})

test('what an answer cost is still told after a reload', async () => {
  model.says(async (send) => {
    send('Let me see.', 'reasoning_content')
    send('Four words, no more.')
  })
  await say(page, 'Be brief')
  await answered(/\d tokens/)
  const told = await answers(page).last().innerText()
  await page.reload()
  await answered(/\d tokens/)
  assert.match(told, /Thought for/)
  assert.equal(await answers(page).last().innerText(), told)
})

test('a tag shows how many conversations it has, and narrows the list to them', async () => {
  for (const [title, tags] of [['Tides', ['sea', 'moon']], ['Eclipses', ['moon']]]) {
    const { id } = await perigee.call('POST', '/api/chats/new', { title })
    await perigee.call('PATCH', `/api/chats/${id}`, { tags })
  }
  await page.reload()
  const list = page.getByRole('list', { name: 'Conversations' })
  await page.getByRole('button', { name: 'sea 1' }).click()
  await list.getByText('Eclipses').waitFor({ state: 'detached' })
  await list.getByText('Tides').waitFor()
  await page.getByRole('button', { name: 'moon 2' }).click()
  await list.getByText('Eclipses').waitFor()
  await page.getByRole('button', { name: 'moon 2' }).click()
  await list.getByText('Be brief').or(list.getByText('Tell me')).first().waitFor()
})

test('a model that fails shows why, keeps the question, and can be asked again', async () => {
  model.says({ status: 400, body: '{"error":{"message":"no such model"}}' }, 'It works.')
  await say(page, 'Are you there?')
  await page.getByText(/no such model/).first().waitFor()
  await questions(page).last().getByText('Are you there?').waitFor()
  await page.getByRole('button', { name: /again|retry/i }).first().click()
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
  const asked = []
  page.on('request', (request) => asked.push(request.url()))
  model.says(async (send) => {
    for (const character of `${attacks.join('\n\n')}\n\nThe end.`) send(character)
  })
  await say(page, 'Attack')
  await answered('The end.')
  assert.equal(await page.evaluate(() => window.hit), undefined)
  assert.equal(await answers(page).last().locator('script, iframe, style, form, [onerror], [onload]').count(), 0)
  const links = await answers(page).last().locator('a').evaluateAll((all) => all.map((link) => link.href))
  assert.ok(links.every((href) => /^(https?|mailto):/.test(href)), links.join(' '))
  assert.ok(asked.every((url) => url.startsWith(perigee.address)), asked.join('\n'))
})

test('the keyboard reaches everything: palette, slash commands, the last message', async () => {
  model.says('Hello.')
  await say(page, 'A first message')
  await answered('Hello.')
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'What are you looking for?' }).or(page.getByRole('combobox')).first().fill('settings')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Escape')
  await composer(page).fill('/')
  await page.getByRole('listbox', { name: 'Commands' }).waitFor()
  await composer(page).fill('')
  await composer(page).press('ArrowUp')
  await page.getByRole('textbox').filter({ hasText: 'A first message' }).waitFor()
})

test('without a cookie there is a login page, and a wrong token is refused in words', async () => {
  const stranger = await browser.newContext()
  const outside = await stranger.newPage()
  await outside.goto(perigee.address)
  await outside.getByRole('textbox').first().fill('not the token')
  await outside.keyboard.press('Enter')
  await outside.getByText(/not good|wrong|not right|perigee open/i).first().waitFor()
  await stranger.close()
})

test('on a phone nothing sticks out', async () => {
  await context.close()
  ;({ page, context, faults } = await signIn(browser, perigee, { viewport: { width: 390, height: 844 }, hasTouch: true }))
  model.says(`A table:\n\n| ${'column | '.repeat(12)}\n|${'---|'.repeat(12)}\n\n${'longword'.repeat(30)}\n\nThe end.`)
  await composer(page).fill('Show me')
  await page.getByRole('button', { name: 'Send' }).tap()
  await answered('The end.')
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  assert.ok(wide <= 0, `the page is ${wide} pixels too wide`)
})
