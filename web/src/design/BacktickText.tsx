import { Fragment } from 'react'

/** A sentence from the server, with the `names` in backticks rendered as code. */
export function BacktickText({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      <code key={index} className="rounded-[4px] bg-[color-mix(in_oklab,var(--text)_8%,transparent)] px-1 py-px font-mono text-[0.9em] wrap-anywhere">
        {part}
      </code>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  )
}
