import { Check } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import type { SpotifyState } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { CopyButton } from '@/design/CopyButton'
import { BacktickText } from '@/design/BacktickText'
import { fragmentOf } from '@/shell/route'
import { useStore } from '@/store'

const LINK = 'text-blue underline decoration-1 underline-offset-3'

/** The state of the Spotify sign-in and the controls for it. */
export function Music() {
  const spotify = useStore((state) => state.spotify)
  const unread = useStore((state) => state.spotifyUnread)
  const trouble = useStore((state) => state.spotifyTrouble)
  const act = useStore((state) => state.spotifyAct)
  const client = useStore((state) => state.config?.sections.flatMap(({ fields }) => fields).find(({ key }) => key === 'spotify.client_id')?.value)
  const { refreshSpotify, forgetSpotifyTrouble } = useStore.getState()
  useEffect(() => void refreshSpotify(), [refreshSpotify, client])
  useEffect(() => forgetSpotifyTrouble, [forgetSpotifyTrouble])
  return (
    <div className="border-b border-hairline py-4">
      <h3 className="text-15">Spotify</h3>
      {act === 'finishing' ? (
        <Note>Signing you in…</Note>
      ) : spotify ? (
        <Standing spotify={spotify} busy={act !== null} />
      ) : (
        !unread && <Note>Asking whether you are signed in…</Note>
      )}
      {unread && !spotify && (
        <div role="alert" className="mt-0.5">
          <p className="text-13 text-muted">{unread}</p>
          <Button className="mt-3" onClick={() => void refreshSpotify()}>
            Try again
          </Button>
        </div>
      )}
      {trouble && (
        <p role="alert" className="mt-3 max-w-[34rem] text-13 wrap-anywhere text-danger">
          <BacktickText text={trouble} />
        </p>
      )}
    </div>
  )
}

function Standing({ spotify, busy }: { spotify: SpotifyState; busy: boolean }) {
  const { signInToSpotify, signOutOfSpotify } = useStore.getState()
  switch (spotify.status) {
    case 'notSetUp':
      return <SettingUp redirect={spotify.redirect} />
    case 'signedOut':
      return (
        <>
          <Note>She plays what you ask for, in your account.</Note>
          <Elsewhere redirect={spotify.redirect} />
          <Button className="mt-3" disabled={busy} onClick={() => void signInToSpotify()}>
            {busy ? 'Opening Spotify…' : 'Sign in to Spotify'}
          </Button>
        </>
      )
    case 'signedIn':
      return (
        <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-2">
          <p role="status" className="flex items-center gap-1.5 text-13 text-muted">
            <Check size={15} className="text-ok" /> Signed in
          </p>
          <Button disabled={busy} onClick={() => void signOutOfSpotify()}>
            {busy ? 'Signing out…' : 'Sign out'}
          </Button>
        </div>
      )
  }
}

function SettingUp({ redirect }: { redirect: string }) {
  return (
    <>
      <Note>
        Create an app on{' '}
        <a href="https://developer.spotify.com/dashboard" target="_blank" rel="noopener noreferrer" className={LINK}>
          Spotify’s developer page
        </a>
        , and allow this redirect address there:
      </Note>
      <p className="mt-2 flex max-w-(--measure) items-center gap-1">
        <code className="min-w-0 rounded-control bg-well px-2.5 py-1.5 font-mono text-12 break-all shadow-[inset_0_0_0_1px_var(--hairline)]">{redirect}</code>
        <CopyButton text={redirect} label="Copy the redirect address" />
      </p>
      <p className="mt-2 max-w-[34rem] text-13 text-muted">
        <BacktickText text="Then put the app’s client ID into the field below." />
      </p>
    </>
  )
}

/**
 * A warning if Spotify returns to another origin: the browser's session belongs to one address, so the user
 * would arrive there signed out.
 */
function Elsewhere({ redirect }: { redirect: string }) {
  const origin = URL.canParse(redirect) ? new URL(redirect).origin : window.location.origin
  if (origin === window.location.origin) return null
  return (
    <p className="mt-2 max-w-[34rem] text-13 text-warn">
      Spotify sends you back to another address than this one. Sign in from there:{' '}
      <a href={`${origin}/${fragmentOf({ page: 'settings', section: 'spotify' })}`} className={`${LINK} break-all`}>
        {origin}
      </a>
    </p>
  )
}

function Note({ children }: { children: ReactNode }) {
  return <p className="mt-0.5 max-w-[34rem] text-13 text-muted">{children}</p>
}
