import { memo } from 'react'
import { count } from '@/design/format'
import { Markdown } from '@/markdown/Markdown'
import type { Some } from './lenient'

/** Signs that only Markdown and formulas use; anything else is shown as it is written. */
const MARKED = /[*_`$\\~\n]|\]\(/

/** A text of a payload: as Markdown where it is written as such, else as plain text. */
export const Words = memo(function Words({ text }: { text: string }) {
  if (!MARKED.test(text)) return <span dir="auto">{text}</span>
  return (
    <div className="widget-prose">
      <Markdown source={text} />
    </div>
  )
})

/** What of a list is not shown: because there is too much of it, or because it made no sense. */
export function Rest({ of: { more, unread }, what = 'entries' }: { of: Omit<Some<unknown>, 'shown'>; what?: string }) {
  return (
    <>
      <More count={more} what={what} />
      {unread > 0 && (
        <p className="mt-3 text-13 text-faint">
          {count(unread)} of the {what} could not be read
        </p>
      )}
    </>
  )
}

/** What was left out, and of what. */
export function More({ count: left, what }: { count: number; what: string }) {
  if (left <= 0) return null
  return (
    <p className="mt-3 text-13 text-faint">
      and {count(left)} more {what}
    </p>
  )
}
