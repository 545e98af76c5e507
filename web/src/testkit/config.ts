import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConfigField, ConfigReport, FieldKind } from '@/api/protocol.gen'

/** Returns all settings, as listed in the generated example file. */
export function exampleConfig(): ConfigReport {
  const sections = new Map<string, ConfigField[]>([['', []]])
  let table = ''
  let about: string[] = []
  for (const line of readFileSync(join(process.cwd(), '../config.example.toml'), 'utf8').split('\n')) {
    const heading = /^#?\[([\w.]+)\]$/.exec(line)
    const setting = /^#(\w+) = (.*)$/.exec(line)
    if (heading) {
      table = heading[1] ?? ''
      sections.set(table, [])
    } else if (setting && !table.startsWith('mcpServers')) {
      const [, name = '', value = ''] = setting
      sections.get(table)?.push(field(table === '' ? name : `${table}.${name}`, value, about.join(' ')))
    }
    about = line.startsWith('# ') ? [...about, line.slice(2)] : []
  }
  return { path: '/home/you/config.toml', sections: [...sections].map(([name, fields]) => ({ name, about: '', fields })), problems: [] }
}

function field(key: string, written: string, about: string): ConfigField {
  const choices = /One of: ([^.]+)\./.exec(about)?.[1]?.split(', ') ?? []
  const kind: FieldKind = choices.length > 0 ? 'choice' : /^(true|false)$/.test(written) ? 'switch' : /^[\d.]+$/.test(written) ? 'number' : written.startsWith('[') ? 'list' : 'text'
  const value: unknown = kind === 'switch' ? written === 'true' : kind === 'number' ? Number(written) : kind === 'list' ? [] : written.replaceAll('"', '')
  return { key, about, kind, choices, value, default: value, from: 'default', effective: !about.includes('No effect yet') }
}
