import { useState } from 'react'
import { count } from '@/design/format'
import { classNames } from '@/design/classNames'
import { plain } from './wording'

const MOST_CHARACTERS = 700
const MOST_LINES = 12

/** Returns the part that is shown at first, limited in lines and characters. */
function beginning(text: string): string {
  const lines = text.split('\n', MOST_LINES + 1)
  const head = lines.length > MOST_LINES ? lines.slice(0, MOST_LINES).join('\n') : text
  return head.length > MOST_CHARACTERS ? head.slice(0, MOST_CHARACTERS) : head
}

/**
 * Possibly untrusted text, shown as plain text and never as Markdown or HTML. Only its beginning is shown
 * until the user expands it.
 */
export function ShortenedText({ text, label }: { text: string; label: string }) {
  const [all, setAll] = useState(false)
  const head = beginning(text)
  const cut = head.length < text.length
  return (
    <div className="min-w-0">
      <pre
        dir="auto"
        {...(all ? { tabIndex: 0, role: 'region', 'aria-label': label } : {})}
        className={classNames('font-mono text-12/5 wrap-anywhere whitespace-pre-wrap text-muted', all && 'max-h-96 overflow-y-auto rounded-control')}
      >
        {plain(all ? text : head)}
        {cut && !all && '…'}
      </pre>
      {cut && (
        <button
          type="button"
          onClick={() => setAll(!all)}
          className="mt-1 rounded-control text-12 text-blue underline decoration-1 underline-offset-3 pointer-coarse:py-2"
        >
          {all ? 'Show less' : `Show all ${count(text.length)} characters`}
        </button>
      )}
    </div>
  )
}
