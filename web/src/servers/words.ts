import type { McpServerInfo, McpState, SandboxInfo } from '@/api/protocol.gen'
import { since } from '@/design/format'

export type Tone = 'ok' | 'warn' | 'danger' | 'blue' | 'faint'

/** How a server is, in a word or two. */
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

/** It has been let in, and does not run. */
export function canStart({ state }: McpServerInfo): boolean {
  return state === 'resting' || state === 'failed' || state === 'failing'
}

export function runs({ state }: McpServerInfo): boolean {
  return state === 'ready' || state === 'starting' || state === 'failing'
}

/** Tools that nobody has said yes to as they are. */
export function unapproved({ tools }: McpServerInfo) {
  return tools.filter(({ standing }) => standing !== 'approved')
}

/** It runs, and offers something that waits for a yes. */
export function asksAgain(server: McpServerInfo): boolean {
  return server.asks !== null && server.state !== 'asking'
}

export interface Hold {
  title: string
  about: string
  tone: Tone
}

/** How well what she makes and runs is held on this machine. */
export function hold({ level }: SandboxInfo): Hold {
  if (level === 'full') return { title: 'Sandbox is working', about: 'What she writes or runs sees only its own folder, and no network except the hosts you name.', tone: 'ok' }
  if (level === 'partial') {
    const about = 'What she writes can change nothing outside its folder, but may see more of the machine. Commands are blocked until you allow them.'
    return { title: 'Sandbox is partly working', about, tone: 'warn' }
  }
  const about = 'Nothing here can contain what she writes, so tools she writes do not run. Commands are blocked until you allow them; then each one asks first, and runs with your rights.'
  return { title: 'No sandbox on this machine', about, tone: 'danger' }
}

/** What holds a server that she wrote, in a few words. */
export function heldBy(sandbox: SandboxInfo | null): string {
  if (sandbox?.level === 'full') return 'full: it sees only its own folder'
  if (sandbox?.level === 'partial') return 'partial: it changes only its own folder, but may see more'
  return sandbox ? 'none on this machine, so it does not run' : 'yes'
}

/** The hosts that it may reach. */
export function network(hosts: string[], wanted: boolean): string {
  if (hosts.includes('*')) return 'every public host'
  if (hosts.length > 0) return hosts.join(', ')
  return wanted ? 'none, though it asks for some' : 'none'
}

/** Where it was found, and who let it be there. */
export function origin({ kind }: McpServerInfo): string {
  return kind === 'made' ? 'she wrote it' : 'the settings'
}

/** The server that brings a tool: its name, where that is known, is not cut to letters. */
export function serverNamed(short: string, servers: McpServerInfo[] | null): McpServerInfo | undefined {
  return servers?.find(({ name, tools }) => name === short || tools.some(({ fullName }) => fullName.startsWith(`${short}__`)))
}

/** How long ago that was. It is read from a file that anybody may have written, so that it may be no time at all. */
export function ago(at: string, now: Date): string {
  return Number.isNaN(Date.parse(at)) ? 'at some time' : since(at, now)
}
