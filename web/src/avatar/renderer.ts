import {
  AmbientLight, CanvasTexture, DirectionalLight, type Group, Mesh, MeshBasicMaterial, PerspectiveCamera, PlaneGeometry, Scene, Vector3, WebGLRenderer,
} from 'three'
import type { Theme } from '@/widgets/theme'
import { clamp, smooth } from './behaviour/ease'
import { FIELD_OF_VIEW, type Framing, type Shot, shotOf } from './framing'
import type { Measures } from './measure'
import { type Quality, LEVELS, levelOf } from './quality'

/** Seconds that the change from one framing to another takes, as for views. */
const MOVE = 0.32

/** The scene around the avatar: light, camera, a shadow at the feet, and a transparent background. */
export class AvatarRenderer {
  readonly renderer: WebGLRenderer
  private readonly world = new Scene()
  private readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100)
  private readonly sky = new AmbientLight()
  private readonly moon = new DirectionalLight()
  private readonly shadow = new Mesh(new PlaneGeometry(1, 1).rotateX(-Math.PI / 2), new MeshBasicMaterial({ transparent: true, depthWrite: false }))
  private framing: Framing = 'bust'
  private measures: Measures | null = null
  private from: Shot | null = null
  private moved = MOVE
  private shown: Group | null = null
  private size = { width: 0, height: 0 }
  private quality = LEVELS[levelOf('high')] as Quality
  /** True if something around the avatar has changed since the last drawing. */
  stale = true
  /** True if WebGL is rendered in software, without a graphics card. */
  readonly software: boolean

  /** Opens a canvas. Returns null if the browser has no WebGL. */
  static open(canvas: HTMLCanvasElement): AvatarRenderer | null {
    // Antialiasing can only be chosen on creation, and costs software rendering a third of the drawing time.
    const antialias = !(software ??= isSoftware())
    const context = canvas.getContext('webgl2', { alpha: true, antialias, powerPreference: 'low-power', premultipliedAlpha: true })
    return context && !context.isContextLost() ? new AvatarRenderer(canvas, context, software) : null
  }

  private constructor(canvas: HTMLCanvasElement, context: WebGL2RenderingContext, software: boolean) {
    this.software = software
    this.renderer = new WebGLRenderer({ canvas, context, alpha: true, antialias: !software })
    this.renderer.setClearColor(0x000000, 0)
    this.moon.position.set(-0.5, 1.1, 1.6)
    this.shadow.material.map = softDisc()
    this.shadow.position.y = 0.001
    this.shadow.visible = false
    this.world.add(this.sky, this.moon, this.shadow)
    this.setTheme('dark')
  }

  setTheme(theme: Theme): void {
    const night = theme === 'dark'
    // Together the lights must not exceed white, or the markings on the face disappear.
    this.moon.color.set(night ? '#f4f2ff' : '#ffffff')
    this.moon.intensity = 2.6
    this.sky.color.set(night ? '#c9d0ff' : '#e4e6ff')
    this.sky.intensity = night ? 0.75 : 0.7
    this.shadow.material.color.set(night ? '#0b0a1e' : '#3a2f78')
    this.shadow.material.opacity = night ? 0.5 : 0.3
    this.stale = true
  }

  setQuality(quality: Quality): void {
    this.quality = quality
    this.fit()
  }

  setSize(width: number, height: number): void {
    this.size = { width, height }
    this.fit()
  }

  private fit(): void {
    const { width, height } = this.size
    if (width === 0 || height === 0) return
    this.renderer.setPixelRatio(Math.min(this.quality.pixelRatio, devicePixelRatio || 1))
    this.renderer.setSize(width, height, false)
    this.camera.aspect = width / height
    this.shadow.visible = this.quality.shadows && this.shown !== null
    this.stale = true
  }

  setFraming(framing: Framing, atOnce: boolean): void {
    if (framing === this.framing) return
    this.from = this.shot()
    this.moved = atOnce ? MOVE : 0
    this.framing = framing
    this.stale = true
  }

  /** Shows a body in place of the previous one. */
  show(shown: Group, measures: Measures): void {
    this.shown?.removeFromParent()
    this.shown = shown
    this.measures = measures
    this.moved = MOVE
    this.world.add(shown)
    this.shadow.scale.set(measures.bodyHalf * 2.1, 1, measures.bodyHalf * 1.3)
    this.fit()
  }

  get moving(): boolean {
    return this.moved < MOVE
  }

  private shot(): Shot | null {
    if (!this.measures) return null
    const goal = shotOf(this.framing, this.measures, this.camera.aspect)
    if (!this.from || this.moved >= MOVE) return goal
    const part = smooth(this.moved / MOVE)
    return { y: this.from.y + (goal.y - this.from.y) * part, distance: this.from.distance + (goal.distance - this.from.distance) * part }
  }

  /**
   * Draws the scene. `feet` is the position of the shadow, `lifted` the height of the avatar above the
   * ground.
   */
  draw(dt: number, feet: Vector3, lifted: number): void {
    this.moved = Math.min(MOVE, this.moved + dt)
    const shot = this.shot()
    if (!shot || this.size.width === 0 || this.size.height === 0) return
    const { near, far } = { near: Math.max(0.01, shot.distance - 3), far: shot.distance + 6 }
    Object.assign(this.camera, { near, far })
    this.camera.position.set(0, shot.y + shot.distance * 0.02, shot.distance)
    this.camera.lookAt(0, shot.y, 0)
    this.camera.updateProjectionMatrix()
    this.shadow.position.set(feet.x, 0.001, feet.z)
    const height = this.measures?.hips ?? 1
    this.shadow.scale.setScalar((this.measures?.bodyHalf ?? 0.3) * 2.1 * clamp(1 - lifted / height, 0.4, 1))
    this.shadow.scale.z *= 0.6
    this.renderer.render(this.world, this.camera)
    this.stale = this.moving
  }

  /** Waits until the picture is finished: drivers queue commands long before they execute them. */
  finish(): void {
    const gl = this.renderer.getContext()
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4))
  }

  /** Returns the position on the page of a point in the scene. */
  pixelOf(point: Vector3): { x: number; y: number } {
    const { left, top, width, height } = this.renderer.domElement.getBoundingClientRect()
    const seen = point.clone().project(this.camera)
    return { x: left + ((seen.x + 1) / 2) * width, y: top + ((1 - seen.y) / 2) * height }
  }

  dispose(): void {
    this.shadow.geometry.dispose()
    this.shadow.material.map?.dispose()
    this.shadow.material.dispose()
    this.renderer.dispose()
    // Browsers allow a page few WebGL contexts, so this one is released at once and not at the next garbage
    // collection.
    if (!this.renderer.getContext().isContextLost()) this.renderer.forceContextLoss()
  }
}

/** The cached result of `isSoftware`. */
let software: boolean | null = null

function isSoftware(): boolean {
  const context = document.createElement('canvas').getContext('webgl2')
  if (!context) return false
  let name = String(context.getParameter(context.RENDERER))
  // Chromium and Safari reveal the renderer's name only through an extension.
  const more = /^WebKit/.test(name) ? context.getExtension('WEBGL_debug_renderer_info') : null
  if (more) name = String(context.getParameter(more.UNMASKED_RENDERER_WEBGL))
  context.getExtension('WEBGL_lose_context')?.loseContext()
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name)
}

/** Creates the shadow texture: opaque in the middle, transparent at the rim. */
function softDisc(): CanvasTexture {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 128
  const ctx = canvas.getContext('2d')
  if (ctx) {
    const light = ctx.createRadialGradient(64, 64, 0, 64, 64, 64)
    light.addColorStop(0, 'rgb(255 255 255 / 1)')
    light.addColorStop(0.35, 'rgb(255 255 255 / 0.62)')
    light.addColorStop(1, 'rgb(255 255 255 / 0)')
    ctx.fillStyle = light
    ctx.fillRect(0, 0, 128, 128)
  }
  return new CanvasTexture(canvas)
}
