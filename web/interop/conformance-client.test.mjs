// Runs the client half of the public conformance suite of the Model Context Protocol: a real Perigee is given
// each of the suite's servers, signs in where required, and uses the tools. The table in docs/conformance.md
// lists the scenarios that pass.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { faults, promised, REVISION, scenarios } from './conformance/suite.mjs'
import { Perigee } from '../e2e/program.mjs'

const AT_ONCE = 4
/**
 * The scenario that times the client to a fifth of a second. It runs alone, and is repeated if the client was
 * late, since the machine may be busy.
 */
const TIMED = 'sse-retry'
const LATE = /^client-sse-retry-timing: Client reconnected (?:slightly|very) late/
const TRIES = 3

const perigee = await Perigee.start()
after(() => perigee.stop())

test(`our client does all that revision ${REVISION} asks of one`, async () => {
  const token = (await readFile(join(perigee.home, 'token'), 'utf8')).trim()
  const env = { PERIGEE_ADDRESS: perigee.address, PERIGEE_TOKEN: token }
  const command = `${process.execPath} ${fileURLToPath(new URL('conformance/client.mjs', import.meta.url))}`
  const passes = {}
  const judge = async (scenario) => {
    const found = Object.values(await faults('client', ['--command', command, '--scenario', scenario], env)).flat()
    if (found.length > 0) console.error(scenario, found)
    passes[scenario] = found.length === 0
    return found
  }
  const all = await scenarios('client')
  assert.ok(all.includes(TIMED))
  for (let tries = 1; (await judge(TIMED)).some((words) => LATE.test(words)) && tries < TRIES; tries += 1);
  const waiting = all.filter((scenario) => scenario !== TIMED)
  const work = async () => {
    for (let scenario = waiting.shift(); scenario; scenario = waiting.shift()) await judge(scenario)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  assert.deepEqual(passes, await promised('The client', 0))
})
