import type { VRM } from '@pixiv/three-vrm'
import { type Mesh, Vector3 } from 'three'

/** The measurements of a body at rest, in metres; heights are from the ground. */
export interface Measures {
  top: number
  /** The top of the head; ears, stalks and hats reach up to `top`. */
  crown: number
  /** The height at which the head begins. */
  head: number
  eyes: number
  hips: number
  /** Half the width of the head, and of the whole body with its arms down. */
  headHalf: number
  bodyHalf: number
  /** The height of a hand that is stretched up. */
  reach: number
  /** The height of the lowest foot bone. */
  soles: number
}

const FEET = ['leftFoot', 'rightFoot', 'leftToes', 'rightToes'] as const

export function measure(vrm: VRM): Measures {
  vrm.scene.updateMatrixWorld(true)
  const at = (bone: Parameters<typeof vrm.humanoid.getRawBoneNode>[0]) => {
    const node = vrm.humanoid.getRawBoneNode(bone)
    return node ? new Vector3().setFromMatrixPosition(node.matrixWorld) : null
  }
  const hips = at('hips')?.y ?? 1
  const head = at('head')?.y ?? hips * 1.6
  const { top, crown, headHalf } = outline(vrm, head)
  const joint = at('leftUpperArm')
  const shoulder = Math.abs(joint?.x ?? 0.15)
  const hand = Math.abs(at('leftHand')?.x ?? shoulder * 3)
  const offset = vrm.lookAt?.offsetFromHeadBone.y ?? 0
  const feet = FEET.flatMap((bone) => at(bone)?.y ?? [])
  return {
    top,
    crown,
    head,
    eyes: offset > 0.01 ? head + offset : head + (top - head) * 0.4,
    hips,
    headHalf,
    bodyHalf: Math.max(headHalf, shoulder + (hand - shoulder) * 0.5),
    reach: (joint?.y ?? head) + (hand - shoulder) * 1.2,
    soles: feet.length > 0 ? Math.min(...feet) : 0,
  }
}

/**
 * Returns the highest point, the half width of the head, and its top: above that, the outline is narrower
 * than half of the head.
 */
function outline(vrm: VRM, head: number): { top: number; crown: number; headHalf: number } {
  const points: { x: number; y: number }[] = []
  const point = new Vector3()
  vrm.scene.traverse((part) => {
    const mesh = part as Mesh
    const position = mesh.isMesh && mesh.geometry.attributes['position']
    if (!position) return
    for (let i = 0; i < position.count; i++) {
      mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld)
      if (point.y > head && Number.isFinite(point.x)) points.push({ x: Math.abs(point.x), y: point.y })
    }
  })
  const most = (values: number[], least: number) => values.reduce((best, value) => Math.max(best, value), least)
  const top = most(points.map(({ y }) => y), head * 1.08)
  // Held-out arms may be as high as the chin, so the lowest part of the head is skipped.
  const headHalf = most(points.flatMap(({ x, y }) => (y > head + (top - head) * 0.2 ? [x] : [])), 0) || head * 0.07
  const crown = most(points.flatMap(({ x, y }) => (x > headHalf * 0.5 ? [y] : [])), head + (top - head) * 0.5)
  return { top, crown, headHalf }
}
