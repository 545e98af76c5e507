import type { ConfigField, ConfigReport, ToolInfo } from '@/api/protocol.gen'
import { toolName } from './names'
import { serverOf } from './wording'

export interface Group {
  title: string
  /** The server that provides all of these tools, or null. */
  server: string | null
  tools: ToolInfo[]
  /** True if none of the tools is on. */
  off: boolean
}

/** The purposes of tools, in display order. */
const PURPOSES: [string, RegExp][] = [
  ['The web', /^web_/],
  ['Everyday', /^(?:time|calculate|weather|spotify)$/],
  ['Memory', /^(?:memory_|state_|vector_|forget$)/],
  ['Files and clipboard', /^(?:(?:read|write)_file|list_files|clipboard_\w+)$/],
  ['This computer', /^(?:open|notify|system_info|run_command)$/],
  ['On the screen', /^(?:widget|map|scene)$/],
  ['Her avatar', /^(?:play_animation|set_background|get_animations|get_backgrounds)$/],
  ['Skills', /^skill/],
  ['Tools she writes', /^mcp_server_/],
]
const OTHERS = 'More tools'

function purpose({ name }: ToolInfo): string {
  const server = serverOf(name)
  if (server !== null) return `From the server ${server}`
  return PURPOSES.find(([, sign]) => sign.test(name))?.[0] ?? OTHERS
}

/** Groups tools by purpose; those provided by servers come after the built-in ones. */
export function groupedByPurpose(tools: ToolInfo[]): Group[] {
  const groups = new Map<string, ToolInfo[]>()
  for (const tool of tools) groups.set(purpose(tool), [...(groups.get(purpose(tool)) ?? []), tool])
  const made = [...groups].map(([title, list]) => ({
    title,
    server: serverOf(list[0]?.name ?? ''),
    tools: list.toSorted((a, b) => toolName(a.name).localeCompare(toolName(b.name), 'en')),
    off: list.every((tool) => !tool.on),
  }))
  const titles = [...PURPOSES.map(([title]) => title), OTHERS]
  const place = ({ title, server }: Group) => (server === null ? titles.indexOf(title) : titles.length)
  return made.sort((a, b) => place(a) - place(b) || a.title.localeCompare(b.title, 'en'))
}

/** Returns the setting that switches a tool and its group on and off. */
export function switchOf(tool: ToolInfo | undefined, config: ConfigReport | null): ConfigField | null {
  if (!tool?.group || !config) return null
  const fields = config.sections.flatMap((section) => section.fields)
  const keys = [`builtin_tools.${tool.group}.enabled`, `builtin_tools.${tool.group}`]
  return fields.find((field) => field.kind === 'switch' && keys.includes(field.key)) ?? null
}
