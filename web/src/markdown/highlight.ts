import type { HLJSApi, LanguageFn } from 'highlight.js'
import { capital } from '@/design/format'
import { own } from '@/design/own'
import { sanitiseColours } from './sanitise'

/** The longest code that is highlighted; more would block the page. */
const LONGEST = 60_000

type Grammar = () => Promise<{ default: LanguageFn }>

const GRAMMARS: Record<string, Grammar> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  clojure: () => import('highlight.js/lib/languages/clojure'),
  cmake: () => import('highlight.js/lib/languages/cmake'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  dart: () => import('highlight.js/lib/languages/dart'),
  diff: () => import('highlight.js/lib/languages/diff'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  elixir: () => import('highlight.js/lib/languages/elixir'),
  go: () => import('highlight.js/lib/languages/go'),
  graphql: () => import('highlight.js/lib/languages/graphql'),
  haskell: () => import('highlight.js/lib/languages/haskell'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  julia: () => import('highlight.js/lib/languages/julia'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  latex: () => import('highlight.js/lib/languages/latex'),
  lua: () => import('highlight.js/lib/languages/lua'),
  makefile: () => import('highlight.js/lib/languages/makefile'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  nginx: () => import('highlight.js/lib/languages/nginx'),
  nix: () => import('highlight.js/lib/languages/nix'),
  perl: () => import('highlight.js/lib/languages/perl'),
  php: () => import('highlight.js/lib/languages/php'),
  powershell: () => import('highlight.js/lib/languages/powershell'),
  python: () => import('highlight.js/lib/languages/python'),
  r: () => import('highlight.js/lib/languages/r'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  scala: () => import('highlight.js/lib/languages/scala'),
  scss: () => import('highlight.js/lib/languages/scss'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
}

const ALIASES: Record<string, string> = {
  'c#': 'csharp', 'c++': 'cpp', cc: 'cpp', clj: 'clojure', console: 'bash', cs: 'csharp', docker: 'dockerfile', ex: 'elixir',
  golang: 'go', h: 'c', hpp: 'cpp', hs: 'haskell', html: 'xml', jl: 'julia', js: 'javascript', jsonc: 'json', json5: 'json',
  jsx: 'javascript', kt: 'kotlin', make: 'makefile', md: 'markdown', mjs: 'javascript', patch: 'diff', pl: 'perl', ps1: 'powershell',
  py: 'python', python3: 'python', rb: 'ruby', rs: 'rust', sh: 'bash', shell: 'bash', svg: 'xml', tex: 'latex', toml: 'ini',
  ts: 'typescript', tsx: 'typescript', vue: 'xml', yml: 'yaml', zsh: 'bash',
}

/** The usual spelling of languages whose grammar name would look odd above a block. */
const TITLES: Record<string, string> = {
  bash: 'Shell', cpp: 'C++', csharp: 'C#', css: 'CSS', graphql: 'GraphQL', html: 'HTML', ini: 'INI', javascript: 'JavaScript',
  json: 'JSON', latex: 'LaTeX', php: 'PHP', powershell: 'PowerShell', scss: 'SCSS', sql: 'SQL', svg: 'SVG', toml: 'TOML',
  typescript: 'TypeScript', xml: 'XML', yaml: 'YAML',
}

function grammarName(language: string): string | null {
  const name = own(ALIASES, language) ?? language
  return Object.hasOwn(GRAMMARS, name) ? name : null
}

export function languageTitle(language: string): string {
  if (language === '') return 'Text'
  const name = own(ALIASES, language) ?? language
  const title = own(TITLES, language) ?? own(TITLES, name)
  if (title) return title
  return capital(name)
}

let core: HLJSApi | null = null

/** Highlights code synchronously, or returns null if the core or the grammar is not loaded. */
export function coloured(code: string, language: string): string | null {
  const name = grammarName(language)
  if (!core || !name || code.length > LONGEST || !core.getLanguage(name)) return null
  return sanitiseColours(core.highlight(code, { language: name, ignoreIllegals: true }).value)
}

/** Loads what `coloured` needs. Returns false if the language is not supported. */
export async function loadGrammar(language: string): Promise<boolean> {
  const name = grammarName(language)
  const grammar = name && GRAMMARS[name]
  if (!grammar) return false
  const [{ default: api }, { default: define }] = await Promise.all([import('highlight.js/lib/core'), grammar()])
  core = api
  if (!api.getLanguage(name)) api.registerLanguage(name, define)
  return true
}
