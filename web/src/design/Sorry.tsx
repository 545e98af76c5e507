import type { ReactNode } from 'react'
import { Face } from './Moon'

interface Props {
  title: string
  text: string
  /** The actions that the user can take. */
  children: ReactNode
}

/** The replacement for missing content: an explanation and the possible actions. */
export function FailureMessage({ title, text, children }: Props) {
  return (
    <div className="flex min-h-0 flex-1 flex-col justify-center-safe overflow-y-auto px-6 py-8">
      <div className="mx-auto w-full max-w-[43.5rem]">
        <Face size={56} mood="sorry" />
        <h1 className="display mt-5 text-30">{title}</h1>
        <p className="mt-2 max-w-(--measure) text-15 wrap-anywhere text-muted" role="alert">
          {text}
        </p>
        <div className="mt-5 flex flex-wrap gap-2">{children}</div>
      </div>
    </div>
  )
}
