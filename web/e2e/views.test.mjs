// Tests the three views of one conversation: switching between them at any moment loses nothing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answers, axeFaults, composer, gate, questions, say, stage, until } from './harness.mjs'

const here = stage({
  reset: async ({ perigee }) => {
    for (const { confirmation } of (await perigee.call('GET', '/api/chat/confirmations')).waiting) {
      await perigee.call('POST', `/api/chat/confirm/${confirmation.id}`, { approved: false })
    }
    await perigee.call('PUT', '/api/permissions', { widget: null })
  },
})

/** Leaves out the avatar: other tests cover it, and software rendering would take most of the time here. */
const withoutBody = () => here.context.route('**/api/body', (route) => route.fulfill({ status: 404, contentType: 'application/json', body: '{"code":"notFound","message":"not here"}' }))

const TIDES = { type: 'checklist', title: 'Before the tide', data: ['Boots', 'Lamp'] }
const LISBON = { title: 'Lisbon', lat: 38.72, lon: -9.14, markers: [{ lat: 38.72, lon: -9.14, label: 'Lisbon' }] }
const widget = (body = TIDES) => `[WIDGET:${JSON.stringify(body)}]`
const map = () => `[MAP:${JSON.stringify(LISBON)}]`

const to = { desk: 'Alt+Shift+1', face: 'Alt+Shift+2', screen: 'Alt+Shift+3' }
const hash = () => here.page.evaluate(() => location.hash)
const panel = (name) => here.page.getByRole('region', { name, exact: true })
const dock = () => here.page.getByRole('navigation', { name: 'Panels' })
const head = (name) => panel(name).getByRole('button', { name: `${name}: move it` })
const captions = () => here.page.getByTestId('captions')
const control = (name) => here.page.getByRole('button', { name, exact: true })
const place = async (name) => {
  const { x, y, width, height } = await panel(name).boundingBox()
  return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) }
}

async function go(view) {
  await here.page.keyboard.press(to[view])
  const sign = { desk: here.page.getByRole('navigation', { name: 'Conversations' }), face: here.page.locator('.face'), screen: here.page.locator('[data-luna]') }
  await sign[view].waitFor()
}

test('a reply that streams goes on through every view, once', async () => {
  await withoutBody()
  const [first, second, third] = [gate(), gate(), gate()]
  here.model.says(async (send) => {
    send('The tide turns at two in the afternoon today. ')
    await first.opened
    send('Then the whole bay empties within a single hour. ')
    await second.opened
    send('One can walk from one end of it to the other. ')
    await third.opened
    send('Be back before six.')
  })
  const asked = here.model.requests.length
  await say(here.page, 'When does the tide turn?')
  await answers(here.page).getByText('The tide turns').waitFor()
  await go('screen')
  await panel('Conversation').getByText('The tide turns at two').waitFor()
  first.open()
  await panel('Conversation').getByText('the whole bay empties').waitFor()
  await go('face')
  assert.match(await hash(), /^#\/user\/c\/[0-9a-z]{13}$/)
  await control('Stop').waitFor()
  second.open()
  await captions().getByText('One can walk from one end').waitFor()
  await go('desk')
  third.open()
  await answers(here.page).getByText('Be back before six.').waitFor()
  await until(async () => (await here.page.getByRole('button', { name: 'Stop' }).count()) === 0)
  const text = await answers(here.page).last().locator('.prose').innerText()
  assert.equal(text.replace(/\s+/g, ' ').trim(), 'The tide turns at two in the afternoon today. Then the whole bay empties within a single hour. One can walk from one end of it to the other. Be back before six.')
  assert.equal(await answers(here.page).count(), 1)
  assert.equal(await questions(here.page).count(), 1)
  assert.equal(here.model.requests.length - asked, 1)
})

test('she can be stopped face to face', async () => {
  await withoutBody()
  const never = gate()
  here.model.says(async (send) => {
    send('This goes on and on and on, and then it goes on. ')
    await never.opened
  })
  await say(here.page, 'Tell me everything')
  await answers(here.page).getByText('This goes on').waitFor()
  await go('face')
  await control('Stop').click()
  await control('Write to Luna').waitFor()
  never.open()
})

test('a draft is the same in every view', async () => {
  await withoutBody()
  await composer(here.page).fill('Half a thou')
  await go('screen')
  assert.equal(await composer(here.page).inputValue(), 'Half a thou')
  await composer(here.page).press('End')
  await here.page.keyboard.type('ght')
  await go('face')
  assert.equal(await composer(here.page).count(), 0)
  await control('Write to Luna').click()
  assert.equal(await composer(here.page).inputValue(), 'Half a thought')
  here.model.says('Gladly, and as long as you like to listen.')
  await composer(here.page).press('Enter')
  await captions().getByText('Gladly, and as long').waitFor()
  // The field closes to leave room for the avatar.
  assert.equal(await composer(here.page).count(), 0)
  await go('desk')
  assert.equal(await composer(here.page).inputValue(), '')
  await questions(here.page).getByText('Half a thought').waitFor()
})

test('where one was reading is where one reads on', async () => {
  await withoutBody()
  here.model.says(Array.from({ length: 80 }, (_, index) => `Line ${index + 1} of a long story.`).join('\n\n'))
  await say(here.page, 'A long story, please')
  await answers(here.page).getByText('Line 80 of').waitFor()
  const list = here.page.getByTestId('messages')
  await list.hover()
  await here.page.mouse.wheel(0, 700)
  const top = () => list.evaluate((element) => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(element.scrollTop)))))
  let read = await top()
  // Scrolling by wheel goes on for a while.
  await until(async () => {
    const before = read
    read = await top()
    return read > 100 && read === before
  })
  await go('screen')
  await panel('Conversation').getByText('Line 80 of').waitFor()
  await go('desk')
  await answers(here.page).getByText('Line 80 of').waitFor()
  assert.ok(Math.abs((await top()) - read) < 2, `${await top()} is not ${read}`)
})

test('a question of hers can be answered in every view', async () => {
  await withoutBody()
  await here.perigee.call('PUT', '/api/permissions', { widget: 'confirm' })
  const asks = here.page.getByRole('region', { name: 'Luna asks' })
  for (const view of ['screen', 'face']) {
    here.model.script.length = 0
    here.model.says(`One moment. ${widget()}\n\nSo be it, then, and mind the slippery stones.`)
    await go('desk')
    await say(here.page, 'A list, please')
    await asks.waitFor()
    await go(view)
    await asks.getByRole('button', { name: 'Allow', exact: true }).click()
    await asks.waitFor({ state: 'detached' })
    if (view === 'screen') await panel('Widgets').getByText('Boots').waitFor()
    else await captions().getByText('mind the slippery stones').waitFor()
    await until(async () => (await here.page.getByRole('button', { name: 'Stop' }).count()) === 0)
  }
})

test('what she puts on the screen opens its panel, which covers neither her face nor the others', async () => {
  await withoutBody()
  await go('screen')
  here.model.says(`Here.\n\n${widget()}\n\n${map()}\n\nTake care.`)
  await say(here.page, 'What do I need in Lisbon?')
  await panel('Widgets').getByText('Boots').waitFor()
  await panel('Map').getByRole('application').waitFor()
  const names = ['Conversation', 'Widgets', 'Map']
  const places = await Promise.all(names.map(place))
  places.forEach((one, index) => {
    assert.ok(one.x + one.width < 545 || one.x > 895, `${names[index]} covers her face`)
    for (const other of places.slice(index + 1)) {
      const apart = one.x + one.width <= other.x || other.x + other.width <= one.x || one.y + one.height <= other.y || other.y + other.height <= one.y
      assert.ok(apart, `${names[index]} covers another panel`)
    }
  })
  await panel('Map').getByRole('button', { name: 'Close Map' }).click()
  assert.equal(await panel('Map').count(), 0)
  await dock().getByRole('button', { name: 'Map' }).click()
  await panel('Map').waitFor()
  // Another conversation does not have this panel.
  await here.page.keyboard.press('Control+Shift+O')
  await until(async () => (await hash()) === '#/luna')
  assert.equal(await dock().getByRole('button', { name: 'Map' }).count(), 0)
})

test('she opens and closes panels when she is asked to', async () => {
  await withoutBody()
  await go('screen')
  const call = (args) => `<tool_call>${JSON.stringify({ name: 'panel', arguments: args })}</tool_call>`
  here.model.says(`${call({ panel: 'console', open: true })}${call({ panel: 'camera', open: true })}`, 'There you are, as you wished it.')
  await say(here.page, 'Show me the console')
  await panel('Console').getByText('turn began').waitFor()
  await panel('Conversation').getByText('as you wished it').waitFor()
  here.model.says(call({ panel: 'console', open: false }), 'And it is gone again, as you see.')
  await say(here.page, 'Enough')
  await panel('Console').waitFor({ state: 'detached' })
})

test('panels are moved by hand, and stand there after a reload', async () => {
  await withoutBody()
  await go('screen')
  await dock().getByRole('button', { name: 'System' }).click()
  const before = await place('System')
  const grip = await head('System').boundingBox()
  await here.page.mouse.move(grip.x + 60, grip.y + 10)
  await here.page.mouse.down()
  await here.page.mouse.move(grip.x + 360, grip.y - 90, { steps: 5 })
  await here.page.mouse.up()
  const moved = await place('System')
  assert.deepEqual([moved.x, moved.y], [before.x + 300, before.y - 100])
  await here.page.mouse.move(moved.x + moved.width - 1, moved.y + moved.height - 1)
  await here.page.mouse.down()
  await here.page.mouse.move(moved.x + moved.width + 59, moved.y + moved.height + 39, { steps: 4 })
  await here.page.mouse.up()
  const sized = await place('System')
  assert.deepEqual([sized.width, sized.height], [moved.width + 60, moved.height + 40])
  await panel('Clock').hover()
  await panel('Clock').getByRole('button', { name: 'Close Clock' }).click()
  await here.page.reload()
  await panel('System').waitFor()
  assert.deepEqual(await place('System'), sized)
  assert.equal(await panel('Clock').count(), 0)
  await here.page.setViewportSize({ width: 900, height: 640 })
  await until(async () => {
    const { x, y, width, height } = await place('System')
    return x >= 0 && y >= 0 && x + width <= 900 && y + height <= 640
  }, 'the panel is out of reach')
})

test('a layout that makes no sense is not taken', async () => {
  await withoutBody()
  await here.page.evaluate(() => localStorage.setItem('perigee.luna-panels', '{"panels":{"clock":{"x":1e9,"y":"<b>"},"conversation":7},"order":{"a":1}}'))
  await here.page.evaluate(() => (location.hash = '#/luna'))
  await here.page.reload()
  await dock().waitFor()
  await dock().getByRole('button', { name: 'Clock' }).click()
  await panel('Clock').waitFor()
})

test('the address keeps the view: reload, back and forward, and the plain address', async () => {
  await withoutBody()
  here.model.says('Good evening to you, too, and a quiet night.')
  await say(here.page, 'Good evening')
  await answers(here.page).getByText('a quiet night').waitFor()
  const chat = await hash()
  await go('screen')
  assert.equal(await hash(), chat.replace('#/', '#/luna/'))
  await here.page.reload()
  await panel('Conversation').getByText('a quiet night').waitFor()
  await here.page.goBack()
  await here.page.getByRole('navigation', { name: 'Conversations' }).waitFor()
  assert.equal(await hash(), chat)
  await here.page.goForward()
  await panel('Conversation').waitFor()
  await here.page.goto(here.perigee.address)
  await panel('Conversation').waitFor()
  assert.equal(await hash(), '#/luna')
})

/**
 * Returns the computed lightness of the text and of the background of the view, the background of the title,
 * and which sky is shown.
 */
const seen = () =>
  here.page.evaluate(() => {
    const lightness = (colour) => Number(/okl(?:ch|ab)\(([\d.]+)/.exec(colour)?.[1])
    const [title, view] = ['.immersive h1', '.immersive'].map((name) => getComputedStyle(document.querySelector(name)))
    const day = document.querySelector('[data-sky]')?.hasAttribute('data-day')
    return { words: lightness(title.color), ground: lightness(view.backgroundColor), glass: title.backgroundImage, day }
  })

test('the views she fills are a morning in the light theme, and a night in the dark one', async () => {
  await withoutBody()
  const { page } = here
  const glass = {}
  for (const view of ['screen', 'face']) {
    await go(view)
    for (const colorScheme of ['dark', 'light']) {
      await page.emulateMedia({ colorScheme })
      const light = colorScheme === 'light'
      await until(async () => (await seen()).day === light, 'the sky does not follow the theme')
      const { words, ground, glass: pane } = await seen()
      assert.ok(light ? words < 0.4 && ground > 0.7 : words > 0.8 && ground < 0.3, `${view} in the ${colorScheme} theme: ${words} on ${ground}`)
      glass[colorScheme] = pane
    }
    assert.notEqual(glass.dark, glass.light)
  }
  // The theme chosen by hand overrides that of the system.
  await page.evaluate(() => localStorage.setItem('perigee.theme', 'dark'))
  await page.reload()
  await page.locator('.face').waitFor()
  await until(async () => (await seen()).day === false)
  assert.ok((await seen()).words > 0.8)
})

test('at rest words stay readable, and what has the focus stays as it is', async () => {
  await withoutBody()
  const { page } = here
  await go('screen')
  await head('Awareness').focus()
  const words = (name) => panel(name).evaluate((element) => getComputedStyle(element).color)
  const awake = await words('Conversation')
  // The view rests after twenty seconds without input; setting the attribute saves the wait.
  await page.evaluate(() => document.querySelector('[data-luna]').setAttribute('data-resting', 'true'))
  assert.notEqual(await words('Conversation'), awake)
  for (const name of ['Awareness', 'Clock']) assert.equal(await words(name), awake)
  assert.deepEqual(await axeFaults(page, '.panel'), [])
})

test('everything is in reach of the keyboard', async () => {
  await withoutBody()
  const { page } = here
  await go('screen')
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent)
  await page.keyboard.press('Escape')
  await page.keyboard.press('F6')
  assert.match(await focused(), /^Tidy up/)
  await page.keyboard.press('F6')
  assert.match(await focused(), /^Conversation: move it/)
  await page.keyboard.press('F6')
  const before = await place('Clock')
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'Shift+ArrowRight']) await page.keyboard.press(key)
  const after = await place('Clock')
  assert.deepEqual([after.x - before.x, after.y - before.y, after.width - before.width], [32, 16, 16])
  await page.keyboard.press('Tab')
  assert.equal(await focused(), 'Pin Clock')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  assert.equal(await panel('Clock').count(), 0)
  // The focus is on the control that reopens the panel.
  assert.equal(await focused(), 'Clock')
  await page.keyboard.press('Enter')
  await until(async () => /^Clock: move it/.test(await focused()))
  await page.keyboard.press('h')
  await until(async () => !(await panel('Clock').isVisible()))
  await page.keyboard.press('x')
  await until(async () => panel('Clock').isVisible())
  await page.keyboard.press('/')
  await until(async () => (await focused()) === 'Message Luna')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('navigation', { name: 'Conversations' }).waitFor()
})

test('on a phone what was said is a swipe away, panels stand over the dock, and axe finds nothing wrong', { timeout: 120_000 }, async () => {
  await here.enter({ viewport: { width: 390, height: 844 } })
  await withoutBody()
  const { page } = here
  here.model.says('It is a fine night for a walk along the sea, I would say.')
  await say(page, 'How is the night?')
  await answers(page).getByText('a fine night').waitFor()
  await page.evaluate(() => (location.hash = location.hash.replace('#/', '#/user/')))
  await captions().getByText('a fine night').waitFor()
  const faults = { face: await axeFaults(page) }
  await page.mouse.move(195, 420)
  await page.mouse.down()
  await page.mouse.move(195, 220, { steps: 6 })
  await page.mouse.up()
  const history = page.getByRole('complementary', { name: 'Conversation' })
  await history.getByRole('article', { name: 'You' }).waitFor()
  faults.history = await axeFaults(page)
  await page.keyboard.press('Escape')
  await history.waitFor({ state: 'detached' })
  await control('Her screen').or(page.getByRole('link', { name: 'Her screen' })).click()
  await dock().getByRole('button', { name: 'Awareness' }).click()
  await panel('Awareness').getByText('It is', { exact: true }).waitFor()
  const box = await place('Awareness')
  assert.ok(box.y > 300 && box.width > 360, 'the sheet leaves room for her')
  await dock().getByRole('button', { name: 'Conversation' }).click()
  await panel('Conversation').getByText('a fine night').waitFor()
  assert.equal(await panel('Awareness').count(), 0)
  faults.sheet = await axeFaults(page)
  await panel('Conversation').getByRole('button', { name: 'Close Conversation' }).click()
  assert.equal(await panel('Conversation').count(), 0)
  faults.screen = await axeFaults(page)
  assert.deepEqual(faults, { face: [], history: [], sheet: [], screen: [] })
})

test('axe finds nothing wrong in any of them', { timeout: 120_000 }, async () => {
  await withoutBody()
  const { page, model } = here
  const faults = {}
  model.says(`Here.\n\n${widget()}\n\n${map()}\n\nMind the slippery stones on your way down.`)
  await say(page, 'What do I need?')
  await answers(page).getByText('Mind the slippery stones').waitFor()
  faults.desk = await axeFaults(page, 'nav')
  await go('face')
  await captions().getByText('Mind the slippery').waitFor()
  faults.face = await axeFaults(page)
  await page.locator('#face-history').click()
  await page.getByRole('complementary', { name: 'Conversation' }).getByText('Mind the slippery').waitFor()
  faults.history = await axeFaults(page)
  await page.keyboard.press('Escape')
  await control('Write to Luna').click()
  faults.writing = await axeFaults(page)
  await go('screen')
  for (const name of ['System', 'Console', 'Orb']) await dock().getByRole('button', { name }).click()
  await page.getByRole('button', { name: 'Tidy up the panels' }).click()
  faults.screen = await axeFaults(page)
  await here.perigee.call('PUT', '/api/permissions', { widget: 'confirm' })
  model.says(`One moment. ${widget()}`, 'So be it.')
  await say(page, 'A list, please')
  await page.getByRole('region', { name: 'Luna asks' }).waitFor()
  faults.asked = await axeFaults(page)
  assert.deepEqual(faults, Object.fromEntries(Object.keys(faults).map((view) => [view, []])))
})
