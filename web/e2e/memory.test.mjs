// Tests the memory in the browser with a scripted model: facts are stored with their source, corrected in
// place, recalled in the next conversation, and forgotten everywhere. Incognito conversations leave nothing.

import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { answers, axeFaults, composer, questions, say, stage } from './harness.mjs'

const HOSTILE = JSON.parse(await readFile(new URL('../src/testkit/hostile.json', import.meta.url), 'utf8'))

const here = stage()

const go = (hash) => here.page.evaluate((to) => (location.hash = to), hash)
const row = (text) => here.page.getByRole('list', { name: 'What she knows' }).getByRole('button', { name: text })
const editor = () => here.page.getByRole('textbox', { name: 'What the fact says' })
const dialog = () => here.page.getByRole('dialog')
const tell = (content, more = {}) => here.perigee.call('POST', '/api/memory', { content, ...more })
const facts = async (query = '') => (await here.perigee.call('GET', `/api/memory?limit=500${query}`)).facts
const stored = (method, path, change) => Promise.all([here.page.waitForResponse((response) => response.request().method() === method && path.test(response.url()) && response.ok()), change()])

test('what is told in a conversation stands on the page, with its words, and leads back to them', async () => {
  here.model.says('What a good name.')
  await say(here.page, 'My dog is called Barnaby.')
  await answers(here.page).last().getByText('What a good name.').waitFor()
  await here.page.getByRole('link', { name: 'Memory', exact: true }).first().click()
  await row(/Barnaby/).first().click()
  await here.page.getByText(/“.*Barnaby.*”/).first().waitFor()
  await here.page.getByRole('link', { name: 'Where does this come from?' }).click()
  await questions(here.page).filter({ hasText: 'My dog is called Barnaby.' }).waitFor()
  await here.page.locator('[data-found]').waitFor()
})

test('what a later message may have changed asks whether it is still so', async () => {
  here.model.says('Lovely.', 'Poor van.')
  await say(here.page, 'I live in Lyon.')
  await answers(here.page).last().getByText('Lovely.').waitFor()
  await say(here.page, 'The van broke down halfway between Lyon and Porto, so I spent the first night of my new life in a motorway hotel.')
  await answers(here.page).last().getByText('Poor van.').waitFor()
  await here.page.getByRole('link', { name: 'Memory', exact: true }).first().click()
  await here.page.getByRole('link', { name: /The van broke down/ }).waitFor()
  await stored('PATCH', /\/api\/memory\//, () => here.page.getByRole('button', { name: 'No longer true: Lives in Lyon.' }).click())
  assert.ok(!(await facts()).some(({ content }) => content === 'Lives in Lyon.'))
  await stored('POST', /\/undo$/, () => here.page.getByRole('status').getByRole('button', { name: 'Undo' }).click())
  await stored('PATCH', /\/api\/memory\//, () => here.page.getByRole('button', { name: 'Still true: Lives in Lyon.' }).click())
  assert.equal((await facts()).find(({ content }) => content === 'Lives in Lyon.')?.doubt, null)
})

test('/memory in the address is the page', async () => {
  await here.page.goto(`${here.perigee.address}/memory`)
  await here.page.getByRole('heading', { name: 'What she knows' }).waitFor()
  assert.match(here.page.url(), /\/#\/memory$/)
})

test('a fact is changed in place with the keyboard alone, and taken back', async () => {
  await tell('Keeps bees on the roof.')
  await go('#/memory')
  await row(/Keeps bees/).focus()
  await here.page.keyboard.press('Enter')
  await editor().fill('Thrown away')
  await here.page.keyboard.press('Escape')
  await row(/Keeps bees/).and(here.page.locator(':focus')).waitFor()
  await here.page.keyboard.press('e')
  await editor().fill('Keeps three hives of bees on the roof.')
  await stored('PATCH', /\/api\/memory\//, () => here.page.keyboard.press('Control+s'))
  await row(/three hives/).waitFor()
  assert.ok((await facts()).some(({ content }) => content === 'Keeps three hives of bees on the roof.'))
  await stored('POST', /\/undo$/, () => here.page.getByRole('status').getByRole('button', { name: 'Undo' }).click())
  await row(/Keeps bees on the roof/).waitFor()
})

test('who leaves in the middle of a change saves nothing, and finds it again', async () => {
  await tell('Grows figs on the terrace.')
  await go('#/memory')
  await row(/Grows figs/).click()
  await editor().fill('Grows lemons on the terrace.')
  await go('#/memory/timeline')
  await here.page.getByRole('heading', { name: 'Timeline' }).waitFor()
  await go('#/memory')
  await editor().waitFor()
  assert.equal(await editor().inputValue(), 'Grows lemons on the terrace.')
  await here.page.reload()
  await here.page.getByRole('button', { name: 'Continue editing: Grows figs on the terrace.' }).click()
  assert.equal(await editor().inputValue(), 'Grows lemons on the terrace.')
  assert.ok((await facts()).some(({ content }) => content === 'Grows figs on the terrace.'))
})

test('a fact that is being added is there when the dialog is opened again, and goes when it is cleared', async () => {
  const said = () => dialog().getByRole('textbox', { name: 'What she should know' })
  const open = () => here.page.getByRole('button', { name: 'Add a fact' }).first().click()
  await go('#/memory')
  await open()
  await said().fill('Has a sister in Bergen.')
  await here.page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  await here.page.reload()
  await open()
  assert.equal(await said().inputValue(), 'Has a sister in Bergen.')
  await dialog().getByRole('button', { name: 'Clear' }).click()
  assert.equal(await said().inputValue(), '')
  await here.page.keyboard.press('Escape')
})

test('what was learned stands on its day in the words that it had', async () => {
  const { id } = await tell('Rows on Sundays.')
  await here.perigee.call('PATCH', `/api/memory/${id}`, { content: 'Rows on Mondays.' })
  await go('#/memory/timeline')
  const entries = here.page.getByRole('listitem')
  await entries.filter({ hasText: /^You changed it.*Rows on Mondays\.Rows on Sundays\.$/ }).waitFor()
  await entries.filter({ hasText: /^Learned.*Rows on Sundays\.$/ }).waitFor()
})

test('kinds stand below the search, edge to edge', async () => {
  await tell('Wants to see the northern lights.', { category: 'goal' })
  await tell('Is allergic to nuts.', { category: 'health' })
  await go('#/memory')
  const edge = async (part) => Math.round((await part.boundingBox()).x)
  const first = here.page.getByRole('list', { name: 'Kinds' }).getByRole('button').first()
  assert.equal(await edge(first), await edge(here.page.getByRole('search', { name: 'Search what she knows' })))
})

test('a fact is added, found by the server, and merged with another', async () => {
  await tell('Sings in the bath.')
  await go('#/memory')
  await here.page.getByRole('button', { name: 'Add a fact' }).first().click()
  await dialog().getByRole('textbox', { name: 'What she should know' }).fill('Plays the cello on Thursdays.')
  await stored('POST', /\/api\/memory$/, () => dialog().getByRole('button', { name: 'Save' }).click())
  await dialog().waitFor({ state: 'detached' })
  await tell('Plays the cello in a quartet.')
  await row(/Sings in the bath/).waitFor()
  await here.page.keyboard.press('/')
  await here.page.keyboard.type('cello')
  // The search results replace the rows; a row selected before that would be lost.
  await row(/Sings in the bath/).waitFor({ state: 'detached' })
  await row(/quartet/).waitFor()
  for (const text of [/Thursdays/, /quartet/]) {
    await row(text).focus()
    await here.page.keyboard.press('x')
  }
  await here.page.getByRole('button', { name: 'Merge into one' }).click()
  await dialog().getByRole('textbox', { name: 'What the merged fact says' }).fill('Plays the cello in a quartet on Thursdays.')
  await stored('POST', /\/merge$/, () => dialog().getByRole('button', { name: 'Merge', exact: true }).click())
  await row(/quartet on Thursdays/).waitFor()
  assert.equal((await facts('&q=cello')).filter(({ status }) => status === 'current').length, 1)
})

test('an answer says what was remembered for it, and where that stands', async () => {
  await tell('The boat in the harbour is called Heron.')
  here.model.says('Heron, of course.')
  await say(here.page, 'What is my boat in the harbour called?')
  const chip = answers(here.page).last().getByRole('button', { name: /^Remembered/ })
  await chip.click()
  await answers(here.page).last().getByRole('list', { name: 'What she remembered' }).getByText(/called Heron/).waitFor()
  await here.page.reload()
  await answers(here.page).last().getByRole('button', { name: /^Remembered/ }).waitFor()
  await answers(here.page).last().getByRole('button', { name: 'Why did you say that?' }).click()
  await here.page.getByRole('complementary').getByText('What she remembered, best first').waitFor()
})

test('recall can be tried, and says honestly that nothing is near enough', async () => {
  here.model.says('Good night.')
  await say(here.page, 'The bus was late again.')
  await answers(here.page).last().getByText('Good night.').waitFor()
  await tell('The telescope stands in the attic.')
  await go('#/memory/recall')
  const field = here.page.getByRole('textbox', { name: 'What would she remember for…' })
  await field.fill('Where is the telescope?')
  await here.page.getByRole('list', { name: 'What she remembered' }).getByText(/telescope/).first().waitFor()
  await field.fill('quarterly zirconium tariffs of Liechtenstein')
  await here.page.getByText(/Nothing clearly answers this/).waitFor()
})

test('forgetting shows what goes, removes it everywhere, and proves it', async () => {
  here.model.says('I will keep that to myself.')
  await say(here.page, 'The password of the cellar is marmalade-seven.')
  await answers(here.page).last().getByText('I will keep that to myself.').waitFor()
  await composer(here.page).fill('/forget marmalade-seven')
  await composer(here.page).press('Enter')
  await dialog().getByText('What will be removed for good').waitFor()
  // The dialog hides the rest of the page from assistive technology, but the message is still unchanged.
  assert.match(await here.page.locator('[data-message]').first().innerText(), /marmalade-seven/)
  await stored('POST', /\/forget$/, () => dialog().getByRole('button', { name: 'Forget it for good' }).click())
  await dialog().getByText('Nothing is left of them.').waitFor()
  await dialog().getByRole('button', { name: 'Close' }).last().click()
  await questions(here.page).last().getByText('marmalade-seven').waitFor({ state: 'detached' })
  await here.page.reload()
  await questions(here.page).last().waitFor()
  assert.doesNotMatch(await here.page.locator('main').innerText(), /marmalade/)
  assert.equal((await facts('&q=marmalade')).length, 0)
})

test('what is not forgotten stays: the dialog is a question, and Escape is a no', async () => {
  await tell('The spare key hangs behind the clock.')
  await go('#/memory')
  await row(/spare key/).focus()
  await here.page.keyboard.press('Delete')
  await dialog().getByText('What will be removed for good').waitFor()
  await here.page.keyboard.press('Escape')
  await row(/spare key/).and(here.page.locator(':focus')).waitFor()
  assert.ok((await facts('&q=spare')).length > 0)
})

test('she is asked to forget in a conversation, shows what goes, and leaves a mark', async () => {
  await go('#/')
  here.model.says('A fine name for a ferret.')
  await say(here.page, 'My ferret is called Quicksilverine.')
  await answers(here.page).last().getByText('A fine name for a ferret.').waitFor()
  await say(here.page, 'Forget that my ferret is called Quicksilverine')
  await here.page.getByText(/for good: it stands in 1 fact/).waitFor()
  await here.page.getByRole('button', { name: /^Allow/ }).first().click()
  await answers(here.page).last().getByText(/^Forgotten\. It is gone from/).waitFor()
  await questions(here.page).filter({ hasText: '[forgotten]' }).first().waitFor()
  await here.page.getByText('Quicksilverine').first().waitFor({ state: 'detached' })
  assert.ok(!(await facts()).some(({ content }) => content.includes('Quicksilverine')))
})

test('what was said to ChatGPT comes in, and she learns from it', async () => {
  const node = (parent, role, text, time) => ({ parent, message: { author: { role }, create_time: time, content: { content_type: 'text', parts: [text] } } })
  const mapping = { a: node(null, 'user', 'My brother is called Osbertino.', 1684000000), b: node('a', 'assistant', 'Noted.', 1684000001) }
  const chats = [{ title: 'My brother', create_time: 1684000000, mapping, current_node: 'b' }]
  await go('#/memory')
  await here.page.getByRole('button', { name: 'Export and import' }).click()
  await here.page.getByRole('menuitem', { name: /Import/ }).click()
  await dialog().getByLabel('File to import').setInputFiles({ name: 'conversations.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(chats)) })
  await dialog().getByText(/was read as .*ChatGPT.*Imported 1 conversation with 2 messages/).waitFor()
  await dialog().getByLabel('File to import').setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from([137, 80, 78, 71, 0, 1]) })
  await dialog().getByRole('alert').getByText(/cannot read this file/).waitFor()
  await here.page.keyboard.press('Escape')
  await row(/Osbertino/).first().click()
  await here.page.getByRole('link', { name: 'Where does this come from?' }).click()
  await questions(here.page).filter({ hasText: 'My brother is called Osbertino.' }).waitFor()
})

test('her memory is taken along as a file', async () => {
  await tell('Carves spoons out of birch.')
  await go('#/memory')
  await here.page.getByRole('button', { name: 'Export and import' }).click()
  const [download] = await Promise.all([here.page.waitForEvent('download'), here.page.getByRole('menuitem', { name: /Markdown/ }).click()])
  assert.match(download.suggestedFilename(), /^perigee-memory-\d{4}-\d\d-\d\d\.md$/)
  const copy = join(await mkdtemp(join(tmpdir(), 'perigee-download-')), download.suggestedFilename())
  await download.saveAs(copy)
  const text = await readFile(copy, 'utf8')
  await rm(dirname(copy), { recursive: true })
  assert.match(text, /- Carves spoons out of birch\./)
})

test('an incognito chat answers, stands in no list, and is gone when it is left', async () => {
  await here.page.keyboard.press('Control+Shift+L')
  await here.page.getByText('Just between us.').waitFor()
  here.model.says('My lips are sealed.')
  await say(here.page, 'I am planning a surprise party for Wendelin.')
  await answers(here.page).last().getByText('My lips are sealed.').waitFor()
  await composer(here.page).fill('Half a thought about Wendelin')
  const id = /#\/c\/(\w+)/.exec(here.page.url())[1]
  assert.equal((await here.perigee.call('GET', '/api/chats')).chats.some((chat) => chat.id === id), false)
  await stored('DELETE', /\/api\/chats\//, () => go('#/memory'))
  await here.page.getByRole('heading', { name: 'What she knows' }).waitFor()
  await assert.rejects(here.perigee.call('GET', `/api/chats/${id}`), /404/)
  assert.equal((await facts('&q=Wendelin')).length, 0)
  assert.deepEqual((await here.perigee.call('GET', '/api/chats/search?q=Wendelin')).hits, [])
  assert.doesNotMatch(await here.page.evaluate(() => JSON.stringify(localStorage)), /Wendelin/)
})

test('a file is begun, written, compared with what it was, and brought back', async () => {
  await go('#/memory/files')
  await here.page.getByRole('button', { name: 'New file' }).click()
  await here.page.getByRole('textbox', { name: 'Name of the file' }).fill('harbour')
  await here.page.getByRole('button', { name: 'Start' }).click()
  await here.page.getByRole('button', { name: 'Edit', exact: true }).click()
  await here.page.getByRole('textbox', { name: 'Text of harbour.md' }).fill('# Harbour\n\nBerth **twelve**.\n')
  await stored('PUT', /\/files\//, () => here.page.keyboard.press('Control+s'))
  await here.page.locator('.prose strong').getByText('twelve').waitFor()
  const history = here.page.getByRole('region', { name: 'Earlier versions' })
  await history.getByRole('button', { expanded: false }).first().click()
  await history.getByRole('group', { name: 'What changed' }).getByText('Berth **twelve**.').waitFor()
  await stored('POST', /\/restore$/, () => history.getByRole('button', { name: /^Restore this/ }).last().click())
  await here.page.locator('.prose strong').waitFor({ state: 'detached' })
  await stored('DELETE', /\/files\//, () => here.page.getByRole('button', { name: 'Delete' }).click())
  await stored('POST', /\/restore$/, () => here.page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click())
  await here.page.getByRole('link', { name: /harbour\.md/ }).waitFor()
})

test('an entry is put away, changed and deleted, and the deletion taken back', async () => {
  await go('#/memory/entries')
  await here.page.getByRole('button', { name: 'New entry' }).click()
  await here.page.getByRole('textbox', { name: 'Text of the entry' }).fill('Moonflowers open at dusk.')
  await stored('POST', /\/api\/vector$/, () => here.page.getByRole('button', { name: 'Save' }).click())
  const entry = here.page.getByRole('list', { name: 'Entries' }).getByRole('button', { name: /Moonflowers/ })
  await entry.click()
  await here.page.getByRole('textbox', { name: 'Text of the entry' }).fill('Moonflowers open at dusk, one by one.')
  await stored('PUT', /\/api\/vector\//, () => here.page.keyboard.press('Control+s'))
  await entry.focus()
  await stored('DELETE', /\/api\/vector\//, () => here.page.keyboard.press('Delete'))
  await entry.waitFor({ state: 'detached' })
  await stored('POST', /\/api\/vector$/, () => here.page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click())
  await entry.getByText('one by one').waitFor()
})

test('her sides are set, locked and started over, and stay so after a reload', async () => {
  await go('#/personality')
  const humor = here.page.getByRole('slider', { name: 'Humour' })
  await humor.focus()
  await stored('PATCH', /\/api\/personality$/, () => here.page.keyboard.press('End'))
  await stored('PATCH', /\/api\/personality$/, () => here.page.getByRole('button', { name: 'Lock humour where it is' }).click())
  await here.page.reload()
  await here.page.getByRole('button', { name: 'Unlock humour' }).waitFor()
  assert.equal(await humor.inputValue(), '0.95')
  await stored('POST', /\/reset$/, () => here.page.getByRole('button', { name: 'Start over' }).click())
  await stored('POST', /\/undo$/, () => here.page.getByRole('button', { name: 'Undo' }).last().click())
})

test('facts that would do harm are words and nothing else', async () => {
  for (const text of HOSTILE) await here.perigee.call('POST', '/api/memory', { content: `Note: ${text}`, subject: text.trim().slice(0, 40) || 'x' }).catch(() => {})
  await go('#/memory')
  await row(/^Note:/).first().click()
  await here.page.getByRole('button', { name: 'History', exact: true }).click()
  assert.equal(await here.page.evaluate(() => window.hit), undefined)
  assert.equal(await here.page.locator('main :is(script, iframe, img, object, embed)').count(), 0)
})

test('axe finds nothing wrong, by night and by day', { timeout: 120_000 }, async () => {
  const faults = {}
  for (const [hash, heading] of [['#/memory', 'What she knows'], ['#/memory/timeline', 'Timeline'], ['#/memory/files', 'Memory files'], ['#/memory/entries', 'Entries'], ['#/memory/recall', 'What would she remember?'], ['#/personality', 'Personality']]) {
    await go(hash)
    await here.page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    if (hash === '#/memory') await here.page.getByRole('list', { name: 'What she knows' }).getByRole('button').first().click()
    faults[hash] = await axeFaults(here.page, 'main')
  }
  assert.deepEqual(faults, Object.fromEntries(Object.keys(faults).map((hash) => [hash, []])))
})
