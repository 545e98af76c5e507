import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { join } from './join'

interface Props {
  as?: 'nav' | 'ul'
  label: string
  className?: string
  children: ReactNode
}

type Fade = 'none' | 'start' | 'end' | 'both'

/** A row that slides sideways where it is longer than its place. Its edge fades there, so that a word that is cut is seen to go on. */
export function Sliding({ as: Row = 'ul', label, className, children }: Props) {
  const row = useRef<HTMLElement & HTMLUListElement>(null)
  const hidden = useHidden(row)
  return (
    <Row ref={row} aria-label={label} data-fade={hidden} className={join('sliding flex', className)}>
      {children}
    </Row>
  )
}

/** A pixel may be lost by rounding. */
const SLACK = 2

/** At which ends of a row something is out of sight. */
export function ends({ scrollLeft, scrollWidth, clientWidth }: Pick<HTMLElement, 'scrollLeft' | 'scrollWidth' | 'clientWidth'>): Fade {
  // Where one reads from right to left, it counts down from nought.
  const slid = Math.abs(scrollLeft)
  const start = slid > SLACK
  const end = scrollWidth - clientWidth - slid > SLACK
  return start && end ? 'both' : start ? 'start' : end ? 'end' : 'none'
}

function useHidden(place: RefObject<HTMLElement | null>): Fade {
  const [hidden, setHidden] = useState<Fade>('none')
  // Whatever was drawn may have made it longer.
  useLayoutEffect(() => {
    if (place.current) setHidden(ends(place.current))
  })
  useLayoutEffect(() => {
    const row = place.current
    if (!row) return
    const look = () => setHidden(ends(row))
    const observer = new ResizeObserver(look)
    observer.observe(row)
    row.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      row.removeEventListener('scroll', look)
    }
  }, [place])
  return hidden
}
