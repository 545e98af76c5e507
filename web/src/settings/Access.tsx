import { useEffect, useState } from 'react'
import type { Scope, User, UserId } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { CopyButton } from '@/design/CopyButton'
import { TextField } from '@/design/Field'
import { fullTime, since } from '@/design/format'
import { useStore } from '@/store'
import { browserName } from './browserName'
import { Phone } from './Phone'

/** The devices and programs with access: signed-in browsers and access tokens. */
export function Access() {
  const sessions = useStore((state) => state.sessions)
  const tokens = useStore((state) => state.tokens)
  const people = useStore((state) => state.people)
  const trouble = useStore((state) => state.accessTrouble)
  const { refreshAccess, endSession, endToken, forgetSecret } = useStore.getState()
  useEffect(() => {
    void refreshAccess()
    return forgetSecret
  }, [refreshAccess, forgetSecret])
  return (
    <>
      {trouble && (
        <p role="alert" className="py-3 text-13 text-danger">
          {trouble}
        </p>
      )}
      <Phone />
      <h3 className="pt-6 text-15">Signed-in browsers</h3>
      <ul className="divide-y divide-hairline">
        {sessions.map((session) => (
          <Entry
            key={session.id}
            title={browserName(session.agent)}
            note={[...whose(session, people), session.current ? 'this browser' : `last used ${since(session.lastUsedAt, new Date())}`].join(' · ')}
            since={session.createdAt}
            action={session.current ? 'Sign out' : 'Revoke'}
            onRevoke={() => void endSession(session.id)}
          />
        ))}
      </ul>
      <h3 className="pt-7 text-15">Access tokens</h3>
      <p className="mt-0.5 text-13 text-muted">For programs that talk to her. A token can be revoked at any time.</p>
      <ul className="divide-y divide-hairline">
        {tokens.map((token) => (
          <Entry
            key={token.id}
            title={token.name}
            note={[...whose(token, people), token.scopes.join(', '), token.lastUsedAt ? `used ${since(token.lastUsedAt, new Date())}` : 'never used'].join(' · ')}
            since={token.createdAt}
            action="Revoke"
            onRevoke={() => void endToken(token.id)}
          />
        ))}
      </ul>
      <NewToken />
    </>
  )
}

/** Returns the name of the user to whom the entry belongs, or nothing for the owner. */
export function whose(entry: { user: UserId }, people: User[]): string[] {
  const person = people.find((person) => person.id === entry.user)
  return person && !person.owner ? [person.name] : []
}

interface EntryProps {
  title: string
  note: string
  since: string
  action: string
  onRevoke: () => void
}

function Entry({ title, note, since, action, onRevoke }: EntryProps) {
  return (
    <li className="flex items-center gap-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="truncate text-15" title={`Since ${fullTime(since)}`}>
          {title}
        </p>
        <p className="text-12 text-faint">{note}</p>
      </div>
      <Button variant={action === 'Revoke' ? 'danger' : 'raised'} aria-label={`${action}: ${title}`} onClick={onRevoke}>
        {action}
      </Button>
    </li>
  )
}

const SCOPES: { scope: Scope; title: string }[] = [
  { scope: 'chat', title: 'Chat' },
  { scope: 'memory.read', title: 'Read memory' },
  { scope: 'memory.write', title: 'Write memory' },
]

function NewToken() {
  const secret = useStore((state) => state.freshSecret)
  const makeToken = useStore((state) => state.makeToken)
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<Scope[]>(['chat'])
  const make = async () => {
    await makeToken(name.trim(), scopes)
    setName('')
  }
  return (
    <div className="mt-2">
      {secret && (
        <div role="status" className="mb-3 rounded-card bg-raised px-4 py-3 shadow-lit">
          <p className="text-13 text-muted">This token is shown only once. Copy it now.</p>
          <p className="mt-1 flex items-center gap-2">
            <code className="min-w-0 flex-1 font-mono text-13 break-all">{secret}</code>
            <CopyButton text={secret} label="Copy the token" />
          </p>
        </div>
      )}
      <form
        className="flex flex-wrap items-center gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '' && scopes.length > 0) void make()
        }}
      >
        <div className="w-52">
          <TextField aria-label="Name of the token" placeholder="What is it for?" value={name} maxLength={60} onChange={(event) => setName(event.target.value)} />
        </div>
        <fieldset className="flex flex-wrap gap-x-4 gap-y-1 text-13 text-muted">
          <legend className="sr-only">What it may do</legend>
          {SCOPES.map(({ scope, title }) => (
            <label key={scope} className="flex items-center gap-1.5">
              <input
                type="checkbox"
                className="size-3.5 accent-(--accent)"
                checked={scopes.includes(scope)}
                onChange={(event) => setScopes(event.target.checked ? [...scopes, scope] : scopes.filter((other) => other !== scope))}
              />
              {title}
            </label>
          ))}
        </fieldset>
        <Button type="submit">Create a token</Button>
      </form>
    </div>
  )
}
