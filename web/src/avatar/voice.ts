import type { Viseme } from '@/api/protocol.gen'
import { type Cue, onCue } from '@/body/cues'
import { fromSound, fromVisemes, type SoundLevels, type Mouth } from './behaviour/lips'

type AudioCue = Extract<Cue, { action: 'audio' }>

interface Sound {
  begin: number
  end: number
  visemes: Viseme[]
}

const GESTURES = ['pointerdown', 'keydown'] as const
/** The time after which a sound that waited for a user gesture is too late to be played. */
const STALE_MS = 20_000

/** The avatar's speech on this page: sounds are played one after another in the order of their arrival. */
class Voice {
  private context: AudioContext | null = null
  private analyser: AnalyserNode | null = null
  private queue = Promise.resolve()
  private sounds: Sound[] = []

  say({ data, visemes }: AudioCue): void {
    const came = performance.now()
    this.queue = this.queue.then(() => this.play(data, visemes, came)).catch(() => {
      // A broken sound is skipped; the text of the reply is on the page anyway.
    })
  }

  /** The current mouth shape, or null while the avatar is silent. */
  mouth(): Mouth | null {
    const { context } = this
    if (!context || this.sounds.length === 0) return null
    const now = context.currentTime - (context.outputLatency || 0)
    this.sounds = this.sounds.filter(({ end }) => end > now)
    const sound = this.sounds.find(({ begin }) => begin <= now)
    if (!sound) return this.sounds.length > 0 ? fromVisemes([], 0) : null
    return sound.visemes.length > 0 ? fromVisemes(sound.visemes, now - sound.begin) : fromSound(this.heard())
  }

  private async play(data: string, visemes: Viseme[], came: number): Promise<void> {
    const context = this.open()
    const buffer = await context.decodeAudioData(bytesOf(data))
    if (context.state !== 'running') await this.allowed(context)
    if (performance.now() - came > STALE_MS) return
    const source = context.createBufferSource()
    source.buffer = buffer
    source.connect(this.analyser ?? context.destination)
    const begin = Math.max(context.currentTime, this.sounds.at(-1)?.end ?? 0)
    this.sounds.push({ begin, end: begin + buffer.duration, visemes })
    source.start(begin)
  }

  private open(): AudioContext {
    if (this.context && this.analyser) return this.context
    this.context = new AudioContext()
    this.analyser = this.context.createAnalyser()
    this.analyser.fftSize = 1024
    this.analyser.connect(this.context.destination)
    return this.context
  }

  /** Waits until audio may play: browsers block it before the first user gesture. */
  private allowed(context: AudioContext): Promise<void> {
    return new Promise((resolve) => {
      const tryIt = () => void context.resume()
      const running = () => {
        if (context.state !== 'running') return
        for (const gesture of GESTURES) window.removeEventListener(gesture, tryIt, true)
        context.removeEventListener('statechange', running)
        resolve()
      }
      for (const gesture of GESTURES) window.addEventListener(gesture, tryIt, true)
      context.addEventListener('statechange', running)
      tryIt()
      running()
    })
  }

  private heard(): SoundLevels {
    const { analyser, context } = this
    if (!analyser || !context) return { level: 0, low: 0, mid: 0, high: 0 }
    const wave = new Float32Array(analyser.fftSize)
    analyser.getFloatTimeDomainData(wave)
    const level = Math.sqrt(wave.reduce((sum, value) => sum + value * value, 0) / wave.length)
    const bands = new Uint8Array(analyser.frequencyBinCount)
    analyser.getByteFrequencyData(bands)
    const width = context.sampleRate / analyser.fftSize
    const energy = (from: number, to: number) => bands.slice(Math.floor(from / width), Math.ceil(to / width)).reduce((sum, value) => sum + value, 0) / 255
    return { level, low: energy(80, 500), mid: energy(500, 1700), high: energy(1700, 5000) }
  }
}

function bytesOf(base64: string): ArrayBuffer {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer
}

/** The one voice of the page, shared by all views of the avatar. */
export const voice = new Voice()

onCue((cue) => {
  if (cue.action === 'audio') voice.say(cue)
})
