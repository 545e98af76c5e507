import { Folder, Tag, X } from 'lucide-react'
import { IconButton } from '@/design/IconButton'
import { join } from '@/design/join'
import { useStore } from '@/store'

/** Folders to look into, and the one that is open. */
export function Folders() {
  const folders = useStore((state) => state.folders)
  const filter = useStore((state) => state.filter)
  const setFilter = useStore((state) => state.setFilter)
  if (folders.length === 0 && !filter.folder && !filter.tag) return null
  return (
    <div className="px-2 pb-1">
      {filter.tag && (
        <div className="flex h-8 items-center gap-2.5 rounded-control bg-pressed ps-2.5 pe-1 text-13">
          <Tag size={15} className="text-muted" />
          <span className="flex-1 truncate">{filter.tag}</span>
          <IconButton size="small" label="Show all conversations" onClick={() => setFilter({})}>
            <X size={15} />
          </IconButton>
        </div>
      )}
      <ul aria-label="Folders" className="max-h-40 overflow-y-auto">
        {folders.map((folder) => {
          const open = filter.folder === folder.name
          return (
            <li key={folder.name}>
              <button
                type="button"
                aria-pressed={open}
                onClick={() => setFilter(open ? {} : { folder: folder.name })}
                className={join(
                  'flex h-8 w-full items-center gap-2.5 rounded-control px-2.5 text-13 transition-colors pointer-coarse:h-11',
                  open ? 'bg-pressed text-text' : 'text-muted hover:bg-hover hover:text-text',
                )}
              >
                <Folder size={15} />
                <span className="flex-1 truncate text-start" dir="auto">
                  {folder.name}
                </span>
                {open ? <X size={14} className="text-faint" /> : <span className="text-12 text-faint">{folder.chats}</span>}
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
