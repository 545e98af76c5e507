import { ExternalLink, KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { McpServerInfo } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { own } from '@/design/own'
import { plain } from '@/tools/wording'
import { useServerStore } from './useServerStore'

/** The button to sign in to a server that requires it, on the server's page in a new tab. */
export function SignIn({ server }: { server: McpServerInfo }) {
  const begin = useServerStore((state) => state.signInAt)
  const busy = useServerStore((state) => own(state.pendingActions, server.name) === 'signIn')
  const [page, setPage] = useState<string | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  const open = async () => {
    setTrouble(null)
    const begun = await begin(server.name)
    if ('trouble' in begun) {
      setTrouble(begun.trouble)
      return
    }
    setPage(begun.url)
    window.open(begun.url, '_blank', 'noopener')
  }
  const more = server.signIn === 'more'
  return (
    <section aria-label="Sign-in needed" className="mt-6 rounded-card bg-[color-mix(in_oklab,var(--blue)_10%,transparent)] px-4 py-3.5 text-13">
      <h2 className="text-15 font-medium">{more ? 'It needs more permissions' : 'Sign-in needed'}</h2>
      <p className="mt-0.5 max-w-(--measure) text-pretty text-muted">
        {more
          ? 'Something that she tried needs more than you allowed when you signed in. Its page says what for.'
          : 'You sign in on its own page, with your account there. Perigee gets a key for this one server, and never sees your password.'}
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button variant="primary" icon={<KeyRound size={15} />} disabled={busy} onClick={() => void open()}>
          {more ? 'Sign in again' : 'Sign in'}
        </Button>
        {busy && (
          <p role="status" className="text-muted">
            Asking where to sign in…
          </p>
        )}
        {page !== null && !busy && (
          <p role="status" className="text-muted">
            Waiting for you there.{' '}
            <a href={page} target="_blank" rel="noreferrer" className="inline-flex items-center gap-1 underline underline-offset-2 hover:text-text">
              Open the page again
              <ExternalLink size={12} />
            </a>
          </p>
        )}
      </div>
      {trouble !== null && (
        <p role="alert" className="mt-2 wrap-anywhere text-danger">
          {plain(trouble)}
        </p>
      )}
    </section>
  )
}
