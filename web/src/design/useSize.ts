import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Size } from './size'

const UNKNOWN: Size = { width: 0, height: 0 }

/** Returns the size of an element in pixels; zero until it is known. */
export function useSize(container: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState(UNKNOWN)
  useLayoutEffect(() => {
    const element = container.current
    if (!element) return
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [container])
  return size
}

/** Returns the width of an element alone. */
export function useWidth(container: RefObject<HTMLElement | null>): number {
  return useSize(container).width
}
