import { type RefObject, useEffect, useRef } from 'react'

export interface Handlers {
  onDrag: (dx: number, dy: number) => void
  /** Called to zoom by a factor around a point of the element. */
  onZoom: (factor: number, x: number, y: number) => void
  /** Called when the wheel scrolls the page instead, so that a hint on zooming can be shown. */
  onWheelPassed?: () => void
}

const WHEEL_LINE = 16

/**
 * Handles dragging, pinching and the wheel on a map or a 3D view. Unless it fills the screen (`alone`), the
 * wheel and vertical one-finger swipes still scroll the page, so that users do not get stuck in it.
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
      // A synthetic event has no active pointer to capture.
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
      // Browsers report a touchpad pinch as small wheel steps with Ctrl.
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
