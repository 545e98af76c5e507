import { ApiFailure, type Method, OFFLINE_WORDS, refused } from './http'

/** Progress reporting and cancellation of an upload. */
export interface Watch {
  /** Receives the share that is uploaded, from 0 to 1. */
  told?: (part: number) => void
  signal?: AbortSignal
}

/** Uploads a file with XMLHttpRequest, because `fetch` does not report upload progress. */
export function upload(method: Method, path: string, file: Blob, { told, signal }: Watch = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, path)
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) => told?.(total > 0 ? loaded / total : 0)
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve()
      else void refused(path, new Response(request.responseText, { status: request.status })).then(reject)
    }
    request.onerror = () => reject(new ApiFailure('offline', OFFLINE_WORDS))
    request.onabort = () => reject(signal?.reason as Error)
    signal?.addEventListener('abort', () => request.abort())
    if (signal?.aborted) reject(signal.reason as Error)
    else request.send(file)
  })
}
