import type { ConfigField, ConfigReport, ToolInfo } from '@/api/protocol.gen'
import { serverOf } from './words'

export interface Group {
  name: string | null
  /** That brings all of them, where no setting switches them. */
  server: string | null
  tools: ToolInfo[]
  /** None of its tools can run. */
  off: boolean
}

/** The tools by group: what is always there first, then what servers bring, and what is off last. */
export function grouped(tools: ToolInfo[]): Group[] {
  const groups = new Map<string, ToolInfo[]>()
  const key = ({ group, name }: ToolInfo) => JSON.stringify([group, group === null ? serverOf(name) : null])
  for (const tool of tools) groups.set(key(tool), [...(groups.get(key(tool)) ?? []), tool])
  const made = [...groups].map(([made, list]) => {
    const [name, server] = JSON.parse(made) as [string | null, string | null]
    return { name, server, tools: list.toSorted((a, b) => a.name.localeCompare(b.name, 'en')), off: list.every((tool) => !tool.on) }
  })
  const place = ({ off, name, server }: Group) => (off ? 3 : server !== null ? 2 : name !== null ? 1 : 0)
  return made.sort((a, b) => place(a) - place(b) || (a.server ?? a.name ?? '').localeCompare(b.server ?? b.name ?? '', 'en'))
}

/** The setting that switches a group. */
export function switchOf(group: string | null, config: ConfigReport | null): ConfigField | null {
  if (group === null || !config) return null
  const fields = config.sections.flatMap((section) => section.fields)
  const keys = [`builtin_tools.${group}.enabled`, `builtin_tools.${group}`]
  return fields.find((field) => field.kind === 'switch' && keys.includes(field.key)) ?? null
}
