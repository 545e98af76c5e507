import { type RefObject, useCallback, useEffect, useMemo, useState } from 'react'

/** The number of rows rendered beyond each edge, so that quick scrolling shows no gaps. */
const AROUND = 10

export interface Windowed {
  /** The offset of each item, followed by the total height: one more entry than there are items. */
  offsets: number[]
  first: number
  /** One past the last item to render. */
  end: number
}

/** Returns the index of the item at this height: the last offset that is not beyond it. */
export function itemAt(offsets: number[], y: number): number {
  let low = 0
  let high = offsets.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((offsets[middle] ?? 0) <= y) low = middle
    else high = middle - 1
  }
  return Math.min(low, Math.max(0, offsets.length - 2))
}

/**
 * Returns the range of items of a long list to render. If other content scrolls along above the list, `list`
 * is the element where it begins.
 */
export function useWindowed(scroller: RefObject<HTMLElement | null>, heights: number[], list: RefObject<HTMLElement | null> = scroller): Windowed {
  const [view, setView] = useState({ top: 0, height: 800 })
  const offsets = useMemo(() => {
    const sums = [0]
    for (const height of heights) sums.push((sums.at(-1) ?? 0) + height)
    return sums
  }, [heights])

  const measure = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const above = list.current && list.current !== element ? list.current.getBoundingClientRect().top - element.getBoundingClientRect().top + element.scrollTop : 0
    setView({ top: Math.max(0, element.scrollTop - above), height: element.clientHeight })
  }, [scroller, list])

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    measure()
    element.addEventListener('scroll', measure, { passive: true })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', measure)
      observer.disconnect()
    }
  }, [scroller, measure])

  const first = Math.max(0, itemAt(offsets, view.top) - AROUND)
  const end = Math.min(heights.length, itemAt(offsets, view.top + view.height) + 1 + AROUND)
  return { offsets, first, end }
}
