import { type RefObject, useLayoutEffect, useState } from 'react'
import { overlaps } from './panels/geometry'

/** What somebody may be reading while nothing moves. */
const READ = '.panel:not([data-panel="clock"]), .caption'

/** Whether the hour comes forward at rest: it never stands over what is read. */
export function useHour(hour: RefObject<HTMLElement | null>, resting: boolean): boolean {
  const [free, setFree] = useState(false)
  useLayoutEffect(() => {
    const own = hour.current?.getBoundingClientRect()
    if (!resting || !own) return
    const read = [...(hour.current?.parentElement?.querySelectorAll(READ) ?? [])]
    setFree(read.every((place) => !overlaps(place.getBoundingClientRect(), own)))
  }, [hour, resting])
  return resting && free
}
