import { type RefObject, useEffect, useRef } from 'react'

export interface Handlers {
  onDrag: (dx: number, dy: number) => void
  /** By this factor, around a point of the element. */
  onZoom: (factor: number, x: number, y: number) => void
  /** The wheel was turned where it scrolls the page: how to zoom may be said. */
  onWheelPassed?: () => void
}

const WHEEL_LINE = 16

/**
 * Dragging, pinching and the wheel on something that is looked at from all sides. Unless it has the screen to
 * itself (`alone`), the wheel and one finger up or down still scroll the page: nobody is to be caught in it.
 */
export function useGestures(place: RefObject<HTMLElement | null>, alone: boolean, handlers: Handlers): void {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  useEffect(() => {
    const element = place.current
    if (!element) return
    element.style.touchAction = alone ? 'none' : 'pan-y'
    const fingers = new Map<number, { x: number; y: number }>()

    const down = (event: PointerEvent) => {
      if (event.button !== 0 || (event.target as Element).closest('button, a')) return
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY })
      // A pointer that is gone already cannot be held.
      if (event.isTrusted) element.setPointerCapture(event.pointerId)
    }
    const moved = (event: PointerEvent) => {
      const before = fingers.get(event.pointerId)
      if (!before) return
      const [first, second] = [...fingers.values()]
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY })
      if (!first || !second) {
        latest.current.onDrag(event.clientX - before.x, event.clientY - before.y)
        return
      }
      const [one, other] = [...fingers.values()] as [typeof first, typeof second]
      const edge = element.getBoundingClientRect()
      const middle = { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 }
      latest.current.onDrag(middle.x - (first.x + second.x) / 2, middle.y - (first.y + second.y) / 2)
      const apart = Math.hypot(first.x - second.x, first.y - second.y)
      if (apart > 0) latest.current.onZoom(Math.hypot(one.x - other.x, one.y - other.y) / apart, middle.x - edge.left, middle.y - edge.top)
    }
    const up = (event: PointerEvent) => void fingers.delete(event.pointerId)
    const wheel = (event: WheelEvent) => {
      if (!alone && !event.ctrlKey && !event.metaKey) {
        latest.current.onWheelPassed?.()
        return
      }
      event.preventDefault()
      const edge = element.getBoundingClientRect()
      const pixels = event.deltaMode === 1 ? event.deltaY * WHEEL_LINE : event.deltaY
      // A pinch on a touchpad comes as small steps of a wheel.
      const pace = event.ctrlKey && Math.abs(pixels) < 40 ? 0.01 : 0.0025
      latest.current.onZoom(Math.exp(-Math.max(-200, Math.min(200, pixels)) * pace), event.clientX - edge.left, event.clientY - edge.top)
    }

    element.addEventListener('pointerdown', down)
    element.addEventListener('pointermove', moved)
    element.addEventListener('pointerup', up)
    element.addEventListener('pointercancel', up)
    element.addEventListener('wheel', wheel, { passive: false })
    return () => {
      element.removeEventListener('pointerdown', down)
      element.removeEventListener('pointermove', moved)
      element.removeEventListener('pointerup', up)
      element.removeEventListener('pointercancel', up)
      element.removeEventListener('wheel', wheel)
    }
  }, [place, alone])
}
