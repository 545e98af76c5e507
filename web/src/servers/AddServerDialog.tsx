import { TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '@/design/Button'
import { Dialog } from '@/design/Dialog'
import { TextField } from '@/design/Field'
import { classNames } from '@/design/classNames'
import { EditText } from '@/memory/EditText'
import { useStore } from '@/store'
import { plain } from '@/tools/wording'
import { chosen } from './known'
import { KnownList } from './KnownList'
import { isAddress, nameTrouble, readPairs, readPasted, readCommandOrAddress, type ServerEntry } from './paste'
import { useServerStore } from './useServerStore'

const METHODS = { known: 'From a list', paste: 'Paste JSON', write: 'Fill in' }
type InputMethod = keyof typeof METHODS

const EXAMPLE = `{
  "mcpServers": {
    "time": {
      "command": "uvx",
      "args": ["mcp-server-time"]
    }
  }
}`

/** The input of the dialog. */
interface Draft {
  known: string | null
  folder: string
  json: string
  name: string
  reach: string
  more: string
}

/**
 * The dialog for third-party servers: chosen from a list, pasted in the format of other clients, or typed.
 * Adding a server approves it.
 */
export default function AddServerDialog() {
  const { addServers } = useServerStore.getState()
  const { show, go } = useStore.getState()
  const taken = useServerStore((state) => state.servers)?.map(({ name }) => name) ?? []
  const [method, setMethod] = useState<InputMethod>('known')
  const [draft, setDraft] = useState<Draft>({ known: null, folder: '', json: '', name: '', reach: '', more: '' })
  const [state, setState] = useState<{ busy: boolean; trouble: string | null }>({ busy: false, trouble: null })
  const write = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part })
    setState({ busy: false, trouble: null })
  }
  const close = () => show(null)
  const add = async () => {
    if (state.busy) return
    const read = { known: () => chosen(draft.known, draft.folder, taken), paste: () => pasted(draft, taken), write: () => written(draft, taken) }[method]()
    if ('trouble' in read) {
      setState({ busy: false, trouble: read.trouble })
      return
    }
    setState({ busy: true, trouble: null })
    const trouble = await addServers(read.entries)
    if (trouble !== null) {
      setState({ busy: false, trouble })
      return
    }
    close()
    const [only] = read.entries
    go(read.entries.length === 1 && only ? { page: 'servers', name: only.name } : { page: 'servers' })
  }
  return (
    <Dialog title="Add a server" about="Connects a program that gives her new tools." onClose={close} width="sm:w-[34rem]">
      <form
        className="flex min-h-0 flex-1 flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-5 pt-px pb-4">
          <MethodSwitch
            method={method}
            onChange={(chosen) => {
              setMethod(chosen)
              setState({ busy: false, trouble: null })
            }}
          />
          {method === 'known' && <KnownList chosen={draft.known} folder={draft.folder} onChange={write} />}
          {method === 'paste' && <Paste draft={draft} onChange={write} />}
          {method === 'write' && <Write draft={draft} onChange={write} />}
          <p className="flex gap-2.5 rounded-card bg-[color-mix(in_oklab,var(--warn)_10%,transparent)] px-3.5 py-2.5 text-13 text-pretty text-muted">
            <TriangleAlert size={16} className="mt-0.5 text-warn" />
            <span>
              <span className="text-text">A server runs with your rights.</span> It can read and change whatever you can, so only add what you trust.
            </span>
          </p>
        </div>
        {/* The buttons stay visible, however long the list is. */}
        <div className="flex flex-wrap items-center justify-end gap-2 border-t border-hairline px-5 py-3.5">
          {state.trouble && (
            <p role="alert" className="min-w-48 flex-1 text-13 wrap-anywhere text-danger">
              {state.trouble}
            </p>
          )}
          <Button variant="quiet" onClick={close}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" disabled={state.busy}>
            {state.busy ? 'Adding…' : 'Add and connect'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type Wanted = { entries: ServerEntry[] } | { trouble: string }

function pasted({ json, name }: Draft, taken: string[]): Wanted {
  const read = readPasted(json)
  if ('trouble' in read) return read
  return named(read.entries.map((entry) => (entry.name === '' ? { ...entry, name: name.trim() } : entry)), taken)
}

function written({ name, reach, more }: Draft, taken: string[]): Wanted {
  const read = readCommandOrAddress(reach)
  if ('trouble' in read) return read
  const remote = isAddress(reach)
  const extra = readPairs(more, remote ? ':' : '=')
  if ('line' in extra) return { trouble: remote ? `“${extra.line}” is not a header: write Name: value.` : `“${extra.line}” is not a variable: write NAME=value.` }
  const given = Object.keys(extra.pairs).length > 0 ? { [remote ? 'headers' : 'env']: extra.pairs } : {}
  return named([{ name: name.trim(), server: { ...read.server, ...given } }], taken)
}

function named(entries: ServerEntry[], taken: string[]): Wanted {
  const trouble = entries.map(({ name }) => nameTrouble(name, taken)).find((one) => one !== null)
  return trouble ? { trouble } : { entries }
}

function MethodSwitch({ method, onChange }: { method: InputMethod; onChange: (method: InputMethod) => void }) {
  const group = useId()
  return (
    <fieldset className="grid w-full grid-cols-3 rounded-control bg-[color-mix(in_oklab,var(--text)_6%,transparent)] p-0.5">
      <legend className="sr-only">How do you want to add it?</legend>
      {Object.entries(METHODS).map(([key, title]) => (
        <label
          key={key}
          className={classNames(
            'flex h-8 items-center justify-center rounded-[5px] text-13 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-blue pointer-coarse:h-10',
            method === key ? 'bg-raised text-text shadow-lit' : 'text-muted hover:text-text',
          )}
        >
          <input type="radio" name={group} checked={method === key} onChange={() => onChange(key as InputMethod)} className="sr-only" />
          {title}
        </label>
      ))}
    </fieldset>
  )
}

interface PartProps {
  draft: Draft
  onChange: (part: Partial<Draft>) => void
}

function Paste({ draft, onChange }: PartProps) {
  const read = readPasted(draft.json)
  const entries = 'entries' in read ? read.entries : []
  return (
    <>
      <label className="flex flex-col gap-1.5">
        <span className="text-13 text-muted">The JSON from the server’s own page: a whole file, or one entry</span>
        <EditText focus label="JSON of the server" placeholder={EXAMPLE} value={draft.json} onChange={(json) => onChange({ json })} spellCheck={false} dir="ltr" className="min-h-50 font-mono pointer-fine:text-13/5" />
      </label>
      {entries.some(({ name }) => name === '') && <NameField draft={draft} onChange={onChange} />}
      {entries.length > 0 && (
        <ul aria-label="What would be added" className="flex flex-col gap-1.5">
          {entries.map(({ name, server }) => (
            <li key={name} className="flex min-w-0 items-baseline gap-3 text-13">
              <span className="shrink-0">{plain(name || draft.name || 'no name yet')}</span>
              <code className="min-w-0 flex-1 truncate font-mono text-12 text-muted" dir="ltr">
                {plain(inOneLine(server))}
              </code>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Returns the command line, or the address. Keys in the environment are not shown. */
function inOneLine({ command, args, url }: Record<string, unknown>): string {
  if (typeof url === 'string') return url
  return [command, ...(Array.isArray(args) ? args : [])].join(' ')
}

function NameField({ draft, onChange }: PartProps) {
  return (
    <label className="flex flex-col gap-1.5">
      <span className="text-13 text-muted">Name</span>
      <TextField value={draft.name} placeholder="calendar" dir="auto" maxLength={64} onChange={(event) => onChange({ name: event.target.value })} />
    </label>
  )
}

function Write({ draft, onChange }: PartProps) {
  const remote = isAddress(draft.reach)
  return (
    <>
      <NameField draft={draft} onChange={onChange} />
      <label className="flex flex-col gap-1.5">
        <span className="text-13 text-muted">Command line, or address</span>
        <TextField mono value={draft.reach} placeholder="npx -y @modelcontextprotocol/server-memory" dir="ltr" onChange={(event) => onChange({ reach: event.target.value })} />
      </label>
      <label className="flex flex-col gap-1.5">
        <span className="text-13 text-muted">
          {remote ? 'Headers' : 'Environment'} <span className="text-faint">optional, one on each line</span>
        </span>
        <EditText label={remote ? 'Headers' : 'Environment'} value={draft.more} placeholder={remote ? 'Authorization: Bearer …' : 'API_KEY=…'} onChange={(more) => onChange({ more })} spellCheck={false} dir="ltr" className="min-h-14 font-mono pointer-fine:text-13/5" />
      </label>
    </>
  )
}
