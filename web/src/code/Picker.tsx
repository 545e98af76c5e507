import { Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { Dialog } from '@/design/Dialog'
import { classNames } from '@/design/classNames'
import { own } from '@/design/own'
import { useStore } from '@/store'
import { plain } from '@/tools/wording'
import { fileInView } from './tabSlice'
import { FileIcon } from './FileIcon'
import { best } from './fuzzy'
import { MatchedPath } from './MatchedPath'
import { useCodeStore } from './useCodeStore'

const MOST = 60

/** The quick picker of a file in the folder, or of a symbol in the current file. */
export function Picker() {
  const picker = useCodeStore((state) => state.picker)
  if (picker === 'file') return <FilePicker />
  return picker === 'symbol' ? <SymbolPicker /> : null
}

function FilePicker() {
  const files = useCodeStore((state) => state.files)
  const tabs = useCodeStore((state) => state.tabs)
  const [query, setQuery] = useState('')
  const found = useMemo(() => {
    // Without a query: the open files, the latest first.
    if (query.trim() === '') return tabs.flatMap((tab) => (tab.kind === 'file' ? [{ path: tab.path, at: [] as number[] }] : [])).reverse()
    return best(files ?? [], ({ path }) => path, query, MOST).map(({ item, at }) => ({ path: item.path, at }))
  }, [query, files, tabs])
  return (
    <List
      title="Go to a file"
      placeholder="Go to a file"
      nothing={query.trim() === '' ? 'Type a few letters of its name.' : 'No file by that name.'}
      query={query}
      onQuery={setQuery}
      rows={found.map(({ path, at }) => ({
        key: path,
        content: (
          <>
            <FileIcon path={path} />
            <MatchedPath path={path} marked={at} />
          </>
        ),
        run: () => useStore.getState().go({ page: 'code', view: 'file', item: path }),
      }))}
    />
  )
}

function SymbolPicker() {
  const path = useCodeStore(fileInView)
  const symbols = useCodeStore((state) => (path === null ? undefined : own(state.buffers, path)?.file?.symbols))
  const [query, setQuery] = useState('')
  const found = useMemo(() => best(symbols ?? [], ({ name }) => name, query, 400), [symbols, query])
  return (
    <List
      title="Go to a symbol"
      placeholder="Go to a symbol"
      nothing={symbols?.length ? 'No symbol by that name.' : 'No symbols were found in this file.'}
      query={query}
      onQuery={setQuery}
      rows={found.map(({ item, at }) => ({
        key: `${item.line} ${item.name}`,
        content: (
          <>
            <span className={classNames('flex min-w-0 flex-1 items-baseline gap-2', item.container && query === '' && 'ps-4')}>
              <MatchedPath path={item.name} marked={at} />
              {item.container && query !== '' && <bdi className="truncate text-12 text-muted">{plain(item.container)}</bdi>}
            </span>
            <span className="shrink-0 text-12 text-muted">{plain(item.kind)}</span>
            <span className="w-10 shrink-0 text-end font-mono text-12 text-muted">{item.line}</span>
          </>
        ),
        run: () => path !== null && useStore.getState().go({ page: 'code', view: 'file', item: path, line: item.line }, 'replace'),
      }))}
    />
  )
}

interface ListProps {
  title: string
  placeholder: string
  nothing: string
  query: string
  onQuery: (query: string) => void
  rows: { key: string; content: ReactNode; run: () => void }[]
}

function List({ title, placeholder, nothing, query, onQuery, rows }: ListProps) {
  const [active, setActive] = useState(0)
  const listId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const close = () => useCodeStore.getState().pick(null)
  useEffect(() => setActive(0), [query])
  useEffect(() => {
    scroller.current?.querySelector('[aria-selected="true"]')?.scrollIntoView?.({ block: 'nearest' })
  }, [active])
  const run = (index: number) => {
    close()
    rows[index]?.run()
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by !== 0) setActive((active + by + rows.length) % Math.max(1, rows.length))
    else if (event.key === 'Enter') run(active)
    else return
    event.preventDefault()
  }
  return (
    <Dialog title={title} bare onClose={close} width="sm:w-[38rem]">
      <div className="flex h-14 shrink-0 items-center gap-3 px-5">
        <Search size={17} className="text-faint" />
        <input
          autoFocus
          role="combobox"
          aria-label={placeholder}
          aria-expanded
          aria-controls={listId}
          {...(rows.length > 0 ? { 'aria-activedescendant': `${listId}-${active}` } : {})}
          placeholder={placeholder}
          dir="auto"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          value={query}
          onChange={(event) => onQuery(event.target.value)}
          onKeyDown={press}
          className="min-w-0 flex-1 bg-transparent text-17 outline-none"
        />
        <button type="button" onClick={close} className="text-13 text-muted sm:hidden">
          Close
        </button>
      </div>
      <div ref={scroller} id={listId} role="listbox" aria-label={title} className="min-h-0 overflow-y-auto border-t border-hairline p-2 sm:max-h-[26rem]">
        {rows.length === 0 && <p className="px-3 py-6 text-center text-15 text-muted">{nothing}</p>}
        {rows.map((row, index) => (
          <div
            key={row.key}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === active}
            onMouseMove={index === active ? undefined : () => setActive(index)}
            onClick={() => run(index)}
            className={classNames('flex h-9 items-center gap-3 rounded-control px-3 text-15 select-none pointer-coarse:h-12', index === active && 'bg-hover')}
          >
            {row.content}
          </div>
        ))}
      </div>
    </Dialog>
  )
}
