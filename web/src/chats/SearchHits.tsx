import { Fragment, useEffect, useRef } from 'react'
import type { SearchHit } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { plural, shortAgo } from '@/design/format'
import { fragmentOf } from '@/shell/route'
import { useStore } from '@/store'
import { aroundMark } from './snippet'

export function SearchHits() {
  const { hits, next, state, query } = useStore((store) => store.search)
  const end = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (next === null || !end.current) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) void useStore.getState().moreHits()
    })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [next, hits.length])

  if (state === 'failed') {
    return (
      <div className="flex-1 px-4.5 pt-4 text-13 text-faint">
        <p>The search did not work.</p>
        <Button variant="raised" className="mt-3" onClick={() => useStore.getState().setSearch(query)}>
          Try again
        </Button>
      </div>
    )
  }
  return (
    <div className="list-fade min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 pb-6" aria-busy={state === 'looking'}>
      <p role="status" className="px-2.5 pt-2 pb-1.5 text-12 text-faint">
        {state === 'looking' && hits.length === 0 ? 'Looking…' : summary(hits.length, next !== null)}
      </p>
      <ul aria-label="Search results" className="flex flex-col gap-0.5">
        {hits.map((hit, index) => (
          <li key={`${hit.chat} ${hit.message ?? 'title'} ${index}`}>
            <Hit hit={hit} />
          </li>
        ))}
      </ul>
      <div ref={end} className="h-px" />
    </div>
  )
}

function summary(found: number, more: boolean): string {
  if (found === 0) return 'Nothing found. Try fewer or other words.'
  return more ? `The best ${found} results` : plural(found, 'result')
}

function Hit({ hit }: { hit: SearchHit }) {
  const name = useStore((state) => state.companionName)
  const { snippet, marks } = aroundMark(hit)
  const route = hit.message ? { page: 'chat' as const, id: hit.chat, message: hit.message } : { page: 'chat' as const, id: hit.chat }
  return (
    <a
      href={fragmentOf(route)}
      onClick={() => useStore.getState().setDrawer(false)}
      className="block rounded-card px-2.5 py-2 transition-colors hover:bg-hover"
    >
      <span className="flex items-baseline justify-between gap-3">
        <span className="truncate text-13 font-medium" dir="auto">
          {hit.title || 'New chat'}
        </span>
        <span className="shrink-0 text-12 text-faint">{shortAgo(hit.createdAt, new Date())}</span>
      </span>
      <span className="mt-0.5 line-clamp-2 text-13 wrap-anywhere text-muted" dir="auto">
        {hit.role === 'assistant' && <span className="text-faint">{name}: </span>}
        {hit.role === 'user' && <span className="text-faint">You: </span>}
        <Marked text={snippet} marks={marks} />
      </span>
    </a>
  )
}

/** Plain text with the matches highlighted. Ranges that do not fit the text are left out. */
export function Marked({ text, marks }: { text: string; marks: [number, number][] }) {
  let end = 0
  const parts = marks
    .filter(([start, stop]) => start < stop && stop <= text.length)
    .map(([start, stop]) => {
      const from = Math.max(start, end)
      const part = (
        <Fragment key={start}>
          {text.slice(end, from)}
          <mark>{text.slice(from, stop)}</mark>
        </Fragment>
      )
      end = Math.max(end, stop)
      return part
    })
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  )
}
