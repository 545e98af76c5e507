import { type CSSProperties, type PointerEvent, useRef, useState } from 'react'

interface Options {
  onUp?: () => void
  onDown?: () => void
}

/** So far, or this fast, and it was meant. */
const FAR = 72
const FAST = 0.5

/** Something that is swiped up or down. It goes along with the finger in the direction that leads somewhere. */
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
  const hand = {
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
  return { hand, style, by }
}
