import {
  Box3, DirectionalLight, Group, HemisphereLight, type Mesh, type Material, Mesh as MeshOf, PCFShadowMap, PerspectiveCamera, PlaneGeometry,
  Raycaster, Scene as World, ShadowMaterial, Sphere, Vector3, WebGLRenderer,
} from 'three'
import type { Theme } from '@/widgets/theme'
import { mesh } from './meshes'
import type { Scene } from './read'

/** The position of a label in pixels, or null if it is out of view. */
export type LabelSpot = { x: number; y: number; covered: boolean } | null

interface Watchers {
  onLabels: (spots: LabelSpot[]) => void
  onLost: () => void
}

const FIELD = 30
const SLOWEST_TURN_MS = 18_000
/** Radians per pixel of a drag. */
const PACE = 0.008
/** The maximum number of labels that stay readable and can be updated while the scene turns. */
export const MOST_LABELS = 40
/**
 * The number of frames between checks for covered labels. Another check follows when the scene stands still.
 */
const LOOK_EVERY = 10
const REST_MS = 150
const START = { around: -0.62, down: 1.16, near: 1 }

/** A scene on a canvas. It is drawn only while visible and only after a change. */
export class SceneRenderer {
  private readonly renderer: WebGLRenderer
  private readonly world = new World()
  private readonly shapes = new Group()
  private readonly camera = new PerspectiveCamera(FIELD, 1, 0.01, 1000)
  private readonly sky = new HemisphereLight()
  private readonly moon = new DirectionalLight('#f1f3ff')
  private readonly lamp = new DirectionalLight('#ffd9a8')
  private readonly ground: MeshOf<PlaneGeometry, ShadowMaterial>
  private readonly bounds = new Sphere()
  private readonly anchors: { mesh: Mesh; at: Vector3; covered: boolean }[] = []
  private readonly canvas: HTMLCanvasElement
  private readonly watchers: Watchers
  private readonly lost: (event: Event) => void
  private angle = { ...START }
  private turning = false
  private seen = true
  private frame = 0
  private last = 0
  private drawn = 0
  private rest: ReturnType<typeof setTimeout> | undefined

  /** Opens a canvas. Returns null if the browser has no WebGL. */
  static open(canvas: HTMLCanvasElement, scene: Scene, watchers: Watchers): SceneRenderer | null {
    const context = canvas.getContext('webgl2', { alpha: true, antialias: true, powerPreference: 'low-power' })
    return context && !context.isContextLost() ? new SceneRenderer(canvas, context, scene, watchers) : null
  }

  private constructor(canvas: HTMLCanvasElement, context: WebGL2RenderingContext, scene: Scene, watchers: Watchers) {
    this.canvas = canvas
    this.watchers = watchers
    this.renderer = new WebGLRenderer({ canvas, context, alpha: true, antialias: true })
    this.renderer.setClearColor(0x000000, 0)
    this.renderer.shadowMap.enabled = true
    this.renderer.shadowMap.type = PCFShadowMap
    this.ground = new MeshOf(new PlaneGeometry(1, 1).rotateX(-Math.PI / 2), new ShadowMaterial({ opacity: 0.4 }))
    this.ground.receiveShadow = true
    this.world.add(this.shapes, this.sky, this.moon, this.moon.target, this.lamp, this.lamp.target, this.ground)
    this.fill(scene)
    this.light()
    this.lost = (event) => {
      event.preventDefault()
      this.setSeen(false)
      watchers.onLost()
    }
    canvas.addEventListener('webglcontextlost', this.lost)
  }

  private fill(scene: Scene): void {
    scene.shapes.shown.forEach((shape, index) => {
      const made = mesh(shape, index)
      this.shapes.add(made)
      if (shape.label && this.anchors.length < MOST_LABELS) this.anchors.push({ mesh: made, at: new Vector3(), covered: false })
    })
    this.shapes.updateMatrixWorld(true)
    for (const anchor of this.anchors) {
      const box = new Box3().setFromObject(anchor.mesh)
      box.getCenter(anchor.at).setY(box.max.y)
    }
    // Planes are left out of the framing: a wide floor is not what the user looks at.
    const solid = scene.shapes.shown.flatMap((shape, index) => (shape.kind === 'plane' ? [] : [this.shapes.children[index]]))
    const box = new Box3()
    for (const part of solid.length > 0 ? solid : this.shapes.children) if (part) box.expandByObject(part)
    box.getBoundingSphere(this.bounds)
    this.bounds.radius = Math.max(this.bounds.radius, 1e-4)
    const whole = new Box3().setFromObject(this.shapes)
    this.ground.position.set(this.bounds.center.x, whole.min.y - this.bounds.radius * 0.004, this.bounds.center.z)
    this.ground.scale.setScalar(this.bounds.radius * 14)
  }

  /**
   * Aims the lights: moonlight from high on the left and a warm lamp from low on the right. They follow the
   * camera, so that objects turn in the light.
   */
  private aim(): void {
    const { center, radius } = this.bounds
    this.moon.position.setFromSphericalCoords(radius * 4, 0.72, this.angle.around - 1.05).add(center)
    this.lamp.position.setFromSphericalCoords(radius * 4, 1.25, this.angle.around + 1.35).add(center)
  }

  private light(): void {
    const { center, radius } = this.bounds
    this.moon.target.position.copy(center)
    this.lamp.target.position.copy(center)
    const { shadow } = this.moon
    this.moon.castShadow = true
    shadow.mapSize.set(2048, 2048)
    shadow.radius = 7
    shadow.bias = -0.0004
    shadow.normalBias = radius * 0.006
    const { camera } = shadow
    camera.left = camera.bottom = -radius * 2.2
    camera.right = camera.top = radius * 2.2
    camera.near = radius * 0.2
    camera.far = radius * 9
    camera.updateProjectionMatrix()
  }

  setTheme(theme: Theme): void {
    const night = theme === 'dark'
    this.sky.color.set(night ? '#d3daf4' : '#ffffff')
    this.sky.groundColor.set(night ? '#57516e' : '#d8d5e4')
    this.sky.intensity = night ? 1.35 : 1.9
    this.moon.intensity = night ? 2.2 : 1.7
    this.lamp.intensity = night ? 0.8 : 0.4
    this.ground.material.opacity = night ? 0.42 : 0.16
    this.draw()
  }

  setSize(width: number, height: number): void {
    if (width === 0 || height === 0) return
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio || 1))
    this.renderer.setSize(width, height, false)
    this.camera.aspect = width / height
    this.draw()
  }

  turn(dx: number, dy: number): void {
    this.angle.around -= dx * PACE
    this.angle.down = Math.min(Math.PI / 2 + 0.25, Math.max(0.12, this.angle.down - dy * PACE))
    this.draw()
  }

  zoom(factor: number): void {
    this.angle.near = Math.min(4, Math.max(0.4, this.angle.near * factor))
    this.draw()
  }

  home(): void {
    this.angle = { ...START }
    this.draw()
  }

  setTurning(turning: boolean): void {
    this.turning = turning
    this.last = 0
    this.draw()
  }

  /** Starts or stops drawing as the canvas comes into or out of sight. */
  setSeen(seen: boolean): void {
    this.seen = seen
    this.last = 0
    if (seen) this.draw()
    else {
      cancelAnimationFrame(this.frame)
      clearTimeout(this.rest)
      this.frame = 0
    }
  }

  private draw(): void {
    if (this.frame !== 0 || !this.seen) return
    this.frame = requestAnimationFrame((now) => {
      this.frame = 0
      if (this.turning) {
        if (this.last !== 0) this.angle.around -= (Math.min(100, now - this.last) / SLOWEST_TURN_MS) * 2 * Math.PI
        this.last = now
      }
      this.render()
      if (this.drawn % LOOK_EVERY === 0) this.lookForCovers()
      this.drawn += 1
      this.watchers.onLabels(this.labelSpots())
      this.settle()
      if (this.turning) this.draw()
    })
  }

  /** Updates the labels once nothing has moved for a moment. */
  private settle(): void {
    clearTimeout(this.rest)
    if (this.anchors.length === 0) return
    this.rest = setTimeout(() => {
      this.lookForCovers()
      this.watchers.onLabels(this.labelSpots())
    }, REST_MS)
  }

  private render(): void {
    const { around, down, near } = this.angle
    const { center, radius } = this.bounds
    const half = (FIELD / 2) * (Math.PI / 180)
    // On a narrow screen the scene must fit its width.
    const narrow = Math.atan(Math.tan(half) * Math.min(1, this.camera.aspect))
    const distance = (radius * 1.2) / Math.sin(narrow) / near
    this.camera.position.setFromSphericalCoords(distance, down, around).add(center)
    this.camera.lookAt(center)
    this.camera.near = Math.max(radius * 0.01, distance - radius * 6)
    this.camera.far = distance + radius * 12
    this.camera.updateProjectionMatrix()
    this.camera.updateMatrixWorld()
    this.aim()
    this.renderer.render(this.world, this.camera)
  }

  /**
   * Checks which labels are covered. Each check tests all shapes for every label, which is too expensive for
   * every frame.
   */
  private lookForCovers(): void {
    const ray = new Raycaster()
    for (const anchor of this.anchors) {
      const way = anchor.at.clone().sub(this.camera.position)
      const far = way.length()
      ray.set(this.camera.position, way.normalize())
      const hit = ray.intersectObjects(this.shapes.children, false)[0]
      anchor.covered = hit !== undefined && hit.distance < far - this.bounds.radius * 0.05
    }
  }

  private labelSpots(): LabelSpot[] {
    const { clientWidth, clientHeight } = this.canvas
    return this.anchors.map(({ at, covered }) => {
      const seen = at.clone().project(this.camera)
      if (seen.z > 1 || Math.abs(seen.x) > 1 || Math.abs(seen.y) > 1) return null
      return { x: ((seen.x + 1) / 2) * clientWidth, y: ((1 - seen.y) / 2) * clientHeight, covered }
    })
  }

  /** Renders the current view with its visible labels on the given background colour. */
  picture(ground: string, ink: string, labels: string[]): Promise<Blob | null> {
    this.render()
    this.lookForCovers()
    const picture = document.createElement('canvas')
    picture.width = this.canvas.width
    picture.height = this.canvas.height
    const ctx = picture.getContext('2d')
    if (!ctx) return Promise.resolve(null)
    ctx.fillStyle = ground
    ctx.fillRect(0, 0, picture.width, picture.height)
    ctx.drawImage(this.canvas, 0, 0)
    const sharp = this.canvas.width / Math.max(1, this.canvas.clientWidth)
    ctx.scale(sharp, sharp)
    ctx.font = '500 13px Geist, system-ui, sans-serif'
    ctx.textAlign = 'center'
    ctx.fillStyle = ink
    this.labelSpots().forEach((spot, index) => {
      if (spot && !spot.covered) ctx.fillText(labels[index] ?? '', spot.x, spot.y - 10)
    })
    return new Promise((resolve) => picture.toBlob(resolve, 'image/png'))
  }

  dispose(): void {
    this.setSeen(false)
    this.canvas.removeEventListener('webglcontextlost', this.lost)
    this.world.traverse((part) => {
      if (!(part instanceof MeshOf)) return
      part.geometry.dispose()
      const material = part.material as Material
      material.dispose()
    })
    this.moon.shadow.dispose()
    this.renderer.dispose()
    // Browsers allow a page few WebGL contexts, so this one is released at once and not at the next garbage
    // collection.
    if (!this.renderer.getContext().isContextLost()) this.renderer.forceContextLoss()
  }
}
