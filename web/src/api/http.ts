import { capital } from '@/design/format'
import type { ApiError, ErrorCode } from './protocol.gen'

/** `offline`: no answer came at all. `nonsense`: something answered that is not Perigee. */
export type FailureCode = ErrorCode | 'offline' | 'nonsense'

/** An answer that is not a success, in words for a person. */
export class ApiFailure extends Error {
  readonly code: FailureCode
  readonly status: number

  constructor(code: FailureCode, message: string, status = 0) {
    super(message)
    this.name = 'ApiFailure'
    this.code = code
    this.status = status
  }

  /** Whether the same request may succeed in a moment. */
  get passing(): boolean {
    return this.code === 'offline' || this.code === 'shuttingDown' || [502, 503, 504].includes(this.status)
  }
}

/** Whether there is nothing of this name, so that asking again will not help. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 404
}

/** Whether it is not any more what the request was about. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 409
}

/** Whether the thing itself is refused, as a file that is too large is: asking again gives the same answer. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiFailure && (error.status === 400 || error.status === 413)
}

export const OFFLINE_WORDS = 'Perigee does not answer. It may have stopped: start it again, or wait a moment.'

/** The words of any thrown thing. */
export function words(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.'
}

let signedOut: () => void = () => {}

/** What happens when the server no longer knows this browser. */
export function onSignedOut(listener: () => void): void {
  signedOut = listener
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface RequestOptions {
  body?: unknown
  /** A file, as it is, in place of a body. */
  file?: Blob
  headers?: Record<string, string>
  signal?: AbortSignal
  /** It is sent even where the page goes away meanwhile. */
  keepalive?: boolean
  /** Of what changes its address with its content a copy may be kept; of nothing else. */
  cache?: RequestCache
}

/** The raw answer of a door, which is a success: anything else is thrown as an `ApiFailure`. */
export async function open(method: Method, path: string, options: RequestOptions = {}): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json', ...options.headers }
  const init: RequestInit = { method, headers, credentials: 'same-origin', cache: options.cache ?? 'no-store' }
  if (options.signal) init.signal = options.signal
  if (options.keepalive) init.keepalive = true
  if (options.file) {
    headers['content-type'] = 'application/octet-stream'
    init.body = options.file
  } else if (method !== 'GET' && method !== 'DELETE') {
    headers['content-type'] = 'application/json'
    init.body = JSON.stringify(options.body ?? {})
  }
  let response: Response
  try {
    response = await fetch(path, init)
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new ApiFailure('offline', OFFLINE_WORDS)
  }
  if (response.ok) return response
  throw await refused(path, response)
}

/** What an answer says that is not a success. Whoever is not known any more is signed out. */
export async function refused(path: string, response: Response): Promise<ApiFailure> {
  const failure = await readFailure(response)
  if (response.status === 401 && !path.startsWith('/api/auth/')) signedOut()
  return failure
}

export async function request<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
  const response = await open(method, path, options)
  const text = await response.text()
  if (text === '') return undefined as T
  try {
    return JSON.parse(text) as T
  } catch {
    throw new ApiFailure('nonsense', `What answered at ${path} is not Perigee. Check the address of this page.`)
  }
}

/** The server's errors begin small and end without a stop; a person reads a sentence. */
export function sentence(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') return trimmed
  // The name of a file is written as it is.
  const begun = /^\S*[./_\\]\w/.test(trimmed) ? trimmed : capital(trimmed)
  return /[.!?…:)]$/.test(begun) ? begun : `${begun}.`
}

async function readFailure(response: Response): Promise<ApiFailure> {
  const body = (await response.json().catch(() => null)) as Partial<ApiError> | null
  if (body && typeof body.message === 'string' && typeof body.code === 'string') {
    return new ApiFailure(body.code, sentence(body.message), response.status)
  }
  return new ApiFailure('nonsense', `Perigee answered with an error (${response.status}) and gave no reason.`, response.status)
}

/** `?a=1&b=2` of what is given; nothing of what is not. */
export function query(parameters: Record<string, string | number | null | undefined>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}
