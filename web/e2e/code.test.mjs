// Tests the workspace in the browser, with a scripted model and a real repository: proposed changes are
// checked before they land, only the approved ones land, and they can be undone. The user edits the same
// files at the same time.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { axeFaults, gate, stage, until } from './harness.mjs'

const PLACE = mkdtempSync(join(tmpdir(), 'perigee-code-'))
after(() => rm(PLACE, { recursive: true, force: true }))

const PRICES = `"""What things cost."""


def total(prices):
    result = 0
    for price in prices[1:]:
        result += price
    return result


def with_tax(price):
    return price * 1.2


def rounded(price):
    return round(price, 2)


def label(price):
    return "EUR " + str(price)
`
const FILES = {
  'README.md': '# Tide\n\nA small shop by the sea.\n',
  'shop/__init__.py': '',
  'shop/prices.py': PRICES,
  'test_shop.py': `import unittest

from shop.prices import total


class Shop(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2, 3]), 6)
`,
}

let made = 0
/** The folder of the repository of the test, as the program names it. */
let folder = ''

function repository() {
  made += 1
  const root = join(PLACE, `tide-${made}`)
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  // The settings of this machine must not apply: they may require signatures or hooks.
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
  const git = (...words) => execFileSync('git', ['-C', root, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...words], { env })
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'Begin')
  return root
}

const here = stage({
  reset: async ({ perigee }) => {
    folder = repository()
    await perigee.call('POST', '/api/code/root', { path: folder })
  },
})

const disk = (path) => readFileSync(join(folder, path), 'utf8')
const write = (path, text) => writeFileSync(join(folder, path), text)
const open = (hash) => here.page.evaluate((to) => (location.hash = to), hash)
const call = (name, args) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`
const replace = (path, old_string, new_string) => call('search_replace', { path, old_string, new_string })
const MEND = replace('shop/prices.py', 'prices[1:]', 'prices')

const button = (name) => here.page.getByRole('button', { name })
const editor = () => here.page.locator('.cm-content')
const field = () => here.page.getByRole('textbox', { name: /about the code$/ })
const checks = () => here.page.getByRole('region', { name: 'Build and test' })
const hunk = (number) => here.page.locator('[data-change]').nth(number)

async function ask(text) {
  await field().fill(text)
  await field().press('Enter')
}

/** Reports whether the full sandbox is available; without it, builds, tests and commands do not run. */
async function isHeld() {
  return (await here.perigee.call('GET', '/api/mcp/servers')).sandbox.level === 'full'
}

/** Asks for a change and opens its review page. */
async function review(text, ...answers) {
  here.model.says(...answers)
  await open('#/code')
  await ask(text)
  const way = here.page.getByRole('complementary', { name: 'Conversation about the code' }).getByRole('link', { name: 'Review', exact: true })
  await way.click()
  await here.page.getByRole('heading', { name: text, level: 1 }).waitFor()
  await button(/^Apply/).waitFor()
}

test('a bug is found, mended, tested, applied, undone and done again', async (t) => {
  if (!(await isHeld())) return t.skip('this machine has no whole sandbox')
  const read = gate()
  here.model.says(
    async (send) => {
      send('Let me look.\n\n')
      await read.opened
      send(call('grep', { pattern: 'total' }))
    },
    MEND,
    'The first price was left out.',
  )
  await open('#/code')
  await ask('The total is too low: fix it')
  await here.page.getByText('Let me look.').first().waitFor()
  await button('Stop').waitFor()
  read.open()
  const panel = here.page.getByRole('complementary', { name: 'Conversation about the code' })
  await panel.getByText('Searched the files for').waitFor()
  await panel.getByText('Changed the file').waitFor()
  await panel.getByRole('list', { name: 'Building and testing' }).getByLabel('passed').nth(1).waitFor()
  await panel.getByText('to review').waitFor()
  await panel.getByRole('button', { name: /^Looked at/ }).click()
  await panel.getByRole('list', { name: 'Relevant files' }).getByText('prices.py').waitFor()
  assert.equal(disk('shop/prices.py'), PRICES)

  await panel.getByRole('link', { name: 'Review', exact: true }).click()
  await button(/^Check/).click()
  await checks().getByText('Passed', { exact: true }).waitFor()
  assert.equal(disk('shop/prices.py'), PRICES)
  await here.page.locator('[data-kind=added]').getByText('for price in prices:').waitFor()
  assert.deepEqual(await axeFaults(here.page), [])

  // Uses only the keys that the hints name.
  await here.page.getByRole('group', { name: 'Changes' }).focus()
  await here.page.keyboard.press('Enter')
  await here.page.getByText('applied', { exact: true }).first().waitFor()
  assert.equal(disk('shop/prices.py'), PRICES.replace('prices[1:]', 'prices'))
  await here.page.keyboard.press('u')
  await button('Redo').first().waitFor()
  assert.equal(disk('shop/prices.py'), PRICES)
  await button('Redo').first().click()
  await button('Undo').first().waitFor()
  assert.equal(disk('shop/prices.py'), PRICES.replace('prices[1:]', 'prices'))

  await open('#/code/history')
  const changes = here.page.getByRole('region', { name: 'Changes' })
  await changes.getByRole('link', { name: /The total is too low/ }).waitFor()
  await changes.getByText('applied').waitFor()
})

test('some hunks are taken and others left, and what fails is said beside them', async (t) => {
  if (!(await isHeld())) return t.skip('this machine has no whole sandbox')
  await review('Change all of it', replace('shop/prices.py', 'What things cost.', 'What it costs.') + replace('shop/prices.py', '"EUR "', '"€ "') + call('create_new_file', { path: 'shop/day.py', content: 'DAY = 1\n' }), 'Three of them.', 'That is all.', 'Truly.')
  assert.equal(await here.page.locator('[data-change]').count(), 3)
  await button(/^Check/).click()
  await checks().getByText('Failed', { exact: true }).waitFor()
  await checks().getByText('AssertionError: 5 != 6').first().waitFor()
  await here.page.getByRole('group', { name: 'Changes' }).focus()
  // The first change shown is rejected, the next one accepted, and the last one rejected with its file.
  await here.page.keyboard.press('n')
  await here.page.keyboard.press('y')
  await here.page.keyboard.press('n')
  assert.deepEqual(await here.page.locator('[data-change]').evaluateAll((all) => all.map(({ dataset }) => dataset.choice)), ['no', 'yes', 'no'])
  const taken = await hunk(1).getAttribute('data-change')
  await button('Apply 1 of 3').click()
  await button('Undo').first().waitFor()
  const expected = taken.endsWith('day.py') ? PRICES : taken.startsWith('0') ? PRICES.replace('What things cost.', 'What it costs.') : PRICES.replace('"EUR "', '"€ "')
  assert.equal(disk('shop/prices.py'), expected)
  await button('Undo').first().click()
  await button('Redo').first().waitFor()
  assert.equal(disk('shop/prices.py'), PRICES)
})

test('a file is edited and saved, and a conflict with the disk is asked about', async () => {
  await open('#/code')
  await here.page.getByRole('treeitem', { name: /^README\.md/ }).click()
  await editor().getByText('A small shop by the sea.').click()
  await here.page.keyboard.press('Control+End')
  await here.page.keyboard.type('Open at dawn.')
  await button(/^Save/).waitFor()
  await here.page.keyboard.press('Control+s')
  await until(() => disk('README.md') === `${FILES['README.md']}Open at dawn.`)
  await here.page.getByRole('tab', { name: /not saved/ }).waitFor({ state: 'detached' })

  // A file without unsaved edits follows the disk.
  write('README.md', '# Tide\n\nThey were here.\n')
  await editor().getByText('They were here.').waitFor()

  await editor().click()
  await here.page.keyboard.press('Control+End')
  await here.page.keyboard.type('Mine.')
  write('README.md', '# Tide\n\nThey were here again.\n')
  await here.page.getByText('README.md changed on the disk while you were editing it.').waitFor()
  assert.equal(disk('README.md'), '# Tide\n\nThey were here again.\n')
  await button('Keep mine and overwrite it').click()
  await button('Keep mine and overwrite it').waitFor({ state: 'detached' })
  assert.equal(disk('README.md'), '# Tide\n\nThey were here.\nMine.')

  await here.page.keyboard.press('Control+p')
  await here.page.keyboard.type('prc')
  await here.page.keyboard.press('Enter')
  await editor().getByText('def with_tax').waitFor()
  assert.equal(await here.page.getByRole('tab').count(), 2)
})

test('a proposal whose file went on is brought up to date before it lands', async () => {
  await review('Mend the total', MEND, 'Mended.')
  write('shop/prices.py', `# Prices.\n${PRICES}`)
  await button('Update it').waitFor()
  assert.ok(await button(/^Apply/).isDisabled())
  await button('Update it').click()
  await button('Update it').waitFor({ state: 'detached' })
  await button(/^Apply/).click()
  await button('Undo').first().waitFor()
  assert.equal(disk('shop/prices.py'), `# Prices.\n${PRICES.replace('prices[1:]', 'prices')}`)
})

test('a hunk is written anew before it is taken', async () => {
  await review('Mend the total', MEND, 'Mended.')
  await here.page.getByRole('group', { name: 'Changes' }).focus()
  await here.page.keyboard.press('e')
  const lines = here.page.getByRole('textbox', { name: 'Your version of these lines' })
  const text = await lines.inputValue()
  assert.match(text, /for price in prices:/)
  await lines.fill(text.replace('result = 0', 'result = 0  # nothing yet'))
  await lines.press('Control+Enter')
  await hunk(0).getByText('edited by you').waitFor()
  await here.page.keyboard.press('Enter')
  await button('Undo').first().waitFor()
  assert.equal(disk('shop/prices.py'), PRICES.replace('prices[1:]', 'prices').replace('result = 0', 'result = 0  # nothing yet'))
})

test('a command runs in the folder, what it names can be clicked, and it leaves the files alone', async (t) => {
  if (!(await isHeld())) return t.skip('this machine has no whole sandbox')
  await open('#/code')
  await here.page.getByRole('tree').waitFor()
  await here.page.keyboard.press('Control+j')
  const line = here.page.getByRole('textbox', { name: 'Command' })
  await line.fill('echo made > made.txt; python3 -m unittest')
  await line.press('Enter')
  const ran = here.page.getByRole('article', { name: /^echo made/ })
  await ran.getByText('failed', { exact: true }).waitFor()
  await ran.getByText('FAILED (failures=1)').waitFor()
  await ran.getByText(/test_shop\.py", line 8$/).click()
  await editor().getByText('self.assertEqual').waitFor()
  await line.fill('sleep 60')
  await line.press('Enter')
  await here.page.getByRole('region', { name: 'Terminal' }).getByRole('button', { name: 'Stop' }).click()
  await here.page.getByRole('article', { name: 'sleep 60' }).getByText('stopped', { exact: true }).waitFor()
  await button('Build and test').click()
  const log = here.page.getByRole('log', { name: 'Output' })
  await log.getByRole('list', { name: 'Building and testing' }).getByText('AssertionError: 5 != 6').waitFor()
  // The file that the command wrote stayed in the sandbox.
  assert.deepEqual(readdirSync(folder).sort(), ['.git', 'README.md', 'shop', 'test_shop.py'])
})

test('on a phone there is one pane at a time, and nothing sticks out', async () => {
  await here.enter({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  here.model.says(MEND, 'Mended.')
  await open('#/code/agent')
  await field().fill('Mend the total')
  await button('Send').click()
  await here.page.getByText('to review').waitFor()
  const sticksOut = () => here.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  const found = { agent: [await sticksOut(), await axeFaults(here.page)] }
  await here.page.getByRole('link', { name: 'Review', exact: true }).first().click()
  await button(/^Apply/).waitFor()
  found.review = [await sticksOut(), await axeFaults(here.page)]
  await button(/^Apply/).click()
  await button('Undo').first().waitFor()
  await until(() => disk('shop/prices.py') !== PRICES)
  const panes = here.page.getByRole('navigation', { name: 'Panes' })
  await panes.getByText('Terminal').click()
  await here.page.getByRole('textbox', { name: 'Command' }).waitFor()
  found.terminal = [await sticksOut(), await axeFaults(here.page)]
  await panes.getByText('Files').click()
  await here.page.getByRole('treeitem', { name: /^README\.md/ }).click()
  await editor().waitFor()
  found.editor = [await sticksOut(), await axeFaults(here.page)]
  assert.deepEqual(found, { agent: [0, []], review: [0, []], terminal: [0, []], editor: [0, []] })
})
