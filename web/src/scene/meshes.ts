import {
  BoxGeometry, type BufferGeometry, ConeGeometry, CylinderGeometry, DoubleSide, Mesh, MeshStandardMaterial, PlaneGeometry, SphereGeometry, TorusGeometry,
} from 'three'
import { RoundedBoxGeometry } from 'three/examples/jsm/geometries/RoundedBoxGeometry.js'
import { FLOOR, PALETTE } from './colours'
import type { Shape } from './read'

const ROUNDING = 0.035
const ROUND_SIDES = 64

/** Creates the geometry of a shape, scaled to its size. */
function geometry({ kind, size: [x, y, z] }: Shape): BufferGeometry {
  switch (kind) {
    case 'box': {
      const rounding = Math.min(x, y, z) * ROUNDING
      // Rounded edges catch the light, but a very thin box has no room for them.
      return Math.min(x, y, z) / Math.max(x, y, z) > 0.02 ? new RoundedBoxGeometry(x, y, z, 3, rounding) : new BoxGeometry(x, y, z)
    }
    case 'sphere':
      return new SphereGeometry(0.5, ROUND_SIDES, ROUND_SIDES / 2).scale(x, y, z)
    case 'cylinder':
      return new CylinderGeometry(0.5, 0.5, 1, ROUND_SIDES).scale(x, y, z)
    case 'cone':
      return new ConeGeometry(0.5, 1, ROUND_SIDES).scale(x, y, z)
    case 'torus':
      return new TorusGeometry(0.38, 0.12, 24, 96).scale(x, y, z)
    case 'plane':
      return new PlaneGeometry(x, z).rotateX(-Math.PI / 2)
  }
}

export function mesh(shape: Shape, index: number): Mesh {
  const colour = shape.colour ?? (shape.kind === 'plane' ? FLOOR : (PALETTE[index % PALETTE.length] as string))
  const material = new MeshStandardMaterial({ color: colour, roughness: 0.62, metalness: 0.04 })
  if (shape.kind === 'plane') material.side = DoubleSide
  const made = new Mesh(geometry(shape), material)
  made.position.set(...shape.position)
  const [rx, ry, rz] = shape.rotation.map((degrees) => (degrees * Math.PI) / 180) as [number, number, number]
  made.rotation.set(rx, ry, rz)
  made.castShadow = shape.kind !== 'plane'
  made.receiveShadow = true
  return made
}
