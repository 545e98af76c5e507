import { ExternalLink } from 'lucide-react'
import { plain } from './wording'

/**
 * A page that a server asks the user to open. The host is shown separately, because it can be hidden in a
 * long URL.
 */
export function RequestedPage({ address }: { address: string }) {
  const page = webPage(address)
  return (
    <div className="mb-3 rounded-card bg-[color-mix(in_oklab,var(--ground)_55%,transparent)] px-3 py-2.5 text-13">
      {page ? (
        <>
          <p className="text-muted">
            A page of{' '}
            <strong className="font-medium wrap-anywhere text-text" dir="ltr">
              {page.host}
            </strong>
            , in a new tab:
          </p>
          <a href={page.href} target="_blank" rel="noopener noreferrer" className="mt-0.5 inline-block break-all text-blue underline decoration-1 underline-offset-3 pointer-coarse:py-2" dir="ltr">
            {page.href}
            <ExternalLink size={12} className="ms-1 inline" aria-hidden="true" />
          </a>
        </>
      ) : (
        <>
          <p className="break-all" dir="ltr">
            {plain(address)}
          </p>
          <p className="mt-0.5 text-muted">This is not a valid web address, so it cannot be opened from here.</p>
        </>
      )}
    </div>
  )
}

/** Parses a web address as the browser does, which encodes invisible and look-alike characters. */
function webPage(address: string): URL | null {
  const page = URL.canParse(address) ? new URL(address) : null
  return page?.protocol === 'https:' || page?.protocol === 'http:' ? page : null
}
