/** A server in the format of `POST /api/mcp/servers`. */
export interface ServerEntry {
  name: string
  server: Record<string, unknown>
}

/** The parsed servers, or an error message for the user. */
export type Pasted = { entries: ServerEntry[] } | { trouble: string }

type Table = Record<string, unknown>

const isTable = (value: unknown): value is Table => typeof value === 'object' && value !== null && !Array.isArray(value)
/** Clients use different keys for the address. */
const ADDRESSES = ['url', 'serverUrl', 'httpUrl']
const isReach = (value: unknown): value is Table => isTable(value) && ['command', ...ADDRESSES].some((key) => key in value)

/** The keys under which other clients keep their list of servers. */
const LISTS = ['mcpServers', 'servers', 'context_servers']

/**
 * Reads servers from the settings of other MCP clients: the whole file, its list, one entry with its name, or
 * only the value of an entry, which then has no name.
 */
export function readPasted(text: string): Pasted {
  const read = parse(text)
  if ('trouble' in read) return read
  const { value } = read
  if (!isTable(value)) return { trouble: 'This JSON is not a server: a server is an object in { }.' }
  const list = [value, value['mcp']].filter(isTable).flatMap((table) => LISTS.map((key) => table[key])).find(isTable)
  if (list) return named(list)
  if (isReach(value)) return checked([{ name: typeof value['name'] === 'string' ? value['name'] : '', server: without(value, 'name') }])
  return named(value)
}

function named(list: Table): Pasted {
  const entries = Object.entries(list)
  if (entries.length === 0) return { trouble: 'The list of servers is empty.' }
  const odd = entries.find(([, server]) => !isReach(server))
  if (odd) return { trouble: `“${odd[0]}” is not a server: it has neither a "command" nor a "url".` }
  return checked(entries.map(([name, server]) => ({ name, server: server as Table })))
}

function checked(given: ServerEntry[]): Pasted {
  const entries = given.map(({ name, server }) => ({ name: fitting(name), server: withUrl(server) }))
  for (const { name, server } of entries) {
    const trouble = fault(server)
    if (trouble) return { trouble: name === '' ? `${trouble}.` : `In “${name}”, ${trouble}.` }
  }
  return { entries }
}

/** Returns the name in its valid form: dots would split it in the settings. */
function fitting(name: string): string {
  return name.trim().replace(/[."\n]+/g, '-').slice(0, 64)
}

function withUrl(server: Table): Table {
  const other = ADDRESSES.find((key) => key !== 'url' && key in server)
  return other && !('url' in server) ? { ...without(server, other), url: server[other] } : server
}

function fault(server: Table): string | null {
  const { command, url, args, env, headers } = server
  const asked = /\$\{input:([^}]*)\}/.exec(JSON.stringify(server))
  if (asked) return `“${asked[1]}” is a placeholder of another program: write the value itself instead`
  if (command !== undefined && url !== undefined) return 'there is a "command" and a "url": it can have one of them'
  if (command !== undefined && (typeof command !== 'string' || command.trim() === '')) return '"command" should be text'
  if (url !== undefined && (typeof url !== 'string' || !isAddress(url))) return '"url" should be an address that begins with http:// or https://'
  if (args !== undefined && !(Array.isArray(args) && args.every((part) => typeof part === 'string'))) return '"args" should be a list of strings'
  for (const [key, texts] of [['env', env], ['headers', headers]] as const) {
    if (texts !== undefined && !(isTable(texts) && Object.values(texts).every((part) => typeof part === 'string'))) return `"${key}" should contain only strings`
  }
  return null
}

/**
 * Parses JSON leniently. People paste a part of a file as often as the whole: an entry without its braces, a
 * comma at the end.
 */
function parse(text: string): { value: unknown } | { trouble: string } {
  const trimmed = text.trim().replace(/,$/, '')
  if (trimmed === '') return { trouble: 'Paste the JSON first.' }
  const plain = withoutNotes(trimmed).trim().replace(/,$/, '')
  const tries = plain.startsWith('"') ? [`{${plain}}`, plain] : [plain]
  for (const attempt of tries) {
    try {
      return { value: JSON.parse(attempt) as unknown }
    } catch {
      continue
    }
  }
  return { trouble: 'This is not valid JSON. It should begin with { and end with }, with every name in double quotes.' }
}

/**
 * Removes the comments and trailing commas that the settings of editors allow. Within quotes both are text.
 */
function withoutNotes(text: string): string {
  const keep = (_: string, quoted?: string) => quoted ?? ''
  const plain = text.replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, keep)
  return plain.replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, keep)
}

function without(table: Table, key: string): Table {
  const { [key]: _left, ...rest } = table
  return rest
}

export function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(text.trim())
}

/** Reads a server from a single line: an address, or else a command to start. */
export function readCommandOrAddress(line: string): { server: Record<string, unknown> } | { trouble: string } {
  if (isAddress(line)) return { server: { url: line.trim() } }
  const parts = splitCommand(line)
  if (parts === null) return { trouble: 'A quotation mark is opened and not closed.' }
  const [command, ...args] = parts
  if (command === undefined) return { trouble: 'Write the command that starts it, or its address.' }
  return { server: { command, args } }
}

/**
 * Splits a command line as a shell does, with quotes and backslashes and no other shell syntax. Null if a
 * quote is not closed.
 */
export function splitCommand(line: string): string[] | null {
  const parts: string[] = []
  let part: string | null = null
  let quote: string | null = null
  for (let at = 0; at < line.length; at += 1) {
    const sign = line.charAt(at)
    if (quote !== null) {
      if (sign === quote) quote = null
      else if (sign === '\\' && quote === '"' && /["\\]/.test(line.charAt(at + 1))) part += line.charAt((at += 1))
      else part += sign
    } else if (sign === '"' || sign === "'") {
      quote = sign
      part ??= ''
    } else if (/\s/.test(sign)) {
      if (part !== null) parts.push(part)
      part = null
    } else if (sign === '\\' && /[\s"'\\]/.test(line.charAt(at + 1))) {
      part = (part ?? '') + line.charAt((at += 1))
    } else part = (part ?? '') + sign
  }
  if (quote !== null) return null
  return part === null ? parts : [...parts, part]
}

/** Returns the problem with a name, as the server would report it, or null. */
export function nameTrouble(name: string, taken: string[]): string | null {
  const trimmed = name.trim()
  if (trimmed === '') return 'Give it a short name.'
  if (trimmed.length > 64 || /[."\n]/.test(trimmed)) return 'A name is short, and has no dots and no quotation marks.'
  return taken.includes(trimmed) ? `There is a server named ${trimmed} already.` : null
}

/**
 * Reads `KEY=value` or `Name: value`, one per line. Returns the first line that is neither, if there is one.
 */
export function readPairs(text: string, between: '=' | ':'): { pairs: Record<string, string> } | { line: string } {
  const pairs: Record<string, string> = {}
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue
    const at = line.indexOf(between)
    if (at <= 0) return { line }
    pairs[line.slice(0, at).trim()] = line.slice(at + 1).trim()
  }
  return { pairs }
}
