import { ApiFailure, type Method, OFFLINE_TEXT, responseFailure } from './http'

/** Progress reporting and cancellation of an upload. */
export interface UploadOptions {
  /** Receives the share that is uploaded, from 0 to 1. */
  onProgress?: (part: number) => void
  signal?: AbortSignal
}

/** Uploads a file with XMLHttpRequest, because `fetch` does not report upload progress. */
export function upload(method: Method, path: string, file: Blob, { onProgress, signal }: UploadOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, path)
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0)
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve()
      else void responseFailure(path, new Response(request.responseText, { status: request.status })).then(reject)
    }
    request.onerror = () => reject(new ApiFailure('offline', OFFLINE_TEXT))
    request.onabort = () => reject(signal?.reason as Error)
    signal?.addEventListener('abort', () => request.abort())
    if (signal?.aborted) reject(signal.reason as Error)
    else request.send(file)
  })
}
