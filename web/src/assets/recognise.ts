import { LARGEST_ASSET } from '@/api/body'
import type { AssetKind } from '@/api/protocol.gen'
import { bytes } from '@/design/format'

/** A file whose type was determined by its content, not by its name. */
export interface Asset {
  kind: AssetKind
  /** The name under which it is stored; its extension matches the content. */
  filename: string
  file: File
}

/** The reason why a file is rejected, as text. */
export class AssetTrouble extends Error {}

interface AssetFormat {
  kind: AssetKind
  /** The valid extensions. The first is added to a name that has none of them. */
  endings: readonly string[]
  called: string
}

const ASSET_FORMATS = {
  vrm: { kind: 'models', endings: ['vrm'], called: 'an avatar' },
  vrma: { kind: 'anims', endings: ['vrma'], called: 'an animation' },
  fbx: { kind: 'anims', endings: ['fbx'], called: 'an animation' },
  png: { kind: 'backgrounds', endings: ['png'], called: 'a picture' },
  jpeg: { kind: 'backgrounds', endings: ['jpg', 'jpeg'], called: 'a picture' },
  webp: { kind: 'backgrounds', endings: ['webp'], called: 'a picture' },
  avif: { kind: 'backgrounds', endings: ['avif'], called: 'a picture' },
  gif: { kind: 'backgrounds', endings: ['gif'], called: 'a picture' },
} as const satisfies Record<string, AssetFormat>

/** The extensions that the file dialog accepts. */
export const ACCEPTED = Object.values(ASSET_FORMATS).flatMap(({ endings }) => endings.map((ending) => `.${ending}`)).join(',')

/** Models of any format are recognised by name; only reading the file tells whether it is a VRM. */
const MODEL_NAME = /\.(?:vrma?|fbx|glb|gltf)$/i
const PICTURE_NAME = /\.(?:png|jpe?g|webp|avif|gif)$/i

/** Returns true if the name suggests a model or an animation for the avatar. */
export function isAssetName({ name }: { name: string }): boolean {
  return MODEL_NAME.test(name)
}

export function isPicture({ name, type }: { name: string; type: string }): boolean {
  return PICTURE_NAME.test(name) || type.startsWith('image/')
}

export function stem(filename: string): string {
  return filename.replace(/\.[^.]*$/, '')
}

const ending = (filename: string) => /\.([^.]*)$/.exec(filename)?.[1]?.toLowerCase() ?? ''

export async function recognise(file: File): Promise<Asset> {
  const name = file.name
  if (file.size === 0) throw new AssetTrouble(`“${name}” is empty.`)
  if (file.size > LARGEST_ASSET) throw new AssetTrouble(`“${name}” is ${bytes(file.size)}. Files can be up to ${bytes(LARGEST_ASSET)}.`)
  const sort: AssetFormat = await formatOf(file).catch((error: unknown) => {
    throw error instanceof AssetTrouble ? error : new AssetTrouble(`“${name}” cannot be read. Was it moved, or is it a folder?`)
  })
  const claimed = Object.values(ASSET_FORMATS).find(({ endings }) => (endings as readonly string[]).includes(ending(name)))
  if (claimed && claimed.kind !== sort.kind) throw new AssetTrouble(`“${name}” is not what its name says: it contains ${sort.called}.`)
  return { kind: sort.kind, filename: tidy(name, sort), file }
}

/** Returns a name that the server accepts, with the extension that matches the content. */
function tidy(name: string, { endings }: AssetFormat): string {
  const given = ending(name)
  const plain = stem(name).replace(/[\p{Cc}/\\:]/gu, ' ').replace(/^[.\s]+|\s+$/g, '')
  let short = plain === '' ? 'unnamed' : plain
  while (new TextEncoder().encode(short).length > 180) short = short.slice(0, -1)
  return `${short.trimEnd()}.${endings.includes(given) ? given : endings[0]}`
}

async function formatOf(file: File): Promise<AssetFormat> {
  const head = new Uint8Array(await file.slice(0, 32).arrayBuffer())
  const text = String.fromCharCode(...head)
  if (text.startsWith('glTF')) return gltf(file, new DataView(head.buffer))
  if (text.startsWith('Kaydara FBX Binary')) return ASSET_FORMATS.fbx
  if (text.startsWith('\x89PNG')) return ASSET_FORMATS.png
  if (text.startsWith('\xff\xd8\xff')) return ASSET_FORMATS.jpeg
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return ASSET_FORMATS.webp
  if (text.startsWith('GIF8')) return ASSET_FORMATS.gif
  if (/^.{4}ftypavi[fs]/s.test(text)) return ASSET_FORMATS.avif
  throw new AssetTrouble(unknown(file.name, text))
}

function unknown(name: string, text: string): string {
  if (/^;\s*FBX/.test(text)) return `“${name}” is a text (ASCII) FBX file. Save it as binary FBX.`
  if (ending(name) === 'gltf') return `“${name}” is split into several files. Save the model as a single VRM file.`
  if (/^vrma?$/.test(ending(name))) return `“${name}” is not a ${ending(name).toUpperCase()} file, although it is named like one. Was the download complete?`
  if (ending(name) === 'fbx') return `“${name}” is not an FBX file, although it is named like one.`
  if (PICTURE_NAME.test(name)) return `“${name}” is not a picture, although it is named like one.`
  return `“${name}” is not an avatar, an animation or a picture. You can add VRM, VRMA and FBX files, and PNG, JPEG, WebP, AVIF and GIF pictures.`
}

const JSON_CHUNK = 0x4e4f534a
const HEAD = 20

/** Determines from the JSON chunk of a binary glTF whether it contains an avatar or an animation. */
async function gltf(file: File, head: DataView): Promise<AssetFormat> {
  const broken = new AssetTrouble(`“${file.name}” is damaged or incomplete. Download it again.`)
  if (head.byteLength < HEAD || head.getUint32(4, true) !== 2) throw broken
  const [length, described] = [head.getUint32(8, true), head.getUint32(12, true)]
  if (file.size < length || HEAD + described > length || head.getUint32(16, true) !== JSON_CHUNK) throw broken
  const named = extensions(await file.slice(HEAD, HEAD + described).text())
  if (!named) throw broken
  if (named.has('VRMC_vrm') || named.has('VRM')) return ASSET_FORMATS.vrm
  if (named.has('VRMC_vrm_animation')) return ASSET_FORMATS.vrma
  throw new AssetTrouble(`“${file.name}” is a 3D model but not a VRM: it does not describe a skeleton and a face.`)
}

function extensions(text: string): Set<string> | null {
  try {
    const { extensions = {}, extensionsUsed = [] } = JSON.parse(text) as { extensions?: object; extensionsUsed?: unknown }
    return new Set([...Object.keys(extensions), ...(Array.isArray(extensionsUsed) ? extensionsUsed.map(String) : [])])
  } catch {
    return null
  }
}
