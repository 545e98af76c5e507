import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { rectOf, useLuna } from '../store'
import { type Edge, type Rect, resized, snapped } from './geometry'
import type { PanelKind } from './registry'

/** The distance moved per arrow key press, in pixels. */
const STEP = 16

const ARROWS: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
}

interface Pull {
  pointer: number
  /** The position of the pointer, and the panel, at the start. */
  from: { x: number; y: number }
  rect: Rect
  edge: Edge | null
  moved: boolean
}

/** The distance, in pixels, below which a press counts as a click. */
const SLACK = 3

/** Moves a panel by its head and resizes it by its edges, with the pointer or with the arrow keys. */
export function usePanelDrag(kind: PanelKind, others: string[]) {
  const pull = useRef<Pull | null>(null)
  const { id, least } = kind

  const begin = (edge: Edge | null) => (event: PointerEvent) => {
    const rect = rectOf(useLuna.getState(), id)
    if (!rect || event.button !== 0) return
    useLuna.getState().front(id)
    event.currentTarget.setPointerCapture(event.pointerId)
    pull.current = { pointer: event.pointerId, from: { x: event.clientX, y: event.clientY }, rect, edge, moved: false }
  }

  const move = (event: PointerEvent) => {
    const held = pull.current
    if (!held || event.pointerId !== held.pointer) return
    const by = { x: event.clientX - held.from.x, y: event.clientY - held.from.y }
    if (!held.moved && Math.hypot(by.x, by.y) < SLACK) return
    held.moved = true
    const state = useLuna.getState()
    const rect = held.edge
      ? resized(held.rect, held.edge, by, state.field, least)
      : snapped({ ...held.rect, x: held.rect.x + by.x, y: held.rect.y + by.y }, others.flatMap((other) => rectOf(state, other) ?? []), state.field)
    state.place(id, rect, 'passing')
  }

  const end = (event: PointerEvent) => {
    const held = pull.current
    if (!held || event.pointerId !== held.pointer) return
    pull.current = null
    const state = useLuna.getState()
    // A drag cancelled by the system is undone.
    const rect = event.type === 'pointercancel' ? held.rect : rectOf(state, id)
    if (rect && held.moved) state.place(id, rect)
  }

  const press = (event: KeyboardEvent) => {
    const by = ARROWS[event.key]
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return
    const state = useLuna.getState()
    const rect = rectOf(state, id)
    if (!rect) return
    event.preventDefault()
    state.place(id, event.shiftKey ? resized(rect, 'se', by, state.field, least) : { ...rect, x: rect.x + by.x, y: rect.y + by.y })
  }

  const handlers = (edge: Edge | null) => ({ onPointerDown: begin(edge), onPointerMove: move, onPointerUp: end, onPointerCancel: end })
  return { head: { ...handlers(null), onKeyDown: press }, edge: handlers }
}
