import { fields, list, no, number, pick, type Problem, type PartialList, partialList, unquoted, textOf } from '@/widgets/lenient'
import { COLOUR_WORDS } from './colours'

export type ShapeKind = 'box' | 'sphere' | 'cylinder' | 'cone' | 'torus' | 'plane'
export type Vector = [x: number, y: number, z: number]

export interface Shape {
  kind: ShapeKind
  position: Vector
  size: Vector
  /** The rotation in degrees. */
  rotation: Vector
  /** `#rrggbb`, or null for the next colour of the palette. */
  colour: string | null
  label: string
}

export interface Scene {
  kind: 'scene'
  shapes: PartialList<Shape>
  turntable: boolean
  prompt: string
}

const MOST = 300
const FARTHEST = 10_000
const SMALLEST = 0.001

export function readScene(payload: unknown): Scene | Problem {
  const inner = unquoted(payload)
  const from = fields(inner)
  const shapes = partialList(list(pick(from, 'shapes', 'objects') ?? inner), MOST, readShape)
  if (shapes.shown.length === 0) return { problem: 'It has no shapes that can be drawn.' }
  return { kind: 'scene', shapes, turntable: !no(pick(from, 'turntable')), prompt: textOf(pick(from, 'prompt')) }
}

const KINDS: Record<string, ShapeKind> = {
  box: 'box', cube: 'box', cuboid: 'box', sphere: 'sphere', ball: 'sphere', cylinder: 'cylinder', cone: 'cone', pyramid: 'cone', torus: 'torus',
  ring: 'torus', donut: 'torus', plane: 'plane', ground: 'plane', floor: 'plane',
}

function readShape(value: unknown): Shape | null {
  const from = fields(value)
  const name = (from ? textOf(pick(from, 'kind', 'type', 'shape'), 20) : textOf(value, 20)).toLowerCase()
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined
  if (!kind) return null
  return {
    kind,
    position: vector(pick(from, 'position', 'pos'), 0, -FARTHEST, FARTHEST),
    size: size(pick(from, 'size', 'scale', 'radius'), kind),
    rotation: vector(pick(from, 'rotation'), 0, -36_000, 36_000),
    colour: colour(pick(from, 'color', 'colour')),
    label: textOf(pick(from, 'label', 'name'), 60),
  }
}

function vector(value: unknown, missing: number, least: number, most: number): Vector {
  const from = fields(value)
  const parts = Array.isArray(value) ? value : [pick(from, 'x'), pick(from, 'y'), pick(from, 'z')]
  const part = (index: number) => Math.min(most, Math.max(least, number(parts[index]) ?? missing))
  return [part(0), part(1), part(2)]
}

/**
 * Reads a size. A single number applies to all directions; two numbers of a plane are its width and depth.
 */
function size(value: unknown, kind: ShapeKind): Vector {
  const one = number(value)
  if (one !== null) {
    const clamped = Math.min(FARTHEST, Math.max(SMALLEST, Math.abs(one)))
    return [clamped, clamped, clamped]
  }
  const flat = kind === 'plane' && Array.isArray(value) && value.length === 2 ? [value[0], 1, value[1]] : value
  return vector(flat, 1, SMALLEST, FARTHEST)
}

function colour(value: unknown): string | null {
  const name = textOf(value, 40).toLowerCase()
  if (/^#[0-9a-f]{6}$/.test(name)) return name
  if (/^#[0-9a-f]{3}$/.test(name)) return `#${[...name.slice(1)].map((digit) => digit + digit).join('')}`
  return Object.hasOwn(COLOUR_WORDS, name) ? (COLOUR_WORDS[name] ?? null) : null
}
