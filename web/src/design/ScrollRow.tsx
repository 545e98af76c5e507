import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from './classNames'

interface Props {
  as?: 'nav' | 'ul'
  label: string
  className?: string
  children: ReactNode
}

type Fade = 'none' | 'start' | 'end' | 'both'

/** A row that scrolls sideways if it is too long. It fades at the edge there, to show that it continues. */
export function ScrollRow({ as: Row = 'ul', label, className, children }: Props) {
  const row = useRef<HTMLElement & HTMLUListElement>(null)
  const hidden = useHidden(row)
  return (
    <Row ref={row} aria-label={label} data-fade={hidden} className={classNames('sliding flex', className)}>
      {children}
    </Row>
  )
}

/** The tolerance in pixels for rounding. */
const SLACK = 2

/** Returns the ends of a row at which content is hidden. */
export function hiddenEnds({ scrollLeft, scrollWidth, clientWidth }: Pick<HTMLElement, 'scrollLeft' | 'scrollWidth' | 'clientWidth'>): Fade {
  // In right-to-left text, scrollLeft counts down from zero.
  const slid = Math.abs(scrollLeft)
  const start = slid > SLACK
  const end = scrollWidth - clientWidth - slid > SLACK
  return start && end ? 'both' : start ? 'start' : end ? 'end' : 'none'
}

function useHidden(container: RefObject<HTMLElement | null>): Fade {
  const [hidden, setHidden] = useState<Fade>('none')
  // Runs after every render, which may have made the row longer.
  useLayoutEffect(() => {
    if (container.current) setHidden(hiddenEnds(container.current))
  })
  useLayoutEffect(() => {
    const row = container.current
    if (!row) return
    const update = () => setHidden(hiddenEnds(row))
    const observer = new ResizeObserver(update)
    observer.observe(row)
    row.addEventListener('scroll', update, { passive: true })
    return () => {
      observer.disconnect()
      row.removeEventListener('scroll', update)
    }
  }, [container])
  return hidden
}
