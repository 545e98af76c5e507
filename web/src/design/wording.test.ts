// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'
import { describe, expect, test } from 'vitest'

/** Phrases that are not idiomatic English in buttons and sentences of the app. */
const FOREIGN: [string, RegExp][] = [
  ['to bring, for to download, to add or to attach', /\b(bring|brings|bringing|brought)\b/i],
  ['something is no X, for is not a valid X', /(?<!\bthere )\bis no\b(?! longer)/i],
  ['whoever, as a subject', /\bwhoever\b/i],
  ['a step of hers', /\bof (hers|theirs)\b/i],
  ['words of others, for outside text', /\b(words of others|others’ words)\b/i],
  ['to mend, for to fix', /\b(mend|mends|mended)\b/i],
  ['to hold, for to be valid', /\b(it|they) (holds?|held)\b/i],
  ['to begin with', /^Begin\b|\bbegins? with$/],
  ['a thing waits for your yes, and is let in', /\b(your yes|let it in|said yes to)\b/i],
  ['a thing stands, for is', /\b(it|they|still|what) stands?\b/i],
  ['taken away, for deleted', /\btaken away\b/i],
  ['unasked', /\bunasked\b/i],
  ['if wanted, for optional', /\bif wanted\b/i],
  ['exclamation marks', /[\p{L}\p{N})”’]!(\s|$)/u],
]

const SOURCE = fileURLToPath(new URL('..', import.meta.url))

/** Attributes with strings that are not shown: class names, shapes, module paths and search terms. */
const SILENT = /^(className|shape|look|words|d)$/

interface Node {
  type: string
  name?: { name?: string }
  key?: { name?: string }
  [part: string]: unknown
}

/** Returns the texts in quotes and between tags that may be shown to the user. */
function shown(code: string, lang: 'ts' | 'tsx'): string[] {
  const found: string[] = []
  const look = (part: unknown): void => {
    if (Array.isArray(part)) return part.forEach(look)
    if (typeof part !== 'object' || part === null || !('type' in part)) return
    const node = part as Node
    if (/^(Import|ExportAll|TSType|TSInterface)/.test(node.type) || SILENT.test(node.name?.name ?? node.key?.name ?? '')) return
    const text = node.type === 'TemplateElement' ? (node['value'] as { raw: string }).raw : node.type === 'Literal' || node.type === 'JSXText' ? node['value'] : null
    if (typeof text === 'string' && /\s|^[A-Z]/.test(text.trim())) found.push(text.replace(/\s+/g, ' ').trim())
    for (const inner of Object.values(node)) look(inner)
  }
  look(parseAst(code, { lang }))
  return found
}

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|testkit|protocol\.gen/.test(name))
  .map((name) => ({ name, words: shown(readFileSync(join(SOURCE, name), 'utf8'), name.endsWith('x') ? 'tsx' : 'ts') }))

describe('what the app says', () => {
  test('is found', () => {
    const all = new Set(files.flatMap(({ words }) => words))
    for (const known of ['Your chats appear here.', 'Start talking', 'Sign in to continue', 'Just between us.', 'Drop to add']) expect(all).toContain(known)
  })

  test.each(FOREIGN)('does without %s', (_, pattern) => {
    expect(files.flatMap(({ name, words }) => words.filter((one) => pattern.test(one)).map((one) => `${name}: ${one}`))).toEqual([])
  })
})
