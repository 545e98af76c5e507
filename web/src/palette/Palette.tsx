import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { Dialog } from '@/design/Dialog'
import { classNames } from '@/design/classNames'
import { Keys } from '@/design/Keys'
import { useStore } from '@/store'
import { entries, type Entry } from './entries'

const DEBOUNCE_MS = 150

/** The command palette: finds every action, conversation and setting in a few keystrokes. */
export default function Palette({ initial }: { initial: string }) {
  const [query, setQuery] = useState(initial)
  const [active, setActive] = useState(0)
  const hits = useStore((state) => state.paletteHits)
  const state = useStore()
  const list = useMemo(() => entries(state, query, hits), [state, query, hits])
  const listId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const { show } = state

  useEffect(() => {
    const known = useStore.getState()
    if (!known.config) void known.refreshConfig()
    if (!known.tools) void known.refreshTools()
    if (!known.skills) void known.refreshSkills()
  }, [])
  useEffect(() => {
    setActive(0)
    const timer = setTimeout(() => void useStore.getState().searchPalette(query), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [query])
  useEffect(() => {
    scroller.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const run = (entry: Entry | undefined) => {
    if (!entry) return
    show(null)
    entry.run(useStore.getState())
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by !== 0) {
      event.preventDefault()
      setActive((active + by + list.length) % Math.max(1, list.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(list[active])
    }
  }

  return (
    <Dialog title="Command palette" about="Type to find actions, conversations and settings" bare onClose={() => show(null)} width="sm:w-[38rem]">
      <div className="flex h-14 shrink-0 items-center gap-3 px-5">
        <Search size={17} className="text-faint" />
        <input
          autoFocus
          role="combobox"
          aria-label="What are you looking for?"
          aria-expanded
          aria-controls={listId}
          {...(list.length > 0 ? { 'aria-activedescendant': `${listId}-${active}` } : {})}
          placeholder="What are you looking for?"
          dir="auto"
          spellCheck={false}
          autoComplete="off"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={press}
          className="min-w-0 flex-1 bg-transparent text-17 outline-none"
        />
        <button type="button" onClick={() => show(null)} className="text-13 text-muted sm:hidden">
          Close
        </button>
      </div>
      <div ref={scroller} id={listId} role="listbox" aria-label="Results" className="min-h-0 overflow-y-auto border-t border-hairline p-2 sm:max-h-[26rem]">
        {list.length === 0 && <p className="px-3 py-6 text-center text-15 text-muted">Nothing by that name.</p>}
        {list.map((entry, index) => (
          <div key={`${entry.group} ${entry.id}`}>
            {entry.group !== list[index - 1]?.group && (
              <p className="px-3 pt-3 pb-1 text-12 text-faint" aria-hidden="true">
                {entry.group}
              </p>
            )}
            <Row id={`${listId}-${index}`} entry={entry} active={index === active} onPick={() => run(entry)} onHover={() => setActive(index)} />
          </div>
        ))}
      </div>
    </Dialog>
  )
}

interface RowProps {
  id: string
  entry: Entry
  active: boolean
  onPick: () => void
  onHover: () => void
}

function Row({ id, entry, active, onPick, onHover }: RowProps) {
  const Icon = entry.icon
  const wide = entry.group === 'Found in conversations'
  return (
    <div
      id={id}
      role="option"
      aria-selected={active}
      onMouseMove={active ? undefined : onHover}
      onClick={onPick}
      className={classNames('flex h-10 items-center gap-3 rounded-control px-3 text-15 select-none pointer-coarse:h-12', active && 'bg-hover')}
    >
      <Icon size={16} className="text-muted" />
      <span className={classNames('truncate', wide && 'max-w-[45%] shrink-0')} dir="auto">
        {entry.title}
      </span>
      {wide && <span className="min-w-0 flex-1 truncate text-13 text-faint">{entry.note}</span>}
      {!wide && entry.group !== 'Actions' && <span className="ms-auto truncate ps-4 text-13 text-faint">{entry.note}</span>}
      {entry.keys && (
        <span className="ms-auto touch:hidden">
          <Keys keys={entry.keys} />
        </span>
      )}
    </div>
  )
}
