import { ChevronRight, CircleAlert } from 'lucide-react'
import { classNames } from '@/design/classNames'

interface Props {
  reason: string
  payload: unknown
  /** True within an existing frame. */
  inside?: boolean
}

const LONGEST = 4000

/** A note in place of content that cannot be shown, with the raw payload for those who want to see it. */
export function Malformed({ reason, payload, inside = false }: Props) {
  return (
    <div role="note" className={classNames('text-13', !inside && 'rounded-panel bg-surface px-4 py-3 shadow-lit')}>
      <p className="flex gap-2 text-muted">
        <CircleAlert size={16} className="mt-0.5 text-faint" />
        <span className="wrap-anywhere">This could not be shown. {reason}</span>
      </p>
      <details className="group/came mt-1 ms-6">
        <summary className="inline-flex list-none items-center gap-1 rounded-control text-12 text-faint hover:text-text pointer-coarse:py-2 [&::-webkit-details-marker]:hidden">
          <ChevronRight size={14} className="transition-transform group-open/came:rotate-90" />
          Show the data
        </summary>
        <pre tabIndex={0} dir="ltr" className="mt-2 max-h-64 overflow-auto rounded-card bg-well p-3 font-mono text-12 whitespace-pre-wrap wrap-anywhere text-muted">
          {written(payload)}
        </pre>
      </details>
    </div>
  )
}

function written(payload: unknown): string {
  let text: string
  try {
    text = JSON.stringify(payload, null, 2) ?? 'nothing'
  } catch {
    text = 'something that cannot be written down'
  }
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… and ${text.length - LONGEST} characters more` : text
}
