import type { AnimationClip } from 'three'
import type { AnimationFormat, AnimationInfo } from '@/api/protocol.gen'
import type { Body } from './body'
import { fetchBytes } from './bytes'
import type { Motion } from './motion/motion'
import { readVrma } from './motion/vrma'

const motions = new Map<string, Promise<Motion>>()

async function read(url: string, format: AnimationFormat): Promise<Motion> {
  const bytes = await fetchBytes(url)
  if (format === 'vrma') return readVrma(bytes)
  const { readFbx } = await import('./motion/fbx')
  return readFbx(bytes)
}

/** It belongs to no body, so each is read once. The address changes with the file. */
function motionAt({ url, format }: AnimationInfo): Promise<Motion> {
  const known = motions.get(url)
  if (known) return known
  const motion = read(url, format)
  motions.set(url, motion)
  motion.catch(() => motions.delete(url))
  return motion
}

const key = (name: string) => name.toLowerCase()

/** What one body can do, by name. */
export class Repertoire {
  private readonly body: Body
  private readonly known = new Map<string, AnimationInfo[]>()
  private readonly clips: Map<string, AnimationClip>
  private readonly onBroken: (name: string, why: string) => void

  /** What was made for the same body before is kept. */
  constructor(body: Body, animations: AnimationInfo[], onBroken: (name: string, why: string) => void, before: Repertoire | null) {
    this.body = body
    this.onBroken = onBroken
    this.clips = before?.body === body ? before.clips : new Map<string, AnimationClip>()
    for (const info of animations) {
      const alike = this.known.get(key(info.name)) ?? []
      // A file of the user stands before hers, which is there where theirs is broken.
      if (info.own) alike.push(info)
      else alike.unshift(info)
      this.known.set(key(info.name), alike)
    }
  }

  /** The animation beneath all others. What was made before holds on to another one, where this is new. */
  async learnIdle(fades: boolean): Promise<void> {
    const idle = await this.clip('idle')
    if (!idle || !this.body.setIdle(idle, fades)) return
    const mine = [...this.clips].find(([, clip]) => clip === idle)
    this.clips.clear()
    if (mine) this.clips.set(...mine)
  }

  has(name: string): boolean {
    return this.known.has(key(name))
  }

  loops(name: string): boolean {
    return this.known.get(key(name))?.[0]?.looped ?? false
  }

  /** Null where there is none, or none that can be read. */
  async clip(name: string): Promise<AnimationClip | null> {
    for (const info of this.known.get(key(name)) ?? []) {
      const made = this.clips.get(info.url)
      if (made) return made
      try {
        const clip = this.body.clip(key(name), await motionAt(info))
        this.clips.set(info.url, clip)
        return clip
      } catch (error) {
        this.onBroken(info.name, error instanceof Error ? error.message : String(error))
      }
    }
    return null
  }
}
