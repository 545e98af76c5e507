import { open } from '@/api/http'

/** Receives a progress from 0 to 1, or null while the length is unknown. */
export type Progress = (part: number | null) => void

interface Held {
  bytes: Promise<ArrayBuffer>
  watchers: Set<Progress>
}

/**
 * The number of cached files. Switching back to the previous body is quick, and two views of the avatar share
 * one download.
 */
const MOST = 2
const held = new Map<string, Held>()

/**
 * Returns the bytes at a URL that changes with its content. The buffer is shared, so callers must not modify
 * it.
 */
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
    // A compressed response is longer than its content-length once decompressed.
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
