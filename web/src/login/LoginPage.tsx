import { useEffect, useId, useState } from 'react'
import { Button } from '@/design/Button'
import { TextField } from '@/design/Field'
import { Face } from '@/design/Moon'
import { BacktickText } from '@/design/BacktickText'
import { useStore } from '@/store'

/** The login page for a browser without a session: takes a token or a one-time code. */
export default function LoginPage() {
  const session = useStore((state) => state.session)
  useEffect(() => {
    document.title = 'Perigee'
  }, [])
  return (
    <main className="moonlit flex h-full flex-col items-center overflow-y-auto px-6 py-[12vh]">
      <div className="w-full max-w-[22rem]">
        <Face size={64} mood={session === 'unreachable' ? 'sorry' : 'calm'} />
        {session === 'unreachable' ? <Unreachable /> : <SignIn />}
      </div>
    </main>
  )
}

/** The interval between attempts to reach the server; the page loads by itself when it is back. */
const RETRY_MS = 4000

function Unreachable() {
  const trouble = useStore((state) => state.loginTrouble)
  const beginSession = useStore((state) => state.beginSession)
  useEffect(() => {
    const timer = setInterval(() => void beginSession(), RETRY_MS)
    return () => clearInterval(timer)
  }, [beginSession])
  return (
    <>
      <h1 className="display mt-6 text-30">Perigee is not running</h1>
      <p className="mt-3 text-15 text-muted" role="alert">
        {trouble}
      </p>
      <p className="mt-2 text-15 text-muted">
        To start it, run <Mono>perigee serve</Mono> in a terminal.
      </p>
      <Button variant="primary" className="mt-6 h-10 px-5" onClick={() => void beginSession()}>
        Try again
      </Button>
    </>
  )
}

function SignIn() {
  const trouble = useStore((state) => state.loginTrouble)
  const busy = useStore((state) => state.signingIn)
  const signInWith = useStore((state) => state.signInWith)
  const [secret, setSecret] = useState('')
  const field = useId()
  const note = useId()
  const send = () => {
    const text = secret.trim()
    if (text !== '') void signInWith(text)
  }
  return (
    <>
      <h1 className="display mt-6 text-30">Sign in to continue</h1>
      <p className="mt-3 text-15 text-muted">
        Run <Mono>perigee open</Mono> in a terminal on the machine where Perigee runs: it opens this page signed in, or prints a link that does.
      </p>
      <form
        className="mt-8 flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <label htmlFor={field} className="text-13 text-muted">
          Or paste a token or a one-time code
        </label>
        <TextField
          id={field}
          type="password"
          mono
          autoFocus
          autoComplete="current-password"
          className="h-11"
          value={secret}
          aria-invalid={trouble !== null}
          aria-describedby={note}
          onChange={(event) => setSecret(event.target.value)}
        />
        <p id={note} role="alert" className="mb-2 min-h-5 text-13 text-danger">
          <BacktickText text={trouble ?? ''} />
        </p>
        <Button variant="primary" type="submit" className="h-11" disabled={busy}>
          {busy ? 'Signing in…' : 'Sign in'}
        </Button>
      </form>
      <p className="mt-6 text-13 text-faint">
        <Mono>perigee token</Mono> prints the token of this machine.
      </p>
    </>
  )
}

function Mono({ children }: { children: string }) {
  return <code className="rounded-[4px] bg-[color-mix(in_oklab,var(--text)_8%,transparent)] px-1.5 py-0.5 font-mono text-[0.875em] text-text">{children}</code>
}
