import { type RefObject, useLayoutEffect, useState } from 'react'
import { overlaps } from './panels/geometry'

/** The elements that the user may be reading while nothing moves. */
const READ = '.panel:not([data-panel="clock"]), .caption'

/** Returns true if the large clock is shown at rest: it never covers text that may be read. */
export function useRestingClock(hour: RefObject<HTMLElement | null>, resting: boolean): boolean {
  const [free, setFree] = useState(false)
  useLayoutEffect(() => {
    const own = hour.current?.getBoundingClientRect()
    if (!resting || !own) return
    const read = [...(hour.current?.parentElement?.querySelectorAll(READ) ?? [])]
    setFree(read.every((place) => !overlaps(place.getBoundingClientRect(), own)))
  }, [hour, resting])
  return resting && free
}
