import type { AnimationInfo, AssetKind, BackgroundList, BodyReport } from '@/api/protocol.gen'
import { stem } from './recognise'

/** An existing file that has the same name or conflicts with it. */
export interface NameConflict {
  filename: string
  /** True for a built-in one, which is not lost: the added file takes precedence over it. */
  own: boolean
}

export interface ExistingAssets {
  body: BodyReport | null
  animations: AnimationInfo[]
  backgrounds: BackgroundList | null
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

export function fileOf({ name, format }: Pick<AnimationInfo, 'name' | 'format'>): string {
  return `${name}.${format}`
}

/**
 * Finds the existing file that conflicts with a name. Animations are addressed without their extension, so
 * two that differ only in it conflict.
 */
export function nameConflict(kind: AssetKind, filename: string, { body, animations, backgrounds }: ExistingAssets): NameConflict | null {
  if (kind === 'anims') {
    const found = animations.find(({ name }) => same(name, stem(filename)))
    return found ? { filename: fileOf(found), own: found.own } : null
  }
  const names = kind === 'models' ? body?.models.map((model) => model.filename) : backgrounds?.backgrounds.filter(({ url }) => url !== null).map((picture) => picture.filename)
  const found = names?.find((name) => same(name, filename))
  return found === undefined ? null : { filename: found, own: false }
}

/** Returns the first free name among `alice 2.vrm`, `alice 3.vrm` …. */
export function freeAssetName(kind: AssetKind, filename: string, known: ExistingAssets): string {
  const end = filename.slice(stem(filename).length)
  const base = stem(filename).replace(/ \d{1,3}$/, '')
  for (let number = 2; ; number += 1) {
    const candidate = `${base} ${number}${end}`
    if (nameConflict(kind, candidate, known) === null) return candidate
  }
}
