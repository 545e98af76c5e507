// Runs the public conformance suite of the Model Context Protocol and reads its results.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const REVISION = '2025-11-25'
const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const SUITE = here('../../node_modules/@modelcontextprotocol/conformance/dist/index.js')
const DOCUMENT = here('../../../docs/conformance.md')
/**
 * The Node binary for the suite, which needs version 22; where the running one is older, npm has installed
 * one.
 */
const NODE = Number(process.versions.node.split('.')[0]) >= 22 ? process.execPath : here('../../node_modules/node/bin/node')

/** Reads the table below a heading of the document: whether each scenario passes, according to one column. */
export async function promised(heading, column) {
  const text = await readFile(DOCUMENT, 'utf8')
  const [, part] = text.split(`\n## ${heading}\n`)
  const rows = part.split('\n## ')[0].split('\n').filter((line) => /^\| `/.test(line))
  return Object.fromEntries(
    rows.map((row) => {
      const [name, ...cells] = row.split('|').slice(1, -1).map((cell) => cell.trim())
      return [name.replaceAll('`', ''), cells[column] === 'passes']
    }),
  )
}

/** Runs the suite and returns its output, whether it succeeded or not. */
const say = (args, env) =>
  new Promise((done) => execFile(NODE, [SUITE, ...args], { maxBuffer: 1 << 26, env: { ...process.env, ...env } }, (_, out, err) => done(out + err)))

/** Returns the scenarios of this revision. */
export async function scenarios(half) {
  return [...(await say(['list', `--${half}`, '--spec-version', REVISION])).matchAll(/^ *- (\S+)/gm)].map(([, name]) => name)
}

/** Runs the suite and returns the faults of each scenario. */
export async function faults(half, args, env = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'perigee-conformance-'))
  try {
    // The suite fails if any scenario does; only its written results count.
    const said = await say([half, ...args, '--output-dir', folder], env)
    const runs = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('checks.json'))
    assert.ok(runs.length > 0, said)
    const results = runs.map(async (run) => {
      const name = run.replace(/\/checks\.json$/, '').replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '')
      const checks = JSON.parse(await readFile(join(folder, run), 'utf8'))
      // A warning marks a recommendation that is not met.
      const bad = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
      const words = bad.map(({ id, errorMessage, details }) => `${id}: ${errorMessage ?? JSON.stringify(details)}`)
      return [name, checks.some(({ status }) => status === 'SUCCESS') ? words : [...words, `nothing was checked: ${said}`]]
    })
    return Object.fromEntries(await Promise.all(results))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
