import { ChevronRight, CornerLeftUp, Folder, FolderCode, House } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { FolderList } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import { BacktickText } from '@/design/BacktickText'
import { plain } from '@/tools/wording'
import { useCodeStore } from './useCodeStore'

interface Props {
  /** The label of the button that picks the current folder. */
  action: string
  /** The look of that button: `raised` if another button is the primary one. */
  variant?: 'primary' | 'raised'
  busy?: boolean
  onPick: (path: string) => void
}

/** A browser for the folders of the machine that Perigee runs on. */
export function FolderPicker({ action, variant = 'primary', busy = false, onPick }: Props) {
  const folder = useCodeStore((state) => state.browsedFolder)
  const trouble = useCodeStore((state) => state.browseTrouble)
  const walking = useCodeStore((state) => state.browsing)
  const walkTo = useCodeStore((state) => state.browseTo)
  useEffect(() => {
    if (!useCodeStore.getState().browsedFolder) void walkTo()
  }, [walkTo])
  return (
    <section aria-label="Folders of this machine" className="overflow-hidden rounded-card bg-well shadow-[inset_0_0_0_1px_var(--hairline)]">
      <div className="flex items-center gap-0.5 border-b border-hairline px-1.5 py-1">
        <IconButton size="small" label="Home folder" onClick={() => void walkTo()}>
          <House size={15} />
        </IconButton>
        <IconButton size="small" label="Up one folder" disabled={!folder?.parent} className="disabled:opacity-40" onClick={() => folder?.parent && void walkTo(folder.parent)}>
          <CornerLeftUp size={15} />
        </IconButton>
        <Crumbs path={folder?.path ?? ''} onGo={(path) => void walkTo(path)} />
      </div>
      {trouble && (
        <p role="alert" className="px-3.5 py-2 text-13 wrap-anywhere text-danger">
          <BacktickText text={trouble} />
        </p>
      )}
      {folder ? <Inside folder={folder} busy={walking !== null} /> : !trouble && <p className="px-3.5 py-4 text-13 text-muted">Looking for folders…</p>}
      <div className="flex items-center gap-3 border-t border-hairline bg-surface px-3 py-2">
        <p className="min-w-0 flex-1 truncate text-13 text-muted">
          <bdi>{folder ? plain(nameOf(folder.path)) : ''}</bdi>
        </p>
        <Button variant={variant} disabled={busy || !folder} onClick={() => folder && onPick(folder.path)}>
          {action}
        </Button>
      </div>
    </section>
  )
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1) || '/'

/** The breadcrumbs to the current folder, scrolled to their end. */
function Crumbs({ path, onGo }: { path: string; onGo: (path: string) => void }) {
  const row = useRef<HTMLElement>(null)
  useEffect(() => {
    if (row.current) row.current.scrollLeft = row.current.scrollWidth
  }, [path])
  const parts = path.split('/').filter(Boolean)
  return (
    <nav ref={row} aria-label="Current folder" className="flex min-w-0 flex-1 items-center overflow-x-auto [scrollbar-width:none]">
      {parts.map((part, index) => {
        const last = index === parts.length - 1
        return (
          <span key={index} className="flex shrink-0 items-center">
            <ChevronRight size={13} aria-hidden="true" className="text-faint" />
            <button
              type="button"
              aria-current={last ? 'location' : undefined}
              onClick={() => onGo(`/${parts.slice(0, index + 1).join('/')}`)}
              className={classNames('max-w-40 truncate rounded-control px-1.5 py-1 text-13 transition-colors hover:bg-hover pointer-coarse:py-2.5', last ? 'text-text' : 'text-muted hover:text-text')}
            >
              <bdi>{plain(part)}</bdi>
            </button>
          </span>
        )
      })}
    </nav>
  )
}

function Inside({ folder: { folders, more }, busy }: { folder: FolderList; busy: boolean }) {
  const walkTo = useCodeStore((state) => state.browseTo)
  return (
    <ul aria-label="Folders here" aria-busy={busy} onKeyDown={walkRows} className="h-56 overflow-y-auto p-1">
      {folders.map(({ name, path, project }) => (
        <li key={path}>
          <button
            type="button"
            onClick={() => void walkTo(path)}
            className="flex w-full items-center gap-2.5 rounded-control px-2.5 py-1.5 text-start text-13 transition-colors hover:bg-hover pointer-coarse:py-3"
          >
            {project ? <FolderCode size={16} className="shrink-0 text-accent-text" /> : <Folder size={16} className="shrink-0 text-faint" />}
            <bdi className="min-w-0 flex-1 truncate">{plain(name)}</bdi>
            {project && <span className="text-12 text-faint">project</span>}
            <ChevronRight size={14} aria-hidden="true" className="text-faint" />
          </button>
        </li>
      ))}
      {folders.length === 0 && <li className="px-2.5 py-2 text-13 text-muted">There are no folders here.</li>}
      {more && <li className="px-2.5 py-2 text-13 text-muted">There are too many folders to list them all. Type the path instead.</li>}
    </ul>
  )
}

/** Moves through the rows with the arrow keys. */
function walkRows(event: KeyboardEvent<HTMLUListElement>): void {
  const rows = [...event.currentTarget.querySelectorAll('button')]
  const at = rows.indexOf(document.activeElement as HTMLButtonElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
  if (next === undefined) return
  event.preventDefault()
  rows[Math.max(0, Math.min(rows.length - 1, next))]?.focus()
}
