import { FolderCode, Keyboard, X } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import type { CodeRoot } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { TextField } from '@/design/Field'
import { since } from '@/design/format'
import { IconButton } from '@/design/IconButton'
import { BacktickText } from '@/design/BacktickText'
import { plain } from '@/tools/wording'
import { FolderPicker } from './FolderPicker'
import { useCodeStore } from './useCodeStore'

/** The form that opens a folder: a recent one, one found by browsing, or a typed path. */
export function FolderForm({ onOpened }: { onOpened: () => void }) {
  const roots = useCodeStore((state) => state.roots)
  const root = useCodeStore((state) => state.root)
  const opening = useCodeStore((state) => state.opening)
  const trouble = useCodeStore((state) => state.openTrouble)
  const { openFolder, dropOpenTrouble, refreshRoots } = useCodeStore.getState()
  const note = useId()
  useEffect(() => {
    dropOpenTrouble()
    void refreshRoots()
  }, [dropOpenTrouble, refreshRoots])
  const go = async (wanted: string) => {
    if (await openFolder(wanted.trim())) onOpened()
  }
  const others = (roots ?? []).filter((known) => known.path !== root)
  return (
    <>
      {others.length > 0 && (
        <section aria-label="Recent folders" className="pb-5">
          <h2 className="text-13 text-muted">Recent folders</h2>
          <ul className="-mx-2.5 pt-1">
            {others.slice(0, MOST_RECENT).map((known) => (
              <Used key={known.path} root={known} busy={opening !== null} onOpen={() => void go(known.path)} />
            ))}
          </ul>
        </section>
      )}
      <h2 className="pb-1.5 text-13 text-muted">{others.length > 0 ? 'Or choose another' : 'Choose a folder on this machine'}</h2>
      <FolderPicker action={opening !== null ? 'Opening…' : 'Open this folder'} busy={opening !== null} onPick={(path) => void go(path)} />
      <p id={note} role="status" className="mt-1.5 min-h-5 text-13 wrap-anywhere text-danger">
        {trouble && <BacktickText text={trouble} />}
      </p>
      <TypedPath note={note} onOpen={(path) => void go(path)} />
    </>
  )
}

/** The most recent folders listed. A longer list would have to be searched and be no shortcut. */
const MOST_RECENT = 6

/** The field for a typed path. */
function TypedPath({ note, onOpen }: { note: string; onOpen: (path: string) => void }) {
  const opening = useCodeStore((state) => state.opening !== null)
  const trouble = useCodeStore((state) => state.openTrouble)
  const [shown, setShown] = useState(false)
  const [path, setPath] = useState('')
  const field = useId()
  if (!shown) {
    return (
      <Button variant="quiet" className="-ms-3" icon={<Keyboard size={15} />} onClick={() => setShown(true)}>
        Type a path instead
      </Button>
    )
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (path.trim() !== '') onOpen(path)
      }}
    >
      <label htmlFor={field} className="text-13 text-muted">
        Path on the machine where Perigee runs
      </label>
      <div className="mt-1.5 flex gap-2">
        <TextField
          id={field}
          mono
          autoFocus
          dir="ltr"
          autoCapitalize="off"
          placeholder="~/projects/moon"
          aria-describedby={note}
          aria-invalid={trouble !== null}
          value={path}
          onChange={(event) => {
            setPath(event.target.value)
            if (trouble !== null) useCodeStore.getState().dropOpenTrouble()
          }}
        />
        <Button type="submit" className="h-9 pointer-coarse:h-11!" disabled={opening} aria-disabled={path.trim() === ''}>
          Open
        </Button>
      </div>
    </form>
  )
}

function Used({ root, busy, onOpen }: { root: CodeRoot; busy: boolean; onOpen: () => void }) {
  return (
    <li className="group/used relative flex items-center rounded-control transition-colors hover:bg-hover">
      <button type="button" disabled={busy} onClick={onOpen} className="flex min-w-0 flex-1 items-center gap-3 rounded-control px-2.5 py-2 text-start pointer-coarse:py-3">
        <FolderCode size={17} className="text-faint" />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-3">
            <bdi className="min-w-0 flex-1 truncate text-15">{plain(root.name)}</bdi>
            <span className="shrink-0 text-12 text-faint">{since(new Date(root.usedAt).toISOString(), new Date())}</span>
          </span>
          <bdi className="block truncate font-mono text-12 text-muted">{plain(root.path)}</bdi>
          {root.trouble && <span className="block text-12 wrap-anywhere text-warn">{plain(root.trouble)}</span>}
        </span>
      </button>
      <IconButton size="small" label={`Remove ${root.name} from this list`} className="me-1.5 opacity-0 group-focus-within/used:opacity-100 group-hover/used:opacity-100 touch:opacity-100" onClick={() => void useCodeStore.getState().forgetFolder(root.path)}>
        <X size={14} />
      </IconButton>
    </li>
  )
}
