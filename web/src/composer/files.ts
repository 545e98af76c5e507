import type { AttachmentInfo, AttachmentUpload } from '@/api/protocol.gen'
import { bytes } from '@/design/format'

/** A file attached to a draft, read and ready to be sent. */
export interface DraftFile {
  id: string
  name: string
  mime: string
  bytes: number
  kind: 'picture' | 'text'
  /** The content in base64. */
  data: string
  /** An object URL for pictures, otherwise null. See `previews.ts` for its lifetime. */
  preview: string | null
}

export const LIMITS = {
  files: 10,
  picture: 10_000_000,
  text: 1_000_000,
  total: 20_000_000,
}

/**
 * The longest side of a picture in pixels. Models scale pictures down: more pixels cost time and add nothing.
 */
const LONGEST_SIDE = 2048

const PICTURES = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif'])

export class FileTrouble extends Error {}

/**
 * Reads a chosen, pasted or dropped file. Throws a `FileTrouble` with a message for the user if it cannot be
 * sent.
 */
export async function readDraftFile(file: File): Promise<DraftFile> {
  const id = crypto.randomUUID()
  const name = file.name || 'pasted'
  if (PICTURES.has(file.type)) {
    const blob = await fitting(file)
    if (blob.size > LIMITS.picture) {
      throw new FileTrouble(`“${name}” is ${bytes(blob.size)}. Pictures can be up to ${bytes(LIMITS.picture)}.`)
    }
    const data = await base64(blob)
    return { id, name, mime: blob.type, bytes: blob.size, kind: 'picture', data, preview: URL.createObjectURL(blob) }
  }
  if (file.size > LIMITS.text) {
    throw new FileTrouble(`“${name}” is ${bytes(file.size)}. Text files can be up to ${bytes(LIMITS.text)}.`)
  }
  const content = new Uint8Array(await file.arrayBuffer())
  if (!isText(content)) {
    throw new FileTrouble(`“${name}” is neither text nor a picture (PNG, JPEG, WebP or GIF), so she cannot read it.`)
  }
  const mime = file.type.startsWith('text/') || file.type === 'application/json' ? file.type : 'text/plain'
  return { id, name, mime, bytes: file.size, kind: 'text', data: await base64(file), preview: null }
}

/** Converts a file that was sent before, byte for byte as it is stored. */
export async function storedFile({ name, mime }: AttachmentInfo, blob: Blob): Promise<DraftFile> {
  const kind = mime.startsWith('image/') ? 'picture' : 'text'
  const data = await base64(blob)
  return { id: crypto.randomUUID(), name, mime, bytes: blob.size, kind, data, preview: kind === 'picture' ? URL.createObjectURL(blob) : null }
}

/** Returns true for valid UTF-8 without zero bytes, which binary formats are full of. */
export function isText(content: Uint8Array): boolean {
  if (content.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content)
    return true
  } catch {
    return false
  }
}

/** Returns the picture, scaled down if it is larger than models use. GIFs stay as they are. */
async function fitting(file: File): Promise<Blob> {
  if (file.type === 'image/gif') return file
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new FileTrouble(`“${file.name}” cannot be read as a picture.`)
  })
  const scale = LONGEST_SIDE / Math.max(bitmap.width, bitmap.height)
  if (scale >= 1 && file.size <= LIMITS.picture) {
    bitmap.close()
    return file
  }
  const canvas = new OffscreenCanvas(Math.round(bitmap.width * Math.min(1, scale)), Math.round(bitmap.height * Math.min(1, scale)))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  return canvas.convertToBlob(file.type === 'image/png' ? { type: 'image/png' } : { type: 'image/jpeg', quality: 0.88 })
}

function base64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(new FileTrouble('The file can no longer be read. Was it moved?'))
    reader.readAsDataURL(blob)
  })
}

/** Returns the reason why these files together exceed a limit, or null. */
export function limitTrouble(files: DraftFile[]): string | null {
  if (files.length > LIMITS.files) return `A message can have up to ${LIMITS.files} files.`
  const total = files.reduce((sum, file) => sum + file.bytes, 0)
  if (total > LIMITS.total) return `Together, the files are ${bytes(total)}. A message can have up to ${bytes(LIMITS.total)}.`
  return null
}

export function uploads(files: DraftFile[]): AttachmentUpload[] {
  return files.map(({ name, mime, data }) => ({ name, mime, data }))
}
