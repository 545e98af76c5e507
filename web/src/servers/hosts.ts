import { plain } from '@/tools/wording'

/** Splits the content of a field into hosts. */
export function readHosts(text: string): string[] {
  return text.split(/[\s,]+/).map((host) => host.trim().toLowerCase()).filter(Boolean)
}

/** Returns the reason why these are not valid hosts, or null, by the same rules as on the server. */
export function hostsFault(text: string): string | null {
  const hosts = readHosts(text)
  if (hosts.includes('*')) return hosts.every((host) => host === '*') ? null : '* means every public host: use it alone.'
  for (const host of hosts) {
    const kind = kindOf(host)
    if (kind === 'nothing') return `${plain(host)} is not a host: write example.org, *.example.org, 192.168.1.20 or example.org:8080.`
    if (kind === 'inside') return `${plain(host)} is a name in your own network: write its address, such as 127.0.0.1:8080.`
  }
  return null
}

/** Names that are meaningful only in the local network. */
const LOCAL = ['localhost', 'localdomain', 'local', 'internal', 'intranet', 'intra', 'private', 'corp', 'home', 'home.arpa', 'lan', 'test', 'invalid']

const LABEL = /^[a-z0-9_-]{1,63}$/
/**
 * A numeric last label. Some resolvers read `127.1`, `0x7f.1` and `2130706433` as addresses, so no name may
 * end like this.
 */
const NUMBER = /^(?:0x[0-9a-f]*|\d+)$/
const LONGEST_NAME = 253

type Kind = 'host' | 'inside' | 'nothing'

function kindOf(pattern: string): Kind {
  const below = pattern.startsWith('*.')
  const rest = below ? pattern.slice(2) : pattern
  const bracketed = /^\[(.*)\](?::(\d+))?$/.exec(rest)
  if (bracketed || rest.split(':').length > 2) {
    const [, inner = rest, port] = bracketed ?? []
    return !below && isV6(inner) && isPort(port) ? 'host' : 'nothing'
  }
  const at = rest.indexOf(':')
  const host = at < 0 ? rest : rest.slice(0, at)
  if (at >= 0 && !isPort(rest.slice(at + 1))) return 'nothing'
  if (isV4(host)) return below ? 'nothing' : 'host'
  return kindOfName(host.replace(/\.$/, ''))
}

function kindOfName(name: string): Kind {
  const labels = name.split('.')
  if (name.length > LONGEST_NAME || !labels.every((label) => LABEL.test(label)) || NUMBER.test(labels.at(-1) ?? '')) return 'nothing'
  const local = labels.length === 1 || LOCAL.some((own) => name === own || name.endsWith(`.${own}`))
  return local ? 'inside' : 'host'
}

function isPort(digits: string | undefined): boolean {
  return digits === undefined || (/^\d+$/.test(digits) && Number(digits) > 0 && Number(digits) < 65_536)
}

/** Returns true for an address that a single machine can have: neither unspecified nor multicast. */
function isV4(text: string): boolean {
  const parts = text.split('.')
  const bytes = parts.map(Number)
  const written = parts.length === 4 && parts.every((part, at) => /^\d{1,3}$/.test(part) && String(bytes[at]) === part && Number(part) < 256)
  const [first = 0] = bytes
  return written && bytes.some((byte) => byte > 0) && !(first >= 224 && first < 240)
}

function isV6(text: string): boolean {
  if (!/^[0-9a-f:.]+$/.test(text) || !URL.canParse(`http://[${text}]/`)) return false
  const { hostname } = new URL(`http://[${text}]/`)
  return hostname !== '[::]' && hostname !== '[::ffff:0:0]' && !hostname.startsWith('[ff')
}
