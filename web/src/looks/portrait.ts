import { type VRM, type VRMHumanBoneName, VRMLoaderPlugin, VRMUtils } from '@pixiv/three-vrm'
import { AmbientLight, Box3, DirectionalLight, PerspectiveCamera, Scene, SRGBColorSpace, Vector3, WebGLRenderer } from 'three'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'

/** Draws a body once, standing at ease, and lets go of everything that this took. */
export async function portrait(bytes: ArrayBuffer, width: number, height: number): Promise<Blob> {
  const loader = new GLTFLoader()
  loader.register((parser) => new VRMLoaderPlugin(parser))
  const gltf = await loader.parseAsync(bytes, '')
  const vrm = gltf.userData['vrm'] as VRM | undefined
  if (!vrm) {
    VRMUtils.deepDispose(gltf.scene)
    throw new Error('There is no body in this file.')
  }
  VRMUtils.rotateVRM0(vrm)
  const canvas = document.createElement('canvas')
  let renderer: WebGLRenderer | null = null
  try {
    renderer = new WebGLRenderer({ canvas, alpha: true, antialias: true, preserveDrawingBuffer: true })
    renderer.setSize(width, height, false)
    renderer.outputColorSpace = SRGBColorSpace
    const scene = new Scene()
    const light = new DirectionalLight(0xffffff, Math.PI * 0.76)
    light.position.set(0.6, 1.2, 1.6)
    scene.add(vrm.scene, light, new AmbientLight(0xffffff, Math.PI * 0.18))
    standAtEase(vrm)
    vrm.update(0)
    vrm.springBoneManager?.reset()
    scene.updateMatrixWorld(true)
    renderer.render(scene, facing(vrm, width / height))
    return await picture(canvas)
  } finally {
    VRMUtils.deepDispose(vrm.scene)
    renderer?.dispose()
    renderer?.forceContextLoss()
  }
}

function picture(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The canvas gives no picture.'))), 'image/png')
  })
}

/** Bodies come with their arms stretched out. Which way is down depends on the kind of file, and is found by trying. */
function standAtEase(vrm: VRM): void {
  for (const side of ['left', 'right'] as const) {
    const arm = vrm.humanoid.getNormalizedBoneNode(`${side}UpperArm`)
    const hand = vrm.humanoid.getNormalizedBoneNode(`${side}Hand`)
    if (!arm || !hand) continue
    const height = (angle: number) => {
      arm.rotation.z = angle
      arm.updateWorldMatrix(true, true)
      return hand.getWorldPosition(new Vector3()).y
    }
    height(height(1.2) < height(-1.2) ? 1.2 : -1.2)
  }
  vrm.humanoid.update()
}

/** From the waist up, as one looks at somebody: the head in the upper third. */
function facing(vrm: VRM, aspect: number): PerspectiveCamera {
  const box = new Box3().setFromObject(vrm.scene)
  const at = (bone: VRMHumanBoneName) => vrm.humanoid.getRawBoneNode(bone)?.getWorldPosition(new Vector3()).y
  const top = box.max.y
  const waist = at('hips') ?? top * 0.5
  const low = waist - (top - waist) * 0.08
  const span = (top - low) * 1.08
  const camera = new PerspectiveCamera(20, aspect, 0.05, 50)
  const distance = span / 2 / Math.tan((10 * Math.PI) / 180)
  camera.position.set(0, (top + low) / 2, distance)
  camera.lookAt(0, (top + low) / 2, 0)
  return camera
}
