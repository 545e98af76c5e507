import { request } from './http'
import type { AnimationList, AssetKind, BackgroundList, BodyChoice, BodyReport } from './protocol.gen'
import { upload, type UploadOptions } from './upload'

export function readBody(): Promise<BodyReport> {
  return request('GET', '/api/body')
}

export function chooseBody(body: BodyChoice): Promise<BodyReport> {
  return request('PUT', '/api/body', { body })
}

export function listAnimations(): Promise<AnimationList> {
  return request('GET', '/api/animations')
}

export function play(name: string): Promise<void> {
  return request('POST', `/api/play/${encodeURIComponent(name)}`)
}

export function listBackgrounds(): Promise<BackgroundList> {
  return request('GET', '/api/backgrounds')
}

export function chooseBackground(filename: string): Promise<BackgroundList> {
  return request('PUT', '/api/backgrounds', { body: { filename } })
}

const asset = (kind: AssetKind, filename: string) => `/api/assets/${kind}/${encodeURIComponent(filename)}`

/** The largest file that can be uploaded, in bytes. */
export const LARGEST_ASSET = 192 * 1024 * 1024

/**
 * Uploads a file to the user's own assets. An existing file of the same name is set aside and can be
 * restored.
 */
export function putAsset(kind: AssetKind, filename: string, file: Blob, watch: UploadOptions = {}): Promise<void> {
  return upload('PUT', asset(kind, filename), file, watch)
}

/** Removes a file. It can be restored until the next file of the same name is removed. */
export function removeAsset(kind: AssetKind, filename: string): Promise<void> {
  return request('DELETE', asset(kind, filename))
}

export function restoreAsset(kind: AssetKind, filename: string): Promise<void> {
  return request('POST', `${asset(kind, filename)}/restore`)
}
