import { capital } from '@/design/format'
import { own } from '@/design/own'

/** Words that capitalising alone would spell wrongly. */
const SPELLED: Record<string, string> = {
  api: 'API', url: 'address', vrm: 'VRM', mcp: 'MCP', ui: 'Interface', http: 'HTTP',
  https: 'HTTPS', cors: 'CORS', db: 'database', dir: 'folder', lan: 'your network', lan_port: 'port in your network', num_ctx: 'context length', num_predict: 'answer length',
}

const SECTIONS: Record<string, string> = {
  '': 'General', auth: 'Sign-in', builtin_tools: 'Tools', 'builtin_tools.web_search': 'Web search', 'builtin_tools.web_search.brave': 'Web search: Brave',
  'builtin_tools.web_search.searxng': 'Web search: SearXNG', 'builtin_tools.vector_search': 'Vector search', bash: 'Shell', chat: 'Conversations', llm: 'Model', models: 'Model files', spotify: 'Music', stt: 'Hearing', tts: 'Voice',
}

/** `llm.base_url` → `Base address`. */
export function fieldTitle(key: string): string {
  return capital(spelled(key.slice(key.lastIndexOf('.') + 1)))
}

/** Keys outside of all tables stand in a section without a name. */
export function sectionTitle(name: string): string {
  const known = own(SECTIONS, name)
  if (known !== undefined) return known
  // A table inside of another is named by both.
  const [table = '', ...inner] = name.split('.')
  return inner.length > 0 ? `${sectionTitle(table)}: ${inner.map(spelled).join(', ')}` : capital(spelled(name))
}

function spelled(name: string): string {
  return own(SPELLED, name) ?? name.split(/[._]/).map((word) => own(SPELLED, word) ?? word).join(' ')
}

/** Who decided the value, where it is not the default. */
export function origin(from: string): string | null {
  switch (from) {
    case 'file':
      return 'set in the file'
    case 'environment':
      return 'set by the environment'
    case 'flag':
      return 'set by the command line'
    default:
      return null
  }
}

/** Why a value cannot be changed here, or null. */
export function locked(from: string): string | null {
  if (from === 'environment') return 'An environment variable decides this. Change it there, and start Perigee again.'
  if (from === 'flag') return 'A flag of the running command decides this. Leave it out, and start Perigee again.'
  return null
}

/** A value as a person would read it. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'not set'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : value.map(String).join(', ')
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}
