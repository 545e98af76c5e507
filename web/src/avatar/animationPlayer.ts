import { type AnimationAction, type AnimationClip, AnimationMixer, AnimationUtils, LoopOnce, LoopRepeat, type Object3D } from 'three'
import { blended, FADE } from './blend'

interface Layer {
  clip: AnimationClip
  action: AnimationAction
  weight: number
  once: boolean
  /** True for a copy of a clip that is still fading; it is removed with its layer. */
  spare: boolean
}

/** Plays a looping base animation and others over it, always with a fade. */
export class AnimationPlayer {
  private readonly mixer: AnimationMixer
  private readonly layers: Layer[] = []
  private breath: AnimationAction | null = null
  /** The animation to return to; by default the idle layer, which is the first. */
  private base: Layer | null = null
  private chosen: Layer | null = null

  constructor(root: Object3D) {
    this.mixer = new AnimationMixer(root)
  }

  /**
   * Sets the idle animation, which lies beneath all others; the previous one fades or is removed at once. Its
   * breathing tracks continue while another animation plays.
   */
  setIdle(clip: AnimationClip, breathing: (track: string) => boolean, fades: boolean): void {
    const [before] = this.layers
    if (!fades) this.stop()
    const idle = this.layer(clip, false)
    this.layers.unshift(...this.layers.splice(this.layers.indexOf(idle), 1))
    if (!before || !fades) idle.weight = 1
    if (!this.base || this.base === before) this.base = idle
    if (!this.chosen || this.chosen === before) this.chosen = idle
    this.breathe(clip, breathing)
    this.weigh()
  }

  private breathe(clip: AnimationClip, breathing: (track: string) => boolean): void {
    const before = this.breath?.getClip()
    const breath = clip.clone()
    breath.tracks = breath.tracks.filter(({ name }) => breathing(name))
    AnimationUtils.makeClipAdditive(breath)
    this.breath = this.mixer.clipAction(breath).setEffectiveWeight(0).play()
    if (before) this.mixer.uncacheClip(before)
  }

  /** Sets the animation that plays until another one is chosen; null is idle. */
  setBase(clip: AnimationClip | null): void {
    const [idle] = this.layers
    if (!idle || this.base?.clip === (clip ?? idle.clip)) return
    const wasShown = this.chosen === this.base
    this.base = clip ? this.find(clip) ?? this.layer(clip, false) : idle
    if (wasShown) this.chosen = this.base
  }

  playOnce(clip: AnimationClip): void {
    if (this.layers.length > 0) this.chosen = this.layer(clip, true)
  }

  /** True while a one-off animation plays or a fade is under way. */
  get busy(): boolean {
    return this.chosen !== this.base || (this.chosen?.weight ?? 1) < 1
  }

  /** The weight of each animation by name. */
  get weights(): Record<string, number> {
    const all: Record<string, number> = {}
    for (const { clip, weight } of this.layers) all[clip.name] = (all[clip.name] ?? 0) + weight
    return all
  }

  update(dt: number, pace: number): void {
    const { chosen, base } = this
    if (chosen?.once && chosen.clip.duration - chosen.action.time <= Math.min(FADE, chosen.clip.duration / 2)) this.chosen = base
    const index = this.chosen ? this.layers.indexOf(this.chosen) : -1
    if (index >= 0) blended(this.layers.map(({ weight }) => weight), index, dt).forEach((weight, i) => (this.layers[i] as Layer).weight = weight)
    this.weigh()
    this.layers[0]?.action.setEffectiveTimeScale(pace)
    this.breath?.setEffectiveTimeScale(pace)
    this.mixer.update(dt)
    for (const layer of this.layers.slice(1)) if (layer.weight <= 0 && layer !== this.chosen && layer !== this.base) this.drop(layer)
  }

  private weigh(): void {
    for (const { action, weight } of this.layers) action.setEffectiveWeight(weight)
    this.breath?.setEffectiveWeight(1 - (this.layers[0]?.weight ?? 1))
  }

  private find(clip: AnimationClip): Layer | undefined {
    return this.layers.find((layer) => layer.clip === clip && !layer.once)
  }

  private layer(clip: AnimationClip, once: boolean): Layer {
    const spare = this.layers.some((layer) => layer.clip === clip)
    const action = this.mixer.clipAction(spare ? clip.clone() : clip).reset()
    action.setLoop(once ? LoopOnce : LoopRepeat, once ? 1 : Infinity)
    action.clampWhenFinished = once
    action.setEffectiveWeight(0).play()
    const layer = { clip, action, weight: 0, once, spare }
    this.layers.push(layer)
    return layer
  }

  private drop(layer: Layer): void {
    layer.action.stop()
    this.layers.splice(this.layers.indexOf(layer), 1)
    if (layer.spare) this.mixer.uncacheClip(layer.action.getClip())
  }

  private stop(): void {
    this.mixer.stopAllAction()
    this.mixer.uncacheRoot(this.mixer.getRoot())
    this.layers.length = 0
    this.base = this.chosen = this.breath = null
  }

  dispose(): void {
    this.stop()
  }
}
