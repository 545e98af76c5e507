import { AppWindow, Brain, CodeXml, Info, KeyRound, type LucideIcon, MessageSquare, Music, Palette, PersonStanding, Sparkles, UserRound, Wrench } from 'lucide-react'
import type { ConfigField, ConfigReport } from '@/api/protocol.gen'

/** A page of the settings, organised by what users look for and not by the structure of the config file. */
export interface SettingsSection {
  name: string
  title: string
  about?: string
  icon: LucideIcon
  /** Keys and tables of the config file, in display order. */
  keys: string[]
  /** Keys that few users need, shown collapsed at the end. */
  advanced?: string[]
}

export const SECTIONS: SettingsSection[] = [
  { name: 'appearance', title: 'Appearance', icon: Palette, keys: [] },
  { name: 'companion', title: 'Names', icon: UserRound, keys: ['companion'] },
  { name: 'body', title: 'Avatar', icon: PersonStanding, keys: ['emotion.enabled'] },
  {
    name: 'llm', title: 'Model', about: 'What answers you, and how.', icon: Sparkles,
    keys: ['llm.provider', 'llm.base_url', 'llm.api_key', 'llm.model', 'llm.command', 'llm.temperature', 'llm.num_predict', 'llm.num_ctx'],
    advanced: ['llm', 'models'],
  },
  {
    name: 'chat', title: 'Chats', icon: MessageSquare,
    keys: ['chat.title', 'chat.plan', 'chat.rounds', 'chat.confirm_seconds'],
    advanced: ['chat.summarise_at', 'chat.summarise_to'],
  },
  {
    name: 'memory', title: 'Memory', icon: Brain,
    keys: ['chat.learn_by_model', 'builtin_tools.memory', 'builtin_tools.memory_readonly', 'builtin_tools.state', 'builtin_tools.vector_search.enabled'],
    advanced: ['builtin_tools.vector_search'],
  },
  {
    name: 'tools', title: 'Tools', about: 'What she may use. Whether she asks first is set for each tool.', icon: Wrench,
    keys: ['builtin_tools.web_search', 'weather.enabled', 'map.online', 'files', 'bash', 'builtin_tools.mcp_servers', 'builtin_tools.mcp_servers_allow_network', 'builtin_tools.animation'],
    advanced: ['builtin_tools', 'weather', 'map'],
  },
  { name: 'spotify', title: 'Music', icon: Music, keys: ['spotify'] },
  {
    name: 'code', title: 'Code', about: 'How she works on code with you.', icon: CodeXml,
    keys: ['code.apply', 'code.verify', 'code.repairs', 'code.terminal', 'code.build', 'code.test', 'code.run'],
    advanced: ['code'],
  },
  { name: 'access', title: 'Devices and access', icon: KeyRound, keys: ['mcp'], advanced: ['auth.api_key', 'server.allowed_origins', 'server.allowed_hosts'] },
  { name: 'advanced', title: 'Advanced', about: 'The server, folders and logs. Most people never need these.', icon: AppWindow, keys: ['server', 'models.dir', 'state_dir', 'assets_dir', 'log', 'debug', 'debug_log_path'] },
  { name: 'about', title: 'About', icon: Info, keys: [] },
]

/**
 * Settings in the config file that are not offered here: avatar and background are chosen by their pictures,
 * phones and servers have controls of their own, and a token is required whatever `auth.enabled` says.
 */
const SET_ELSEWHERE = new Set(['vrm_model', 'background', 'body.palette', 'server.lan', 'mcpServers', 'auth.enabled'])

/** Returns the settings that have an effect and no other control. */
export function offeredFields(config: ConfigReport): ConfigField[] {
  return config.sections.flatMap(({ fields }) => fields).filter((field) => field.effective && !SET_ELSEWHERE.has(field.key))
}

/** Returns how specifically a page lists a key, by its name or its table: the length of the longest match. */
function closeness(key: string, wanted: string[] = []): number {
  return Math.max(0, ...wanted.filter((name) => key === name || key.startsWith(`${name}.`)).map((name) => name.length))
}

interface Spot {
  section: SettingsSection
  advanced: boolean
}

/**
 * Returns the page of a setting, which is the most specific match. Unlisted settings go to the Advanced page.
 */
export function spotOf(key: string): Spot {
  const spots = SECTIONS.flatMap((section) => [
    { section, advanced: false, close: closeness(key, section.keys) },
    { section, advanced: true, close: closeness(key, section.advanced) },
  ])
  const best = spots.reduce((one, other) => (other.close > one.close ? other : one))
  return best.close > 0 ? best : { section: SECTIONS.find(({ name }) => name === 'advanced') as SettingsSection, advanced: false }
}

export interface SectionFields {
  usual: ConfigField[]
  advanced: ConfigField[]
}

/** Returns the settings of a page in display order. */
export function fieldsOf(section: SettingsSection, config: ConfigReport): SectionFields {
  const here = offeredFields(config).map((field) => ({ field, spot: spotOf(field.key) })).filter(({ spot }) => spot.section === section)
  const order = (names: string[] = []) => (one: ConfigField, other: ConfigField) => at(names, one.key) - at(names, other.key)
  const at = (names: string[], key: string) => names.findIndex((name) => key === name || key.startsWith(`${name}.`))
  const of = (advanced: boolean) => here.filter(({ spot }) => spot.advanced === advanced).map(({ field }) => field)
  return { usual: of(false).sort(order(section.keys)), advanced: of(true).sort(order(section.advanced)) }
}

/** Returns the page for a name in the URL: that of a page, a setting or a table of the config file. */
export function sectionNamed(wanted: string | null, config: ConfigReport | null): SettingsSection | null {
  if (wanted === null) return SECTIONS[0] ?? null
  const named = SECTIONS.find(({ name }) => name === wanted)
  if (named) return named
  const fields = config ? offeredFields(config) : []
  const field = fields.find(({ key }) => key === wanted) ?? fields.find(({ key }) => key.startsWith(`${wanted}.`))
  return field ? spotOf(field.key).section : null
}
