// Runs browser tests with one Chromium for all of them. The arguments are those of `node --test`.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { serveBrowser } from './browser.mjs'

const browser = await serveBrowser()
const tests = spawn(process.execPath, ['--test', ...process.argv.slice(2)], {
  env: { ...process.env, SHARED_BROWSER: browser.wsEndpoint() },
  stdio: 'inherit',
})
const [code] = await once(tests, 'exit')
await browser.close()
process.exitCode = code ?? 1
