import { Folder, Tag, X } from 'lucide-react'
import { classNames } from '@/design/classNames'
import { useStore } from '@/store'

/** Filters for the list: folders and tags. Pressing an active one removes it. */
export function ListFilters() {
  const folders = useStore((state) => state.folders)
  const tags = useStore((state) => state.tags)
  const filter = useStore((state) => state.filter)
  const setFilter = useStore((state) => state.setFilter)
  // An active filter stays visible even if it matches nothing.
  const shownFolders = withOpen(folders, filter.folder)
  const shownTags = withOpen(tags, filter.tag)
  if (shownFolders.length === 0 && shownTags.length === 0) return null
  return (
    <div className="flex shrink-0 flex-col gap-1.5 px-2 pb-1">
      {shownFolders.length > 0 && (
        <ul aria-label="Folders" className="max-h-40 overflow-y-auto">
          {shownFolders.map(({ name, chats }) => {
            const open = filter.folder === name
            return (
              <li key={name}>
                <button
                  type="button"
                  aria-pressed={open}
                  onClick={() => setFilter(open ? {} : { folder: name })}
                  className={classNames(
                    'flex h-8 w-full items-center gap-2.5 rounded-control px-2.5 text-13 transition-colors pointer-coarse:h-11',
                    open ? 'bg-pressed text-text' : 'text-muted hover:bg-hover hover:text-text',
                  )}
                >
                  <Folder size={15} />
                  <span className="flex-1 truncate text-start" dir="auto">
                    {name}
                  </span>
                  <span className="text-12 text-faint">{chats}</span>
                  {open && <X size={14} className="text-faint" />}
                </button>
              </li>
            )
          })}
        </ul>
      )}
      {shownTags.length > 0 && (
        <ul aria-label="Tags" className="flex max-h-[6.375rem] flex-wrap gap-x-1 overflow-y-auto px-0.5 pointer-coarse:max-h-30">
          {shownTags.map(({ name, chats }) => {
            const open = filter.tag === name
            return (
              <li key={name} className="max-w-full">
                <button
                  type="button"
                  aria-pressed={open}
                  onClick={() => setFilter(open ? {} : { tag: name })}
                  className={classNames(
                    'flex h-7 max-w-full items-center gap-1.5 rounded-control px-2 text-12 transition-colors pointer-coarse:h-11 pointer-coarse:px-3',
                    open ? 'bg-pressed text-text' : 'text-muted hover:bg-hover hover:text-text',
                  )}
                >
                  <Tag size={13} />
                  <span className="truncate" dir="auto">
                    {name}
                  </span>
                  <span className="text-faint">{chats}</span>
                  {open && <X size={13} className="text-faint" />}
                </button>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}

interface FilterOption {
  name: string
  chats: number
}

function withOpen(shelves: FilterOption[], open: string | null | undefined): FilterOption[] {
  return !open || shelves.some(({ name }) => name === open) ? shelves : [{ name: open, chats: 0 }, ...shelves]
}
