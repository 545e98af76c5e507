// Tests tool calls in the browser with a scripted model: calls appear where they happen, nothing that needs
// approval runs without it, and no tool result acts on the page.

import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { answers, axeFaults, composer, gate, say, stage } from './harness.mjs'

const HOSTILE = JSON.parse(await readFile(new URL('../src/testkit/hostile.json', import.meta.url), 'utf8'))
const TIDES = { type: 'checklist', title: 'Before the tide', data: ['Boots', 'Lamp'] }

/** The working folder of commands. */
const WORK = mkdtempSync(join(tmpdir(), 'perigee-work-'))
after(() => rm(WORK, { recursive: true, force: true }))

const here = stage({
  config: `[bash]\nenabled = true\nfolder = "${WORK}"\n`,
  reset: async ({ perigee }) => {
    for (const { confirmation } of (await perigee.call('GET', '/api/chat/confirmations')).waiting) {
      await perigee.call('POST', `/api/chat/confirm/${confirmation.id}`, { approved: false })
    }
    await perigee.call('PUT', '/api/permissions', { widget: null, notify: null, memory_create: null })
    for (const { id } of (await perigee.call('GET', '/api/permissions')).grants) await perigee.call('DELETE', `/api/permissions/grants/${id}`)
  },
})

const widget = (body = TIDES) => `[WIDGET:${JSON.stringify(body)}]`
const her = () => answers(here.page).last()
const answered = (text) => her().getByText(text).first().waitFor()
const cards = () => her().locator('[data-act]')
const shown = (title = TIDES.title) => her().getByRole('region', { name: title }).or(her().getByRole('group', { name: title })).first()
const question = () => here.page.getByRole('region', { name: 'Luna asks' })
/** Queues this reply, and another one for a second round if there is one. */
const says = (text) => here.model.says(text, 'So be it.')
const asksFirst = () => here.perigee.call('PUT', '/api/permissions', { widget: 'confirm' })
const waiting = async () => (await here.perigee.call('GET', '/api/chat/confirmations')).waiting

/** Waits for the server's response as well, since the page shows a change before the server has it. */
const stored = (change) => Promise.all([here.page.waitForResponse((response) => /permissions/.test(response.url()) && response.request().method() !== 'GET'), change()])

test('what she does stands where it happened, while it streams and after a reload', async () => {
  says(`Here is a list.\n\n${widget()}\n\nTake care.`)
  await say(here.page, 'What do I need?')
  await shown().waitFor()
  await answered('Take care.')
  assert.doesNotMatch(await her().innerText(), /\[WIDGET/)
  const order = () => her().locator('.prose, [data-act]').evaluateAll((all) => all.map((one) => (one.matches('[data-act]') ? 'act' : one.textContent.trim())))
  const streamed = await order()
  assert.deepEqual(streamed.slice(0, 2), ['Here is a list.', 'act'])
  await here.page.reload()
  await shown().waitFor()
  assert.deepEqual(await order(), streamed)
})

test('a card opens to what was given, and finished ones can be hidden', async () => {
  says(`${widget()}\n\nThere.`)
  await say(here.page, 'A list, please')
  await cards().first().getByRole('button').click()
  await cards().getByText('checklist', { exact: true }).waitFor()
  await here.page.evaluate(() => (location.hash = '#/settings/appearance'))
  await here.page.getByRole('switch', { name: 'Hide finished steps' }).click()
  await here.page.goBack()
  await shown().waitFor()
  assert.equal(await cards().count(), 0)
  await here.page.reload()
  await shown().waitFor()
  assert.equal(await cards().count(), 0)
})

test('a tool that needs a yes waits for it, over a reload, and acts after it', async () => {
  await asksFirst()
  says(`One moment. ${widget()}`)
  await say(here.page, 'A list, please')
  await question().waitFor()
  assert.equal(await shown().count(), 0)
  await cards().getByText('waiting for you').waitFor()
  await here.page.reload()
  await question().getByText('Before the tide').first().waitFor()
  await question().getByRole('button', { name: /^Allow/ }).click()
  await shown().waitFor()
  await question().waitFor({ state: 'detached' })
  assert.deepEqual(await waiting(), [])
})

test('a no is one key away, and is kept', async () => {
  await asksFirst()
  says(widget())
  await say(here.page, 'A list, please')
  await question().waitFor()
  await question().focus()
  await here.page.keyboard.press('Escape')
  assert.equal((await waiting()).length, 1)
  await here.page.keyboard.press('n')
  await cards().getByText('not allowed', { exact: true }).waitFor()
  assert.equal(await shown().count(), 0)
  await here.page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
  await here.page.reload()
  await cards().getByText('not allowed', { exact: true }).waitFor()
})

for (const [how, text] of [['is written in', 'yes, and '], ['is empty', '']]) {
  test(`letters for the composer answer nothing while it ${how}`, async () => {
    await asksFirst()
    const ask = gate()
    here.model.says(async (send) => {
      await ask.opened
      send(widget())
    }, 'So be it.')
    await say(here.page, 'A list, please')
    await composer(here.page).fill(text)
    ask.open()
    await question().waitFor()
    await here.page.keyboard.type('yyy')
    assert.equal(await composer(here.page).inputValue(), `${text}yyy`)
    assert.equal((await waiting()).length, 1)
    await question().getByRole('button', { name: /^Don’t allow/ }).click()
  })
}

test('a question that waits elsewhere is told of, leads there, and goes when it is answered elsewhere', async () => {
  await asksFirst()
  says(widget())
  await say(here.page, 'Lists of the tide')
  await question().waitFor()
  await here.page.getByRole('link', { name: 'Perigee, new chat' }).click()
  const banner = here.page.getByRole('status').filter({ hasText: 'Luna waits for your answer in' })
  await banner.getByRole('link').click()
  await question().waitFor()
  const [{ confirmation }] = await waiting()
  assert.deepEqual(await here.perigee.call('POST', `/api/chat/confirm/${confirmation.id}`, { approved: false }), { settled: true })
  await question().waitFor({ state: 'detached' })
})

test('what is allowed for good is listed, and can be taken back', async () => {
  await asksFirst()
  says(widget())
  await say(here.page, 'A list, please')
  await question().getByRole('button', { name: 'Always' }).click()
  await here.page.getByRole('menuitem', { name: 'Always allow exactly this' }).click()
  await shown().waitFor()
  await here.page.getByRole('link', { name: 'Tools' }).first().click()
  await stored(() => here.page.getByRole('button', { name: 'Revoke: Charts, tables and lists' }).click())
  await here.page.getByRole('button', { name: 'Revoke: Charts, tables and lists' }).waitFor({ state: 'detached' })
  assert.deepEqual((await here.perigee.call('GET', '/api/permissions')).grants, [])
})

test('a tool that is blocked on its page does not run, and the page says so', async () => {
  await here.page.evaluate(() => (location.hash = '#/tools/widget'))
  const row = here.page.locator('[id="tool widget"]')
  await stored(() => row.getByText('Block').click())
  await row.getByText('Default: Allow').waitFor()
  assert.equal((await here.perigee.call('GET', '/api/permissions')).permissions.widget, 'block')
  await here.page.getByRole('link', { name: 'Perigee, new chat' }).click()
  says(`${widget()} There.`)
  await say(here.page, 'A list, please')
  await answered('There.')
  assert.equal(await shown().count(), 0)
  await here.page.evaluate(() => (location.hash = '#/audit'))
  await here.page.getByRole('combobox', { name: 'Tool' }).selectOption('widget')
  await here.page.getByText('Blocked').filter({ visible: true }).first().waitFor()
})

test('what is pinned stays at hand, over a reload', async () => {
  says(widget())
  await say(here.page, 'A list, please')
  await shown().hover()
  await shown().getByRole('button', { name: 'Pin' }).click()
  const chip = here.page.getByRole('list', { name: 'Pinned' }).getByRole('button', { name: TIDES.title })
  await chip.waitFor()
  await here.page.reload()
  await chip.focus()
  await here.page.keyboard.press('Enter')
  const panel = here.page.getByRole('complementary', { name: `Pinned: ${TIDES.title}` })
  await panel.getByText('Boots').waitFor()
  await here.page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await here.page.keyboard.press('Enter')
  await panel.getByRole('button', { name: 'Unpin' }).click()
  await chip.waitFor({ state: 'detached' })
})

test('skills are listed, and open', async () => {
  await here.page.evaluate(() => (location.hash = '#/skills'))
  const first = here.page.getByRole('main').getByRole('region').first().getByRole('link').first()
  const name = (await first.locator('span[dir]').first().innerText()).trim()
  await first.click()
  await here.page.getByRole('heading', { name, level: 1 }).waitFor()
  await here.page.getByRole('link', { name: 'All skills' }).click()
  await here.page.getByText('Write one yourself').waitFor()
})

/** Returns the first word of a text that the page shows unchanged. */
const seen = (text) => /[\x21-\x7e]{3,}/.exec(text)[0]

test('hostile text in a question, a payload and a result runs nothing and loads nothing, however it is cut', { timeout: 300_000 }, async () => {
  // The text contains a style, so the policy's report that it was blocked is expected and no fault.
  here.expectedFaults = [/^Applying inline style .* The action has been blocked\.$/]
  const asked = []
  here.page.on('request', (request) => asked.push(request.url()))
  const attack = async (text, answer) => {
    here.model.script.length = 0
    here.model.says(async (send) => {
      // One character at a time, so that every tag is split.
      for (const sign of text) send(sign)
    }, 'So be it.')
    await say(here.page, 'Attack')
    await answer?.()
    await answered('So be it.')
    await here.page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
    const folded = cards().getByRole('button', { expanded: false })
    while ((await folded.count()) > 0) await folded.evaluateAll((all) => all.forEach((button) => button.click()))
  }
  const summary = (text) => widget({ type: 'summary', title: text, data: { text, points: [text] } })
  await asksFirst()
  for (const text of HOSTILE.filter((_, index) => index % 8 === 0)) {
    await attack(summary(text), () => question().getByRole('button', { name: /^Allow/ }).click())
  }
  await here.perigee.call('PUT', '/api/permissions', { widget: null })
  for (let from = 0; from < HOSTILE.length; from += 6) await attack(HOSTILE.slice(from, from + 6).map(summary).join('\n'))
  // The result of a tool is in its collapsed card.
  await here.perigee.call('PUT', '/api/permissions', { memory_create: 'allow' })
  const call = (tool, args) => `[TOOL_CALL:${JSON.stringify({ tool, args })}]`
  for (let from = 0; from < HOSTILE.length; from += 11) {
    const filename = `hostile-${from}.md`
    const content = HOSTILE.slice(from, from + 11).join('\n')
    await attack([call('memory_create', { filename, content }), call('memory_read', { filename })].join('\n'))
    assert.deepEqual(await cards().evaluateAll((all) => all.map((card) => card.dataset.status)), ['done', 'done'])
    const result = cards().last().getByText('Result', { exact: true }).locator('xpath=..')
    const whole = result.getByRole('button', { name: /^Show all/ })
    if (await whole.isVisible()) await whole.click()
    const shown = await result.innerText()
    for (const text of HOSTILE.slice(from, from + 11)) assert.ok(shown.includes(seen(text)), `${text}\nis not in\n${shown}`)
  }
  assert.equal(await here.page.evaluate(() => window.hit), undefined)
  assert.equal(await here.page.locator('main').locator('script, style, form[action], object, embed, img[onerror], [onload], [onclick]').count(), 0)
  assert.ok(asked.every((url) => url.startsWith(here.perigee.address) || url.startsWith('blob:')), asked.join('\n'))
})

test('axe finds nothing wrong with a question and the pages, by night and by day', { timeout: 120_000 }, async () => {
  const found = {}
  const look = async (name) => {
    found[name] = await axeFaults(here.page)
  }
  await asksFirst()
  says(widget())
  await say(here.page, 'A list, please')
  await question().waitFor()
  await look('question')
  await question().getByRole('button', { name: /^Allow/ }).click()
  await shown().waitFor()
  await look('act')
  for (const [hash, text] of [['#/tools', 'Search tools'], ['#/audit', 'Search what she did'], ['#/skills', 'Write one yourself']]) {
    await here.page.evaluate((to) => (location.hash = to), hash)
    await here.page.getByLabel(text).or(here.page.getByText(text)).first().waitFor()
    await look(hash)
  }
  assert.deepEqual(found, Object.fromEntries(Object.keys(found).map((name) => [name, []])))
})

test('on a phone a question fits, and nothing sticks out', async () => {
  await here.enter({ viewport: { width: 390, height: 844 }, hasTouch: true })
  await asksFirst()
  says(widget({ ...TIDES, title: 'longword'.repeat(30) }))
  await composer(here.page).fill('A list, please')
  await here.page.getByRole('button', { name: 'Send' }).tap()
  const allow = question().getByRole('button', { name: /^Allow/ })
  await allow.waitFor()
  const box = await allow.boundingBox()
  assert.ok(box.y + box.height < 844 && box.height >= 44, JSON.stringify(box))
  assert.ok((await here.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)) <= 0)
  await allow.tap()
  await question().waitFor({ state: 'detached' })
})

test('a command is shown before it runs, works in its folder, and says how it ended', async (t) => {
  const { tools } = await here.perigee.call('GET', '/api/tools')
  // The tool is blocked unless the full sandbox is available.
  if (tools.find((tool) => tool.name === 'run_command').risk !== 'risky') return t.skip('this machine has no whole sandbox')
  const command = 'echo moon > list.txt && cat list.txt && exit 3'
  says(`<tool_call>${JSON.stringify({ name: 'run_command', arguments: { command } })}</tool_call>`)
  await say(here.page, 'Make a list')
  await question().getByRole('group', { name: 'What she would do' }).getByText(command).waitFor()
  await question().getByText('It has no network').waitFor()
  await question().getByRole('button', { name: /^Allow/ }).click()
  await answered('So be it.')
  await cards().first().getByRole('button').click()
  await cards().getByText('It failed with exit code 3').waitFor()
  assert.equal(await readFile(join(WORK, 'list.txt'), 'utf8'), 'moon\n')
})
