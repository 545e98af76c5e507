import type { McpServerInfo, McpState, SandboxInfo } from '@/api/protocol.gen'
import { since } from '@/design/format'

export type Tone = 'ok' | 'warn' | 'danger' | 'blue' | 'faint'

/** The state of a server in a word or two. */
export const STATES: Record<McpState, { word: string; tone: Tone }> = {
  asking: { word: 'needs your approval', tone: 'warn' },
  disabled: { word: 'off', tone: 'faint' },
  resting: { word: 'idle', tone: 'faint' },
  starting: { word: 'starting', tone: 'blue' },
  ready: { word: 'ready', tone: 'ok' },
  locked: { word: 'sign-in needed', tone: 'blue' },
  failing: { word: 'failed, retrying', tone: 'warn' },
  failed: { word: 'failed', tone: 'danger' },
}

/** Returns true if it is approved and not running. */
export function canStart({ state }: McpServerInfo): boolean {
  return state === 'resting' || state === 'failed' || state === 'failing'
}

export function runs({ state }: McpServerInfo): boolean {
  return state === 'ready' || state === 'starting' || state === 'failing'
}

/** Returns the tools that are not approved in their present form. */
export function unapproved({ tools }: McpServerInfo) {
  return tools.filter(({ standing }) => standing !== 'approved')
}

/** Returns true if it is approved, but offers something that needs another approval. */
export function asksAgain(server: McpServerInfo): boolean {
  return server.asks !== null && server.state !== 'asking'
}

export interface Isolation {
  title: string
  about: string
  tone: Tone
}

/** Describes the isolation of generated servers and commands on this machine. */
export function isolationOf({ level }: SandboxInfo): Isolation {
  if (level === 'full') return { title: 'Sandbox is working', about: 'What she writes or runs sees only its own folder, and no network except the hosts you name.', tone: 'ok' }
  if (level === 'partial') {
    const about = 'What she writes can change nothing outside its folder, but may see more of the machine. Commands are blocked until you allow them.'
    return { title: 'Sandbox is partly working', about, tone: 'warn' }
  }
  const about = 'Nothing here can contain what she writes, so tools she writes do not run. Commands are blocked until you allow them; then each one asks first, and runs with your rights.'
  return { title: 'No sandbox on this machine', about, tone: 'danger' }
}

/** Describes the isolation of a generated server in a few words. */
export function isolationWords(sandbox: SandboxInfo | null): string {
  if (sandbox?.level === 'full') return 'full: it sees only its own folder'
  if (sandbox?.level === 'partial') return 'partial: it changes only its own folder, but may see more'
  return sandbox ? 'none on this machine, so it does not run' : 'yes'
}

/** Describes the hosts that it may reach. */
export function network(hosts: string[], wanted: boolean): string {
  if (hosts.includes('*')) return 'every public host'
  if (hosts.length > 0) return hosts.join(', ')
  return wanted ? 'none, though it asks for some' : 'none'
}

/** Describes the origin of a server. */
export function serverOrigin({ kind }: McpServerInfo): string {
  return kind === 'made' ? 'she wrote it' : 'the settings'
}

/** Returns the server of a tool, so that its name, if known, can be shown unabbreviated. */
export function serverNamed(short: string, servers: McpServerInfo[] | null): McpServerInfo | undefined {
  return servers?.find(({ name, tools }) => name === short || tools.some(({ fullName }) => fullName.startsWith(`${short}__`)))
}

/**
 * Formats an age. The time comes from a file that anybody may have written, so it may not be a valid time.
 */
export function ago(at: string, now: Date): string {
  return Number.isNaN(Date.parse(at)) ? 'at an unknown time' : since(at, now)
}
