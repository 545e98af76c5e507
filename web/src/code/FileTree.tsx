import { Check, ChevronRight, Minus } from 'lucide-react'
import { type KeyboardEvent, memo, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useWindowed } from '@/chats/useWindowed'
import type { CodeRoot, FileChangeKind } from '@/api/protocol.gen'
import { classNames } from '@/design/classNames'
import { hasMouse } from '@/design/media'
import { RetryNote, LoadingNote } from '@/shell/PageFrame'
import { useStore } from '@/store'
import { plain } from '@/tools/wording'
import { fileInView } from './tabSlice'
import { FileIcon } from './FileIcon'
import { openProposal } from './reviewSlice'
import { useCodeStore } from './useCodeStore'
import { MatchedPath } from './MatchedPath'
import { folderOf, buildTree, marks, type Row, rowsOf, searched, type Tick, tickOf } from './tree'

const ROW = hasMouse() ? 28 : 44

/** The file tree of the folder. Only visible rows are rendered, so that any number of files works. */
export function FileTree({ root }: { root: CodeRoot }) {
  const files = useCodeStore((state) => state.files)
  const trouble = useCodeStore((state) => state.filesTrouble)
  const { refreshAll } = useCodeStore.getState()
  // The centre pane describes the problem with the folder.
  if (root.trouble) return <div className="min-h-0 flex-1" />
  if (trouble && !files) return <div className="min-h-0 flex-1 overflow-y-auto px-4"><RetryNote text={trouble} onRetry={() => void refreshAll()} /></div>
  if (!files) return <div className="min-h-0 flex-1 px-4"><LoadingNote text="Looking through the folder…" /></div>
  if (files.length === 0) {
    return (
      <p className="min-h-0 flex-1 px-4.5 py-3 text-13 text-pretty text-muted">
        This folder is empty. Ask her to create something in it, or add files yourself.
      </p>
    )
  }
  return <Tree key={root.path} name={root.name} />
}

function Tree({ name }: { name: string }) {
  const { rows, filtering } = useRows()
  const scroller = useRef<HTMLDivElement>(null)
  const heights = useMemo(() => rows.map(() => ROW), [rows])
  const { offsets, first, end } = useWindowed(scroller, heights)
  const seen = useCodeStore(fileInView)
  const choosing = useCodeStore((state) => state.choosing)
  const more = useCodeStore((state) => state.moreFiles)
  const marked = useMarks()
  const id = useId()
  const [at, setAt] = useState<string | null>(null)
  const active = Math.max(0, rows.findIndex(({ path }) => path === (at ?? seen)))
  const press = useKeys(rows, active, setAt)
  useInView(scroller, active, at)

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={scroller}
        role="tree"
        aria-label={filtering ? 'Matching files' : `Files of ${name}`}
        aria-multiselectable={choosing !== null ? true : undefined}
        tabIndex={0}
        {...(rows.length > 0 ? { 'aria-activedescendant': `${id}-${active}` } : {})}
        onKeyDown={press}
        className="file-tree min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 pb-2 outline-none"
      >
        <div role="none" style={{ paddingTop: offsets[first] ?? 0, paddingBottom: (offsets.at(-1) ?? 0) - (offsets[end] ?? 0) }}>
          {rows.slice(first, end).map((row, index) => (
            <Line
              key={row.path}
              id={`${id}-${first + index}`}
              row={row}
              found={filtering}
              active={first + index === active}
              seen={row.path === seen}
              change={marked.get(row.path)}
              tick={choosing === null ? null : tickOf(row.path, choosing)}
              onAt={setAt}
            />
          ))}
        </div>
        {rows.length === 0 && <p className="px-2.5 py-3 text-13 text-muted">No file by that name.</p>}
        {more && !filtering && <p className="px-2.5 py-2 text-12 text-faint">There are too many files to list them all. Open a folder inside this one instead.</p>}
      </div>
    </div>
  )
}

function useRows(): { rows: Row[]; filtering: boolean } {
  const files = useCodeStore((state) => state.files)
  const grown = useCodeStore((state) => state.tree)
  const paths = useCodeStore((state) => state.paths)
  const proposed = useCodeStore((state) => openProposal(state.proposals)?.files)
  const open = useCodeStore((state) => state.openFolders)
  const filter = useCodeStore((state) => state.filter.trim())
  const filtering = filter !== ''
  // Files that the proposal would add are shown at their future place.
  const tree = useMemo(() => {
    const added = (proposed ?? []).filter(({ path }) => !paths.has(path))
    return added.length === 0 ? grown : buildTree([...(files ?? []), ...added.map(({ path }) => ({ path, bytes: 0, included: true }))])
  }, [grown, files, paths, proposed])
  const rows = useMemo(() => (filtering ? searched(files ?? [], filter) : rowsOf(tree, open)), [filtering, files, filter, tree, open])
  return { rows, filtering }
}

function useMarks(): ReadonlyMap<string, FileChangeKind> {
  const open = useCodeStore((state) => openProposal(state.proposals))
  return useMemo(() => marks(open?.files ?? []), [open])
}

function act(row: Row): void {
  const { choosing, tick, setFolder, paths, proposals } = useCodeStore.getState()
  const proposal = openProposal(proposals)
  if (choosing !== null) tick(row.path)
  else if (row.kind === 'folder') setFolder(row.path, !row.open)
  // A file that does not exist yet can only be seen in the review.
  else if (!paths.has(row.path) && proposal) useStore.getState().go({ page: 'code', view: 'review', item: proposal.id })
  else useStore.getState().go({ page: 'code', view: 'file', item: row.path })
}

const PAGE = 20

/** Provides the usual tree keys: arrows, Home and End, and type-ahead. */
function useKeys(rows: Row[], active: number, onAt: (path: string) => void) {
  const typed = useRef({ text: '', at: 0 })
  return (event: KeyboardEvent) => {
    const row = rows[active]
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const { setFolder } = useCodeStore.getState()
    const to = (index: number) => {
      const next = rows[Math.max(0, Math.min(rows.length - 1, index))]
      if (next) onAt(next.path)
    }
    const parent = () => rows.findIndex(({ path }) => path === folderOf(row.path))
    switch (event.key) {
      case 'ArrowDown':
        to(active + 1)
        break
      case 'ArrowUp':
        to(active - 1)
        break
      case 'PageDown':
        to(active + PAGE)
        break
      case 'PageUp':
        to(active - PAGE)
        break
      case 'Home':
        to(0)
        break
      case 'End':
        to(rows.length - 1)
        break
      case 'ArrowRight':
        if (row.kind === 'folder' && !row.open) setFolder(row.path, true)
        else if (row.open) to(active + 1)
        break
      case 'ArrowLeft':
        if (row.open) setFolder(row.path, false)
        else if (parent() >= 0) to(parent())
        break
      case 'Enter':
      case ' ':
        onAt(row.path)
        act(row)
        break
      default: {
        if (event.key.length !== 1) return
        const now = performance.now()
        typed.current = { text: (now - typed.current.at < 700 ? typed.current.text : '') + event.key.toLowerCase(), at: now }
        const { text } = typed.current
        const order = [...rows.slice(active + (text.length > 1 ? 0 : 1)), ...rows.slice(0, active + 1)]
        const found = order.find(({ name }) => name.toLowerCase().startsWith(text))
        if (found) onAt(found.path)
      }
    }
    event.preventDefault()
    event.stopPropagation()
  }
}

/** Scrolls the active row into view, even if it was not rendered before. */
function useInView(scroller: RefObject<HTMLDivElement | null>, active: number, at: string | null): void {
  useEffect(() => {
    const view = scroller.current
    if (!view || at === null) return
    const top = active * ROW
    if (top < view.scrollTop) view.scrollTop = top
    else if (top + ROW > view.scrollTop + view.clientHeight) view.scrollTop = top + ROW - view.clientHeight
  }, [scroller, active, at])
}

const CHANGES: Record<FileChangeKind, { sign: string; colour: string; spoken: string }> = {
  added: { sign: 'A', colour: 'text-ok', spoken: 'would be added' },
  deleted: { sign: 'D', colour: 'text-danger', spoken: 'would be deleted' },
  changed: { sign: 'M', colour: 'text-warn', spoken: 'would change' },
  renamed: { sign: 'R', colour: 'text-blue', spoken: 'would be renamed' },
  binary: { sign: 'B', colour: 'text-warn', spoken: 'would change' },
}

interface LineProps {
  id: string
  row: Row
  found: boolean
  active: boolean
  seen: boolean
  change: FileChangeKind | undefined
  tick: Tick | null
  onAt: (path: string) => void
}

const Line = memo(function Line({ id, row, found, active, seen, change, tick, onAt }: LineProps) {
  const { sign, colour, spoken } = change ? CHANGES[change] : { sign: '', colour: '', spoken: '' }
  const folder = row.kind === 'folder'
  const checked = tick === null ? {} : { 'aria-checked': tick === 'some' ? ('mixed' as const) : tick === 'all' }
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.of}
      {...(folder ? { 'aria-expanded': row.open } : {})}
      {...checked}
      aria-selected={seen}
      title={found ? undefined : row.path}
      data-active={active ? '' : undefined}
      onClick={() => {
        onAt(row.path)
        act(row)
      }}
      style={{ height: ROW, paddingInlineStart: `${0.375 + row.depth * 0.875}rem` }}
      className={classNames('group/row flex items-center gap-1.5 rounded-control pe-2 text-13 select-none', seen ? 'bg-pressed text-text' : 'hover:bg-hover', folder || seen ? 'text-text' : 'text-muted')}
    >
      {tick !== null && <TickBox tick={tick} />}
      {folder ? (
        <ChevronRight
          size={14}
          onClick={(event) => {
            // While files are being selected, a click on the arrow still opens the folder.
            if (tick === null) return
            event.stopPropagation()
            onAt(row.path)
            useCodeStore.getState().setFolder(row.path, !row.open)
          }}
          className={classNames('text-faint transition-transform duration-200', row.open && 'rotate-90')}
        />
      ) : (
        <FileIcon path={row.path} />
      )}
      {found ? <MatchedPath path={row.path} marked={row.marked} /> : <bdi className={classNames('min-w-0 flex-1 truncate text-left', change === 'deleted' && 'line-through opacity-70')}>{plain(row.name)}</bdi>}
      {change && folder && !row.open && <span aria-hidden="true" className="size-1.5 rounded-full bg-warn" />}
      {change && !folder && (
        <span aria-hidden="true" className={classNames('font-mono text-12', colour)}>
          {sign}
        </span>
      )}
      {change && (!folder || !row.open) && <span className="sr-only">, {folder ? 'something in it would change' : spoken}</span>}
    </div>
  )
})

function TickBox({ tick }: { tick: Tick }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('grid size-4 shrink-0 place-items-center rounded-[4px]', tick === 'none' ? 'shadow-[inset_0_0_0_1px_var(--faint)]' : 'bg-accent text-on-accent')}
    >
      {tick === 'all' && <Check size={12} className="stroke-[2.5]!" />}
      {tick === 'some' && <Minus size={12} className="stroke-[2.5]!" />}
    </span>
  )
}
