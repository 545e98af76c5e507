import { type RefObject, useLayoutEffect, useState } from 'react'
import { overlaps } from './panels/geometry'
import { rectOf, useLuna } from './store'

/** Whether the hour comes forward at rest. It never stands over one of these panels: somebody may be reading there. */
export function useHour(hour: RefObject<HTMLElement | null>, resting: boolean, panels: string[]): boolean {
  const [free, setFree] = useState(false)
  const key = panels.join(' ')
  useLayoutEffect(() => {
    const place = hour.current
    if (!resting || !place) return
    const own = { x: place.offsetLeft, y: place.offsetTop, width: place.offsetWidth, height: place.offsetHeight }
    const rects = key.split(' ').flatMap((id) => rectOf(useLuna.getState(), id) ?? [])
    setFree(rects.every((rect) => !overlaps(rect, own)))
  }, [hour, resting, key])
  return resting && free
}
