import { type VRM, VRMLoaderPlugin, VRMUtils } from '@pixiv/three-vrm'
import { type BufferGeometry, type Material, type Mesh, type Object3D, type SkinnedMesh, type Texture } from 'three'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
import { selfContainedManager } from './selfContained'

/** Reads a VRM of version 0 or 1 and turns it to face the viewer. */
export async function parseBody(bytes: ArrayBuffer): Promise<VRM> {
  const loader = new GLTFLoader(selfContainedManager())
  loader.register((parser) => new VRMLoaderPlugin(parser))
  const { scene, userData } = await loader.parseAsync(bytes, '').catch((cause: unknown) => {
    throw new Error('It is not a 3D model that can be read.', { cause })
  })
  const vrm = userData['vrm'] as VRM | undefined
  if (!vrm) {
    disposeOf(scene)
    throw new Error('It is a 3D model but not a VRM: it has no bones with known names.')
  }
  VRMUtils.removeUnnecessaryVertices(scene)
  VRMUtils.combineSkeletons(scene)
  VRMUtils.combineMorphs(vrm)
  VRMUtils.rotateVRM0(vrm)
  scene.traverse((part) => {
    // Bounding boxes of moving parts are those of the T-pose, so culling would drop a raised hand.
    part.frustumCulled = false
  })
  scene.updateMatrixWorld(true)
  return vrm
}

/** Releases all GPU resources of an object. */
export function disposeOf(root: Object3D): void {
  const geometries = new Set<BufferGeometry>()
  const materials = new Set<Material>()
  const textures = new Set<Texture>()
  root.traverse((part) => {
    const mesh = part as Partial<Mesh> & Partial<SkinnedMesh>
    if (mesh.geometry) geometries.add(mesh.geometry)
    if (mesh.skeleton) mesh.skeleton.dispose()
    for (const material of [mesh.material ?? []].flat()) materials.add(material)
  })
  for (const material of materials) for (const texture of texturesOf(material)) textures.add(texture)
  for (const texture of textures) {
    texture.dispose()
    const picture: unknown = texture.source.data
    if (typeof ImageBitmap !== 'undefined' && picture instanceof ImageBitmap) picture.close()
  }
  for (const each of [...geometries, ...materials]) each.dispose()
}

function texturesOf(material: Material): Texture[] {
  const uniforms = (material as { uniforms?: Record<string, { value: unknown }> }).uniforms ?? {}
  const values: unknown[] = [...Object.values(material), ...Object.values(uniforms).map(({ value }) => value)]
  return values.filter((value): value is Texture => (value as Texture | null)?.isTexture === true)
}
