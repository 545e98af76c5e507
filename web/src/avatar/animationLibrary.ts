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

/** Loads a motion. It is independent of the body, so each URL is read once; the URL changes with the file. */
function motionAt({ url, format }: AnimationInfo): Promise<Motion> {
  const known = motions.get(url)
  if (known) return known
  const motion = read(url, format)
  motions.set(url, motion)
  motion.catch(() => motions.delete(url))
  return motion
}

const key = (name: string) => name.toLowerCase()

/** The animations available to one body, by name. */
export class AnimationLibrary {
  private readonly body: Body
  private readonly known = new Map<string, AnimationInfo[]>()
  private readonly clips: Map<string, AnimationClip>
  private readonly onBroken: (name: string, reason: string) => void

  /** Takes over the clips of `before` if they were made for the same body. */
  constructor(body: Body, animations: AnimationInfo[], onBroken: (name: string, reason: string) => void, before: AnimationLibrary | null) {
    this.body = body
    this.onBroken = onBroken
    this.clips = before?.body === body ? before.clips : new Map<string, AnimationClip>()
    for (const info of animations) {
      const alike = this.known.get(key(info.name)) ?? []
      // A user's file takes precedence over the built-in one, which is the fallback if the user's file is
      // broken.
      if (info.own) alike.push(info)
      else alike.unshift(info)
      this.known.set(key(info.name), alike)
    }
  }

  /**
   * Loads the idle animation. If it is new, all other clips are dropped, since they were completed with the
   * previous one.
   */
  async loadIdle(fades: boolean): Promise<void> {
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

  /** Returns the clip, or null if there is none or none can be read. */
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
