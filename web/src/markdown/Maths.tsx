import { memo, useLayoutEffect, useRef, useState } from 'react'
import { type SetMaths, mathsIfLoaded, loadMaths } from './katex'

interface Props {
  tex: string
  display: boolean
}

/** A formula. Its source is shown until the typesetter is loaded, or if it cannot be parsed. */
export const Maths = memo(function Maths({ tex, display }: Props) {
  const container = useRef<HTMLSpanElement>(null)
  const [set, use] = useState<{ maths: SetMaths } | null>(() => {
    const maths = mathsIfLoaded()
    return maths && { maths }
  })

  useLayoutEffect(() => {
    if (set) {
      if (container.current && !set.maths(tex, container.current, display)) container.current.textContent = tex
      return
    }
    let gone = false
    void loadMaths().then((maths) => {
      if (!gone) use({ maths })
    }, () => {})
    return () => {
      gone = true
    }
  }, [set, tex, display])

  const className = display ? 'maths-block block' : ''
  return (
    <span className={className} dir="ltr" tabIndex={display ? 0 : undefined}>
      <span ref={container} className={set ? '' : 'font-mono text-13 text-muted'}>
        {set ? null : tex}
      </span>
    </span>
  )
})
