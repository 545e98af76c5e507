import { useState } from 'react'
import { Button } from '@/design/Button'
import { plural } from '@/design/format'
import { OmittedNote } from '@/widgets/parts'
import { Initial } from './Initial'
import type { WebSearchResults as Found, Source } from './read'

const FIRST = 5

export function SearchResults({ results }: Found) {
  const [all, setAll] = useState(false)
  const found = all ? results.shown : results.shown.slice(0, FIRST)
  const left = results.shown.length - found.length
  if (found.length === 0) return <p className="text-muted">Nothing was found. Try other words.</p>
  return (
    <>
      <ol className="-mx-2 grid gap-0.5">
        {found.map((source, index) => (
          <li key={index}>
            <SourceCard source={source} />
          </li>
        ))}
      </ol>
      {left > 0 && (
        <Button variant="quiet" className="-ms-1 mt-1" onClick={() => setAll(true)}>
          {plural(left, 'more result')}
        </Button>
      )}
      {left === 0 && <OmittedNote of={results} what="results" />}
    </>
  )
}

export function FetchedPage({ page }: { page: Source }) {
  return (
    <div className="relative py-0.5">
      <SourceTitle source={page} />
      <p className="truncate text-12 text-faint">Read at {page.site}</p>
    </div>
  )
}

function SourceCard({ source }: { source: Source }) {
  return (
    <div className="relative flex gap-3 rounded-card px-2 py-2 transition-colors hover:bg-hover has-[a:focus-visible]:bg-hover">
      <Initial of={source.site || source.title} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap gap-x-2 text-12 text-faint">
          <span className="truncate">{source.site}</span>
          {source.age && <span>{source.age}</span>}
        </p>
        <SourceTitle source={source} />
        {source.text && (
          <p dir="auto" className="mt-0.5 line-clamp-2 text-13 wrap-anywhere text-muted">
            {source.text}
          </p>
        )}
      </div>
    </div>
  )
}

/** The title of a source. It is the link, but the whole card opens the page. */
function SourceTitle({ source }: { source: Source }) {
  if (!source.url) {
    return (
      <p dir="auto" className="font-medium wrap-anywhere">
        {source.title}
      </p>
    )
  }
  return (
    <a
      href={source.url}
      title={source.url}
      target="_blank"
      rel="noopener noreferrer"
      dir="auto"
      className="block font-medium wrap-anywhere after:absolute after:inset-0 after:rounded-card hover:underline hover:decoration-1 hover:underline-offset-3"
    >
      {source.title}
    </a>
  )
}
