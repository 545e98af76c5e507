import { ChevronDown, FolderCode, FolderPlus, ListChecks, X } from 'lucide-react'
import { useState } from 'react'
import { SidebarButton } from '@/chat/ChatHead'
import { Button } from '@/design/Button'
import { count, plural } from '@/design/format'
import { IconButton } from '@/design/IconButton'
import { Menu, MenuItem, MenuLine } from '@/design/Menu'
import { Progress } from '@/design/Progress'
import type { CodeRoot, IndexState } from '@/api/protocol.gen'
import { sentence } from '@/api/http'
import { useStore } from '@/store'
import { FilterField } from '@/tools/FilterField'
import { plain } from '@/tools/wording'
import { FileTree } from './FileTree'
import { currentRoot } from './rootSlice'
import { useCodeStore } from './useCodeStore'

/** The folder and its files. With `head`, it is a page of its own. */
export function CodeSide({ head = false }: { head?: boolean }) {
  const root = useCodeStore(currentRoot)
  const roots = useCodeStore((state) => state.roots)
  const choosing = useCodeStore((state) => state.choosing)
  const filter = useCodeStore((state) => state.filter)
  const { setFilter, beginChoosing } = useCodeStore.getState()
  if (!root) {
    return (
      <div className="flex min-h-0 flex-1 flex-col px-2 py-1">
        {roots !== null && (
          <button
            type="button"
            onClick={() => useStore.getState().show({ kind: 'openFolder' })}
            className="flex h-9 items-center gap-2.5 rounded-control px-2.5 text-13 text-muted transition-colors hover:bg-hover hover:text-text pointer-coarse:h-11"
          >
            <FolderPlus size={16} />
            Open a folder
          </button>
        )}
      </div>
    )
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="shrink-0 px-2 pb-2">
        <div className={head ? 'flex h-14 items-center gap-1' : 'flex items-center gap-1'}>
          {head && <SidebarButton />}
          {head && <h1 className="sr-only">Files</h1>}
          <RootMenu root={root} />
          {!root.trouble && (
            <IconButton label="Choose what she may change" aria-pressed={choosing !== null} onClick={() => (choosing === null ? beginChoosing() : void useCodeStore.getState().endChoosing('drop'))}>
              <ListChecks size={16} />
            </IconButton>
          )}
        </div>
        {!root.trouble && <IndexLine index={root.index} />}
        {choosing === null && !root.trouble && (
          <div className="mt-2 flex [&>div]:h-8 pointer-coarse:[&>div]:h-11">
            <FilterField label="Find a file by its name" placeholder="Find a file" value={filter} onChange={setFilter} />
          </div>
        )}
        {choosing !== null && <p className="mt-2 px-2.5 text-12 text-pretty text-muted">She can read everything but changes only what is selected.</p>}
      </div>
      <FileTree root={root} />
      {choosing !== null && <Choosing chosen={choosing} />}
    </div>
  )
}

export default CodeSide

function Choosing({ chosen }: { chosen: string[] }) {
  const { chooseAll, endChoosing } = useCodeStore.getState()
  const [busy, setBusy] = useState(false)
  return (
    <div className="flex shrink-0 flex-col gap-2 border-t border-hairline px-4 py-3">
      <p className="text-12 text-muted" role="status">
        {chosen.length === 0 ? 'Everything' : plural(chosen.length, 'item')}
        {chosen.length > 0 && (
          <button type="button" onClick={chooseAll} className="ms-2 rounded-control text-blue underline decoration-1 underline-offset-3">
            Select all
          </button>
        )}
      </p>
      <div className="flex gap-2">
        <Button
          variant="primary"
          className="flex-1"
          disabled={busy}
          onClick={() => {
            setBusy(true)
            void endChoosing('keep').finally(() => setBusy(false))
          }}
        >
          Save
        </Button>
        <Button className="flex-1" onClick={() => void endChoosing('drop')}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

/** The current folder, with a menu of the others. */
function RootMenu({ root }: { root: CodeRoot }) {
  const roots = useCodeStore((state) => state.roots) ?? []
  const { openFolder, forgetFolder } = useCodeStore.getState()
  const { show, notify } = useStore.getState()
  const go = async (path: string) => {
    if (await openFolder(path)) return
    notify({ tone: 'danger', text: useCodeStore.getState().openTrouble ?? '' })
  }
  const trigger = (
    <button
      type="button"
      title={root.path}
      className="flex h-9 min-w-0 flex-1 items-center gap-2.5 rounded-control px-2.5 text-start text-15 font-medium transition-colors hover:bg-hover pointer-coarse:h-11"
    >
      <FolderCode size={16} className="text-accent-text" />
      <bdi className="min-w-0 truncate">{plain(root.name)}</bdi>
      <ChevronDown size={14} className="text-faint" />
    </button>
  )
  return (
    <Menu label="Folders" align="start" trigger={trigger}>
      {roots
        .filter(({ path }) => path !== root.path)
        .map((other) => (
          <MenuItem key={other.path} icon={<FolderCode size={15} />} onSelect={() => void go(other.path)}>
            <span className="flex min-w-0 max-w-72 items-baseline gap-2">
              <bdi className="max-w-full min-w-12 shrink-0 truncate">{plain(other.name)}</bdi>
              <bdi className="min-w-0 truncate text-12 text-faint">{plain(other.path)}</bdi>
            </span>
          </MenuItem>
        ))}
      {roots.length > 1 && <MenuLine />}
      <MenuItem icon={<FolderPlus size={15} />} onSelect={() => show({ kind: 'openFolder' })}>
        Open another folder…
      </MenuItem>
      <MenuItem icon={<X size={15} />} onSelect={() => void forgetFolder(root.path)}>
        Remove {root.name} from this list
      </MenuItem>
    </Menu>
  )
}

/** The progress of indexing the folder. */
function IndexLine({ index }: { index: IndexState }) {
  switch (index.state) {
    case 'reading':
      return (
        <div className="px-2.5 pt-1 pb-1" role="status">
          <p className="pb-1.5 text-12 text-faint">
            Reading {count(index.done)} of {plural(index.total, 'file')}
          </p>
          <Progress part={index.total > 0 ? index.done / index.total : null} label="Reading the folder" />
        </div>
      )
    case 'ready':
      return (
        <p className="truncate px-2.5 text-12 text-faint">
          {plural(index.files, 'file')} · {plural(index.symbols, 'symbol')}
        </p>
      )
    case 'failed':
      return <p className="px-2.5 text-12 wrap-anywhere text-warn">{sentence(index.message)}</p>
    default:
      return null
  }
}
