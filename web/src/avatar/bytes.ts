import { open } from '@/api/http'

/** From 0 to 1; null while the length is not known. */
export type Progress = (part: number | null) => void

interface Held {
  bytes: Promise<ArrayBuffer>
  watchers: Set<Progress>
}

/** The bodies that were worn last: going back to one is quick, and two pictures of her fetch one file. */
const MOST = 2
const held = new Map<string, Held>()

/** The bytes behind an address that changes with them. They are shared: whoever reads them leaves them as they are. */
export function bytesOf(url: string, progress: Progress = () => {}): Promise<ArrayBuffer> {
  const known = held.get(url)
  if (known) {
    known.watchers.add(progress)
    held.delete(url)
    held.set(url, known)
    return known.bytes
  }
  const watchers = new Set([progress])
  const bytes = fetchBytes(url, (part) => watchers.forEach((watch) => watch(part)))
  held.set(url, { bytes, watchers })
  bytes.catch(() => held.delete(url)).finally(() => watchers.clear())
  for (const oldest of held.keys()) {
    if (held.size <= MOST) break
    held.delete(oldest)
  }
  return bytes
}

export async function fetchBytes(url: string, progress: Progress = () => {}): Promise<ArrayBuffer> {
  const response = await open('GET', url, { headers: { accept: '*/*' }, cache: 'default' })
  const length = Number(response.headers.get('content-length')) || 0
  if (!response.body || length === 0) return response.arrayBuffer()
  const parts: Uint8Array[] = []
  let got = 0
  const reader = response.body.getReader()
  for (let { done, value } = await reader.read(); !done && value; { done, value } = await reader.read()) {
    parts.push(value)
    got += value.byteLength
    // A packed answer is longer once it is unpacked.
    progress(got <= length ? got / length : null)
  }
  const whole = new Uint8Array(got)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole.buffer
}
