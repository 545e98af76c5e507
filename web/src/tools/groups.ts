import type { ConfigField, ConfigReport, ToolInfo } from '@/api/protocol.gen'

export interface Group {
  name: string | null
  tools: ToolInfo[]
  /** None of its tools can run. */
  off: boolean
}

/** The tools by group: what is always there first, what is off last. */
export function grouped(tools: ToolInfo[]): Group[] {
  const groups = new Map<string | null, ToolInfo[]>()
  for (const tool of tools) groups.set(tool.group, [...(groups.get(tool.group) ?? []), tool])
  const made = [...groups].map(([name, list]) => ({
    name,
    tools: list.toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
    off: list.every((tool) => !tool.on),
  }))
  return made.sort((a, b) => Number(a.off) - Number(b.off) || Number(a.name !== null) - Number(b.name !== null) || (a.name ?? '').localeCompare(b.name ?? '', 'en'))
}

/** The setting that switches a group. */
export function switchOf(group: string | null, config: ConfigReport | null): ConfigField | null {
  if (group === null || !config) return null
  const fields = config.sections.flatMap((section) => section.fields)
  const keys = [`builtin_tools.${group}.enabled`, `builtin_tools.${group}`]
  return fields.find((field) => field.kind === 'switch' && keys.includes(field.key)) ?? null
}
