// The Chromium of the tests. All files share the one that `run.mjs` starts; a file that is run by itself starts its own.

import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const FLAGS = [
  '--no-sandbox',
  // A graphics card cannot be relied on, so scenes are rendered in software. If pages were composited in the
  // same way, an idle page would keep a core busy.
  '--disable-gpu-compositing',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

function options() {
  const known = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  const executablePath = known.find((path) => path && existsSync(path))
  if (!executablePath) throw new Error('there is no Chromium: `cargo xtask test` installs it')
  return { executablePath, headless: true, args: FLAGS }
}

/** Starts the browser for other processes, which reach it by its address. */
export const serveBrowser = () => chromium.launchServer(options())

/** Returns the shared browser, of which `close` ends only the connection, or one of its own. */
export function openBrowser() {
  const shared = process.env.SHARED_BROWSER
  return shared ? chromium.connect(shared) : chromium.launch(options())
}
