import { capital } from '@/design/format'
import type { ApiError, ErrorCode } from './protocol.gen'

/** `offline`: no response arrived. `nonsense`: the response did not come from Perigee. */
export type FailureCode = ErrorCode | 'offline' | 'nonsense'

/** An unsuccessful response, with a message for the user. */
export class ApiFailure extends Error {
  readonly code: FailureCode
  readonly status: number

  constructor(code: FailureCode, message: string, status = 0) {
    super(message)
    this.name = 'ApiFailure'
    this.code = code
    this.status = status
  }

  /** True if the same request may succeed after a short wait. */
  get isTransient(): boolean {
    return this.code === 'offline' || this.code === 'shuttingDown' || [502, 503, 504].includes(this.status)
  }
}

/** Returns true for a 404: the item does not exist, so a retry will not help. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 404
}

/** Returns true for a 409: the item has changed since the request was prepared. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 409
}

/**
 * Returns true if the server rejects the content itself, such as a file that is too large: a retry gets the
 * same response.
 */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiFailure && (error.status === 400 || error.status === 413)
}

export const OFFLINE_TEXT = 'Perigee does not answer. It may have stopped: start it again, or wait a moment.'

/** Returns the message of any thrown value. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.'
}

let signedOut: () => void = () => {}

/** Sets the listener that is called when the server no longer recognises this browser. */
export function onSignedOut(listener: () => void): void {
  signedOut = listener
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface RequestOptions {
  body?: unknown
  /** A file that is sent unchanged as the request body. */
  file?: Blob
  headers?: Record<string, string>
  signal?: AbortSignal
  /** Sends the request even if the page is closed meanwhile. */
  keepalive?: boolean
  /**
   * The cache mode, `no-store` by default. Caching is only for resources whose URL changes with their
   * content.
   */
  cache?: RequestCache
}

/** Sends a request and returns the raw response if it succeeded; otherwise throws an `ApiFailure`. */
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
    throw new ApiFailure('offline', OFFLINE_TEXT)
  }
  if (response.ok) return response
  throw await responseFailure(path, response)
}

/**
 * Turns an unsuccessful response into an `ApiFailure`. A 401 outside `/api/auth/` also signs the user out.
 */
export async function responseFailure(path: string, response: Response): Promise<ApiFailure> {
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

/**
 * Turns an error message into a sentence: the server's messages start in lower case and have no full stop.
 */
export function sentence(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') return trimmed
  // A leading file name keeps its case.
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

/** Builds `?a=1&b=2` from the given parameters and leaves out those without a value. */
export function query(parameters: Record<string, string | number | null | undefined>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}
