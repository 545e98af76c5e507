import { memo } from 'react'
import { count } from '@/design/format'
import { Markdown } from '@/markdown/Markdown'
import type { PartialList } from './lenient'

/** Characters used by Markdown and formulas; a text without them is shown as it is. */
const MARKED = /[*_`$\\~\n]|\]\(/

/** A text of a payload, rendered as Markdown if it has such characters, otherwise as plain text. */
export const InlineText = memo(function InlineText({ text }: { text: string }) {
  if (!MARKED.test(text)) return <span dir="auto">{text}</span>
  return (
    <div className="widget-prose">
      <Markdown source={text} />
    </div>
  )
})

/**
 * A note on the items of a list that are not shown: those beyond the limit, and those that could not be read.
 */
export function OmittedNote({ of: { more, unread }, what = 'entries' }: { of: Omit<PartialList<unknown>, 'shown'>; what?: string }) {
  return (
    <>
      <OmittedCount count={more} what={what} />
      {unread > 0 && (
        <p className="mt-3 text-13 text-faint">
          {count(unread)} of the {what} could not be read
        </p>
      )}
    </>
  )
}

/** The number of items left out, and their kind. */
export function OmittedCount({ count: left, what }: { count: number; what: string }) {
  if (left <= 0) return null
  return (
    <p className="mt-3 text-13 text-faint">
      and {count(left)} more {what}
    </p>
  )
}
