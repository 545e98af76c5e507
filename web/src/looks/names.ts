import type { AnimationInfo, AssetKind, BackgroundList, BodyReport } from '@/api/protocol.gen'
import { stem } from './recognise'

/** What is there already under a name, or in its way. */
export interface Namesake {
  filename: string
  /** One of hers, which is not lost: the file goes before it. */
  own: boolean
}

export interface Known {
  body: BodyReport | null
  animations: AnimationInfo[]
  backgrounds: BackgroundList | null
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

export function fileOf({ name, format }: Pick<AnimationInfo, 'name' | 'format'>): string {
  return `${name}.${format}`
}

/** Animations are called by their names without the ending, so that two of one name cannot be told apart. */
export function namesake(kind: AssetKind, filename: string, { body, animations, backgrounds }: Known): Namesake | null {
  if (kind === 'anims') {
    const found = animations.find(({ name }) => same(name, stem(filename)))
    return found ? { filename: fileOf(found), own: found.own } : null
  }
  const names = kind === 'models' ? body?.models.map((model) => model.filename) : backgrounds?.backgrounds.filter(({ url }) => url !== null).map((picture) => picture.filename)
  const found = names?.find((name) => same(name, filename))
  return found === undefined ? null : { filename: found, own: false }
}

/** The first of `alice 2.vrm`, `alice 3.vrm` … that is free. */
export function freeName(kind: AssetKind, filename: string, known: Known): string {
  const end = filename.slice(stem(filename).length)
  const base = stem(filename).replace(/ \d{1,3}$/, '')
  for (let number = 2; ; number += 1) {
    const candidate = `${base} ${number}${end}`
    if (namesake(kind, candidate, known) === null) return candidate
  }
}
