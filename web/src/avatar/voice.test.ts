import { beforeEach, expect, test, vi } from 'vitest'
import type { Viseme } from '@/api/protocol.gen'

/**
 * A fake AudioContext whose clock only moves when it is set. The first byte of a sound is its length in
 * seconds.
 */
class Sounds {
  static current: Sounds
  currentTime = 0
  outputLatency = 0
  sampleRate = 48_000
  state: 'running' | 'suspended' = 'running'
  readonly destination = {}
  readonly started: { at: number; seconds: number }[] = []
  private changed: () => void = () => {}

  constructor() {
    Sounds.current = this
  }
  createAnalyser() {
    const heard = { getFloatTimeDomainData: (wave: Float32Array) => wave.fill(0.5), getByteFrequencyData: (bands: Uint8Array) => bands.fill(200) }
    return { fftSize: 0, frequencyBinCount: 512, connect: () => {}, ...heard }
  }
  async decodeAudioData(bytes: ArrayBuffer) {
    const [seconds = 0] = new Uint8Array(bytes)
    if (seconds === 0) throw new Error('not a sound')
    return { duration: seconds }
  }
  createBufferSource() {
    const { started } = this
    return { buffer: { duration: 0 }, connect: () => {}, start(at: number) { started.push({ at, seconds: this.buffer.duration }) } }
  }
  addEventListener(_: string, listener: () => void) {
    this.changed = listener
  }
  removeEventListener() {}
  async resume() {
    if (!allowed) return
    this.state = 'running'
    this.changed()
  }
}

let allowed = true
const AA: Viseme[] = [{ at: 0, seconds: 1, shape: 'aa', weight: 1 }]

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('AudioContext', Sounds)
  allowed = true
})

/** Loads fresh modules, so that sounds of other tests do not interfere. */
async function speaker() {
  const { voice } = await import('./voice')
  const { cue } = await import('@/body/cues')
  const say = (seconds: number, visemes: Viseme[] = []) => cue({ action: 'audio', turnId: 't', data: btoa(String.fromCharCode(seconds)), text: '', visemes })
  return { voice, say }
}

test('sounds follow one another, and a broken one is left out', async () => {
  const { voice, say } = await speaker()
  expect(voice.mouth()).toBeNull()
  say(2, AA)
  say(0)
  say(3)
  await vi.waitFor(() => expect(Sounds.current.started).toEqual([{ at: 0, seconds: 2 }, { at: 2, seconds: 3 }]))
  Sounds.current.currentTime = 0.5
  expect(voice.mouth()?.aa).toBe(1)
  // The second sound has no visemes, so its loudness and timbre move the mouth.
  Sounds.current.currentTime = 3
  expect(voice.mouth()?.aa).toBeGreaterThan(0.1)
  Sounds.current.currentTime = 5.1
  expect(voice.mouth()).toBeNull()
})

test('a page that may make no sound yet waits for a hand', async () => {
  allowed = false
  const { say } = await speaker()
  const open = vi.spyOn(Sounds.prototype, 'decodeAudioData').mockImplementation(async function (this: Sounds) {
    if (this.started.length === 0) this.state = 'suspended'
    return { duration: 1 }
  })
  say(1)
  await vi.waitFor(() => expect(open).toHaveBeenCalled())
  await Promise.resolve()
  expect(Sounds.current.started).toHaveLength(0)
  allowed = true
  window.dispatchEvent(new Event('pointerdown'))
  await vi.waitFor(() => expect(Sounds.current.started).toHaveLength(1))
})
