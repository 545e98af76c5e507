import type { LanguageSupport, StreamParser } from '@codemirror/language'
import { LanguageSupport as Support, StreamLanguage } from '@codemirror/language'
import { own } from '@/design/own'

type Load = () => Promise<LanguageSupport>

const legacy = (fetch: () => Promise<StreamParser<unknown>>): Load => async () => new Support(StreamLanguage.define(await fetch()))
const clike = (name: 'csharp' | 'kotlin' | 'scala' | 'dart') => legacy(async () => (await import('@codemirror/legacy-modes/mode/clike'))[name] as StreamParser<unknown>)
const script = (options: { jsx?: boolean; typescript?: boolean }): Load => async () => (await import('@codemirror/lang-javascript')).javascript(options)

const LANGUAGES: Record<string, Load> = {
  c: async () => (await import('@codemirror/lang-cpp')).cpp(),
  clojure: legacy(async () => (await import('@codemirror/legacy-modes/mode/clojure')).clojure as StreamParser<unknown>),
  cmake: legacy(async () => (await import('@codemirror/legacy-modes/mode/cmake')).cmake as StreamParser<unknown>),
  csharp: clike('csharp'),
  css: async () => (await import('@codemirror/lang-css')).css(),
  dart: clike('dart'),
  diff: legacy(async () => (await import('@codemirror/legacy-modes/mode/diff')).diff as StreamParser<unknown>),
  dockerfile: legacy(async () => (await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile as StreamParser<unknown>),
  go: async () => (await import('@codemirror/lang-go')).go(),
  haskell: legacy(async () => (await import('@codemirror/legacy-modes/mode/haskell')).haskell as StreamParser<unknown>),
  html: async () => (await import('@codemirror/lang-html')).html(),
  java: async () => (await import('@codemirror/lang-java')).java(),
  javascript: script({ jsx: true }),
  json: async () => (await import('@codemirror/lang-json')).json(),
  julia: legacy(async () => (await import('@codemirror/legacy-modes/mode/julia')).julia as StreamParser<unknown>),
  kotlin: clike('kotlin'),
  lua: legacy(async () => (await import('@codemirror/legacy-modes/mode/lua')).lua as StreamParser<unknown>),
  markdown: async () => (await import('@codemirror/lang-markdown')).markdown(),
  perl: legacy(async () => (await import('@codemirror/legacy-modes/mode/perl')).perl as StreamParser<unknown>),
  php: async () => (await import('@codemirror/lang-php')).php(),
  powershell: legacy(async () => (await import('@codemirror/legacy-modes/mode/powershell')).powerShell as StreamParser<unknown>),
  properties: legacy(async () => (await import('@codemirror/legacy-modes/mode/properties')).properties as StreamParser<unknown>),
  python: async () => (await import('@codemirror/lang-python')).python(),
  r: legacy(async () => (await import('@codemirror/legacy-modes/mode/r')).r as StreamParser<unknown>),
  ruby: legacy(async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby as StreamParser<unknown>),
  rust: async () => (await import('@codemirror/lang-rust')).rust(),
  scala: clike('scala'),
  shell: legacy(async () => (await import('@codemirror/legacy-modes/mode/shell')).shell as StreamParser<unknown>),
  sql: async () => (await import('@codemirror/lang-sql')).sql(),
  swift: legacy(async () => (await import('@codemirror/legacy-modes/mode/swift')).swift as StreamParser<unknown>),
  toml: legacy(async () => (await import('@codemirror/legacy-modes/mode/toml')).toml as StreamParser<unknown>),
  tsx: script({ jsx: true, typescript: true }),
  typescript: script({ typescript: true }),
  xml: async () => (await import('@codemirror/lang-xml')).xml(),
  yaml: async () => (await import('@codemirror/lang-yaml')).yaml(),
}

/** Other names for the languages, from the server or from file extensions. */
const ALIASES: Record<string, string> = {
  bash: 'shell', cc: 'c', clj: 'clojure', cpp: 'c', 'c++': 'c', cs: 'csharp', 'c#': 'csharp', cxx: 'c', h: 'c', hpp: 'c', hs: 'haskell', htm: 'html', ini: 'properties', jl: 'julia', js: 'javascript',
  jsx: 'javascript', kt: 'kotlin', less: 'css', mjs: 'javascript', cjs: 'javascript', md: 'markdown', mts: 'typescript', cts: 'typescript', pl: 'perl', ps1: 'powershell', py: 'python', pyi: 'python',
  rb: 'ruby', rs: 'rust', scss: 'css', sh: 'shell', svg: 'xml', ts: 'typescript', typescriptreact: 'tsx', javascriptreact: 'javascript', vue: 'html', yml: 'yaml', zsh: 'shell',
}

/** Loads the language of one of these names, or returns null if the editor knows none. */
export async function loadLanguage(...names: string[]): Promise<LanguageSupport | null> {
  for (const name of names) {
    const small = name.toLowerCase()
    const load = own(LANGUAGES, own(ALIASES, small) ?? small)
    if (load) return load()
  }
  return null
}
