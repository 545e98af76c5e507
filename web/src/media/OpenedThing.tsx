import { Check, ExternalLink } from 'lucide-react'
import type { Opened } from './read'

/**
 * The result of opening an app or a link. If the machine could not open it, the link is offered to the user.
 */
export function OpenedThing({ target, what, opened, url }: Opened) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <p className="flex min-w-0 items-center gap-2.5">
        {opened && <Check size={16} className="text-ok" aria-hidden="true" />}
        <span dir="auto" className="min-w-0 wrap-anywhere">
          {sentence(target, what, opened, url !== null)}
        </span>
      </p>
      {!opened && url && (
        <a
          href={url}
          title={url}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex h-8 items-center gap-2 rounded-control bg-raised px-3 text-13 shadow-lit transition-colors hover:bg-[color-mix(in_oklab,var(--text)_5%,var(--raised))] pointer-coarse:h-10"
        >
          <ExternalLink size={14} />
          Open the link
        </a>
      )}
    </div>
  )
}

function sentence(target: string, what: Opened['what'], opened: boolean, hasLink: boolean): string {
  if (opened) return `${target} is open.`
  if (hasLink) return `${target} could not be opened on that machine.`
  return what === 'app' ? `${target} could not be opened. Is it installed on the machine where Perigee runs?` : `${target} is not an address that can be opened.`
}
