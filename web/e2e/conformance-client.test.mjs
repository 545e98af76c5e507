// Our client against the public conformance suite: every scenario that speaks of the protocol's revision, with a real
// Perigee that is told of the server, signs in with it, and uses its tools.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Perigee } from './harness.mjs'

const REVISION = '2025-11-25'
const run = promisify(execFile)
const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const suite = here('../node_modules/.bin/conformance')

const perigee = await Perigee.start()
after(() => perigee.stop())

const { stdout: list } = await run(suite, ['list', '--client', '--spec-version', REVISION])
const scenarios = [...list.matchAll(/^ *- (\S+)/gm)].map(([, name]) => name)

test('the suite has scenarios for a client', () => {
  assert.ok(scenarios.length >= 18, list)
})

for (const scenario of scenarios) {
  test(scenario, async () => {
    const token = (await readFile(join(perigee.home, 'token'), 'utf8')).trim()
    const command = `${process.execPath} ${here('conformance/client.mjs')}`
    const env = { ...process.env, PERIGEE_ADDRESS: perigee.address, PERIGEE_TOKEN: token }
    const ended = await run(suite, ['client', '--command', command, '--scenario', scenario], { env }).catch((error) => error)
    assert.ok(!(ended instanceof Error), `${ended.stdout}\n${ended.stderr}`)
  })
}
