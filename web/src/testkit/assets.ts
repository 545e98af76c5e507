import type { AnimationInfo, BackgroundList, BodyReport } from '@/api/protocol.gen'

/** Builds a binary glTF with this JSON, followed by `body` bytes and truncated by `cut`. */
export function glb(description: unknown, { cut = 0, body = 8 } = {}): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(typeof description === 'string' ? description : JSON.stringify(description))
  const bytes = new Uint8Array(20 + text.length + 8 + body)
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode('glTF'))
  view.setUint32(4, 2, true)
  view.setUint32(8, bytes.length, true)
  view.setUint32(12, text.length, true)
  view.setUint32(16, 0x4e4f534a, true)
  bytes.set(text, 20)
  return bytes.slice(0, bytes.length - cut)
}

export const VRM = { extensionsUsed: ['VRMC_vrm'], extensions: { VRMC_vrm: {} } }
export const VRM_0 = { extensions: { VRM: {} } }
export const VRMA = { extensionsUsed: ['VRMC_vrm_animation'] }
export const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0])

export function file(name: string, content: Uint8Array<ArrayBuffer> | string): File {
  return new File([content], name)
}

export function bodyReport(more: Partial<BodyReport> = {}): BodyReport {
  return {
    model: null, url: '/avatar.vrm?v=moon', palette: 'moon', models: [], trouble: null,
    palettes: ['moon', 'dawn', 'forest'].map((name) => ({ name, title: name, url: `/api/body/palettes/${name}?v=1`, colours: ['#ffffff', '#5f74f5'] })),
    ...more,
  }
}

export function modelFile(filename: string) {
  return { filename, url: `/api/assets/models/${filename}?v=1`, bytes: 585_000 }
}

export function animation(name: string, more: Partial<AnimationInfo> = {}): AnimationInfo {
  return { name, url: `/api/animations/${name}?v=1`, format: 'vrma', own: true, looped: false, ...more }
}

export function backgroundList(current = 'night', ...pictures: string[]): BackgroundList {
  return {
    current,
    backgrounds: [
      { filename: 'night', kind: 'sky', url: null },
      { filename: 'dusk', kind: 'sky', url: null },
      ...pictures.map((filename) => ({ filename, kind: 'picture' as const, url: `/api/assets/backgrounds/${filename}?v=1` })),
      { filename: '#10142b', kind: 'colour', url: null },
    ],
  }
}
