import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'
import type { ShellFiles } from '../src/sw/scope.ts'

const SOURCE = fileURLToPath(new URL('../src/sw/sw.ts', import.meta.url))
/** Beside what is built: what the page names, or a phone asks for. */
const PUBLIC = ['/theme.js', '/favicon.svg', '/manifest.webmanifest', '/icon-192.png']

type Bundle = Rolldown.OutputBundle

/** Writes `sw.js` to the root, with the list of what it is to keep. */
export function serviceWorker({ parts, fonts }: { parts: RegExp; fonts: RegExp }): Plugin {
  return {
    name: 'perigee-service-worker',
    apply: 'build',
    generateBundle: {
      // The page is written by then.
      order: 'post',
      async handler(_options, bundle) {
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: await worker(shellOf(bundle, parts, fonts)) })
      },
    },
  }
}

/** What the first look needs, and those parts that are needed when the server is away. */
function shellOf(bundle: Bundle, parts: RegExp, fonts: RegExp): ShellFiles {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const entry = chunks.find((chunk) => chunk.isEntry)
  if (!entry) throw new Error('there is no entry for the service worker to keep')
  const wanted = new Set<string>()
  const take = (name: string) => {
    const chunk = chunks.find(({ fileName }) => fileName === name)
    if (!chunk || wanted.has(name)) return
    wanted.add(name)
    for (const style of chunk.viteMetadata?.importedCss ?? []) wanted.add(style)
    chunk.imports.forEach(take)
  }
  take(entry.fileName)
  for (const { fileName, facadeModuleId } of chunks) if (facadeModuleId && parts.test(facadeModuleId)) take(fileName)
  for (const name of Object.keys(bundle)) if (fonts.test(name)) wanted.add(name)
  const files = [...[...wanted].sort().map((name) => `/${name}`), ...PUBLIC]
  const page = bundle['index.html']
  const content = page?.type === 'asset' ? page.source : ''
  const version = createHash('sha256').update(JSON.stringify(files)).update(content).digest('hex').slice(0, 12)
  return { version, entry: `/${entry.fileName}`, files }
}

async function worker(shell: ShellFiles): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { __SHELL__: JSON.stringify(shell) },
    build: { write: false, target: 'es2022', rolldownOptions: { input: SOURCE, output: { format: 'iife' } } },
  })
  const [result] = [built].flat()
  const output = result && 'output' in result ? result.output[0] : undefined
  if (output?.type !== 'chunk') throw new Error('the service worker was not built')
  return output.code
}
