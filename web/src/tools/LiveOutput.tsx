import { useLayoutEffect, useRef } from 'react'
import { plain } from './wording'

/** The distance from the end within which the output keeps scrolling along. */
const NEAR_PX = 24

/** The output of a running program. It follows the end unless the user has scrolled back. */
export function LiveOutput({ text, label, className = 'max-h-36' }: { text: string; label: string; className?: string }) {
  const box = useRef<HTMLPreElement>(null)
  const follows = useRef(true)
  useLayoutEffect(() => {
    if (follows.current && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [text])
  return (
    <pre
      ref={box}
      role="log"
      aria-label={label}
      aria-live="off"
      tabIndex={0}
      dir="auto"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < NEAR_PX
      }}
      className={`${className} overflow-y-auto overscroll-contain rounded-control bg-well px-3 py-2 font-mono text-12/5 wrap-anywhere whitespace-pre-wrap text-muted shadow-[inset_0_0_0_1px_var(--hairline)]`}
    >
      {plain(text.replace(/\r\n?/g, '\n').trimEnd())}
    </pre>
  )
}
