import { useEffect, useRef } from 'react'
import { useStore } from '@/store'
import { plain } from '@/tools/wording'

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** The distance from the end, in pixels, below which new lines are followed. */
const AT_END = 24

/** The live events from the server. */
export function ConsolePanel() {
  const lines = useStore((state) => state.consoleLines)
  const view = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  useEffect(() => {
    if (follows.current && view.current) view.current.scrollTop = view.current.scrollHeight
  }, [lines])
  return (
    <div
      ref={view}
      role="log"
      aria-live="off"
      aria-label="Live events"
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < AT_END
      }}
      className="h-full overflow-y-auto px-4 pb-3 font-mono text-12"
    >
      {lines.length === 0 && <p className="font-sans text-13 text-muted">Quiet. Turns, tools and downloads show up here.</p>}
      {lines.map(({ id, at, kind, what, about }) => (
        <p key={id} className="console-line" data-kind={kind}>
          <time className="text-faint">{clock.format(at)}</time>
          <span className="console-kind">{kind}</span>
          <span className="min-w-0 truncate" title={about === '' ? undefined : plain(about)}>
            {what}
            {about !== '' && <bdi className="text-faint"> {plain(about)}</bdi>}
          </span>
        </p>
      ))}
    </div>
  )
}
