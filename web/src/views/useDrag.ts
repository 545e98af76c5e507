import { type CSSProperties, type PointerEvent, useRef, useState } from 'react'

interface Options {
  onUp?: () => void
  onDown?: () => void
}

/** The distance in pixels, or the speed in pixels per millisecond, from which a drag counts. */
const FAR = 72
const FAST = 0.5

/** Handles swipes up or down. The element follows the finger in a direction that has an action. */
export function useDrag({ onUp, onDown }: Options) {
  const from = useRef<{ id: number; y: number; at: number } | null>(null)
  const [by, setBy] = useState(0)
  const end = (event: PointerEvent) => {
    const began = from.current
    if (!began || event.pointerId !== began.id) return
    from.current = null
    setBy(0)
    if (event.type === 'pointercancel') return
    const way = event.clientY - began.y
    const pace = way / Math.max(1, event.timeStamp - began.at)
    const meant = Math.abs(way) > FAR || (Math.abs(pace) > FAST && Math.abs(way) > 16)
    if (meant) (way < 0 ? onUp : onDown)?.()
  }
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || (event.target instanceof Element && event.target.closest('button, a, textarea, input'))) return
      event.currentTarget.setPointerCapture(event.pointerId)
      from.current = { id: event.pointerId, y: event.clientY, at: event.timeStamp }
    },
    onPointerMove: (event: PointerEvent) => {
      if (!from.current || event.pointerId !== from.current.id) return
      const way = event.clientY - from.current.y
      setBy(way < 0 ? (onUp ? way : 0) : onDown ? way : 0)
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
  const style: CSSProperties | undefined = by === 0 ? undefined : { translate: `0 ${by}px`, transition: 'none' }
  return { handlers, style, by }
}
