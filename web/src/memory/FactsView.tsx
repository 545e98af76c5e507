import { EllipsisVertical, FileJson, FileText, Merge, Plus, Upload, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { memoryExportAddress, type FactGroup } from '@/api/memory'
import type { Fact } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { count } from '@/design/format'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import { Menu, MenuItem, MenuLine } from '@/design/Menu'
import { Select } from '@/design/Select'
import { ScrollRow } from '@/design/ScrollRow'
import { RetryNote, LoadingNote, EmptyState, PageFrame } from '@/shell/PageFrame'
import { useStore } from '@/store'
import { FilterField } from '@/tools/FilterField'
import { ALL_FACTS } from './factSlice'
import { FactRow } from './FactRow'
import { kindCounts } from './kinds'
import { VirtualList, type RowPlace } from './VirtualList'
import { useMemoryStore } from './useMemoryStore'
import { useSlash } from './useSlash'
import { CATEGORIES } from './wording'

const DEBOUNCE_MS = 200
const ROW = 64

const ABOUT = 'What she has learned about you, and where from. Click a line to change it. What never comes up again fades over time.'

/** The list of facts. */
export function FactsView() {
  const { list, state, trouble, filter, unconfirmed } = useMemoryStore((store) => store.facts)
  const { openFacts, retryFacts, clearChosen } = useMemoryStore.getState()
  useEffect(() => void openFacts(), [openFacts])
  // The selection is cleared on leaving, since the user would not remember it on return.
  useEffect(() => clearChosen, [clearChosen])
  const filtered = filter.q !== '' || filter.category !== '' || filter.status !== 'current'
  const settled = state === 'ready'
  return (
    <PageFrame page="facts" about={ABOUT} actions={<Actions bare={list.length === 0 && settled && !filtered} />}>
      <Filters />
      {filter.status === 'current' && unconfirmed > 0 && <Waiting waiting={unconfirmed} />}
      {list.length > 0 && <Rows />}
      {list.length === 0 && settled && (filtered ? <NoneFound /> : <Nothing />)}
      {list.length === 0 && state === 'loading' && <LoadingNote text="Loading what she knows…" rows={4} />}
      {state === 'failed' && <RetryNote text={trouble ?? ''} onRetry={() => void retryFacts()} />}
      <Chosen />
    </PageFrame>
  )
}

/** The actions of the page. On an empty page the button to add a fact is part of its content instead. */
function Actions({ bare }: { bare: boolean }) {
  const show = useStore((state) => state.show)
  return (
    <>
      {!bare && (
        <Button icon={<Plus size={15} />} aria-label="Add a fact" onClick={() => show({ kind: 'addFact' })}>
          <span className="max-sm:hidden">Add a fact</span>
        </Button>
      )}
      <Menu
        label="Export"
        trigger={
          <IconButton label="Export and import">
            <EllipsisVertical size={17} />
          </IconButton>
        }
      >
        <MenuItem icon={<FileJson size={15} />} onSelect={() => download('json')}>
          Export as JSON
        </MenuItem>
        <MenuItem icon={<FileText size={15} />} onSelect={() => download('markdown')}>
          Export as Markdown
        </MenuItem>
        <MenuLine />
        <MenuItem icon={<Upload size={15} />} onSelect={() => show({ kind: 'importMemory' })}>
          Import a file
        </MenuItem>
      </Menu>
    </>
  )
}

/** Starts a download by clicking a link: the server names the file, and the page stays open. */
function download(format: 'json' | 'markdown'): void {
  const link = document.createElement('a')
  link.href = memoryExportAddress(format)
  link.download = ''
  link.click()
}

const STANDINGS: { status: FactGroup; title: string }[] = [
  { status: 'current', title: 'Current' },
  { status: 'unconfirmed', title: 'To confirm' },
  { status: 'past', title: 'Past' },
]

function Filters() {
  const facts = useMemoryStore((state) => state.facts)
  const { filter, categories } = facts
  const openFacts = useMemoryStore((state) => state.openFacts)
  const [typed, setTyped] = useState(filter.q)
  const field = useRef<HTMLDivElement>(null)
  useSlash(field)
  useEffect(() => setTyped(filter.q), [filter.q])
  useEffect(() => {
    if (typed === filter.q) return
    const timer = setTimeout(() => void openFacts({ q: typed }), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed, filter.q, openFacts])
  const counts = kindCounts(facts)
  const shown = categories.filter((kind) => kind.facts > 0 || kind.category === filter.category)
  return (
    <div className="sticky top-0 z-10 -mx-1 bg-[linear-gradient(var(--ground)_82%,transparent)] px-1 pt-4 pb-4">
      <div ref={field} className="flex flex-wrap gap-2">
        <div className="flex min-w-40 flex-1" onKeyDown={(event) => event.key === 'ArrowDown' && toRows(event)}>
          <FilterField label="Search what she knows" placeholder="Search" value={typed} onChange={setTyped} />
        </div>
        <Select label="Status" value={filter.status} onChange={(status) => void openFacts({ status: status as FactGroup })} className="w-40 max-sm:w-36">
          {STANDINGS.map(({ status, title }) => (
            <option key={status} value={status}>
              {title}
            </option>
          ))}
        </Select>
      </div>
      {shown.length > 1 && (
        <ScrollRow label="Kinds" className="-mx-1 mt-1 gap-0.5 p-1">
          <Kind title="All" facts={counts.all} current={filter.category === ''} onPick={() => void openFacts({ category: '' })} />
          {shown.map(({ category }) => (
            <Kind
              key={category}
              title={CATEGORIES[category]?.title ?? category}
              facts={counts.of(category)}
              current={filter.category === category}
              onPick={() => void openFacts({ category: filter.category === category ? '' : category })}
            />
          ))}
        </ScrollRow>
      )}
    </div>
  )
}

/** Moves the focus from the search to the first result. */
function toRows(event: KeyboardEvent): void {
  event.preventDefault()
  event.currentTarget.closest('[data-testid=page]')?.querySelector<HTMLElement>('[data-row]')?.focus()
}

interface KindProps {
  title: string
  /** The number of facts, or null if it is unknown. */
  facts: number | null
  current: boolean
  onPick: () => void
}

function Kind({ title, facts, current, onPick }: KindProps) {
  return (
    <li className="shrink-0">
      <button
        type="button"
        aria-pressed={current}
        onClick={onPick}
        className={classNames(
          'flex h-7 items-center gap-1.5 rounded-control px-2 text-13 transition-colors pointer-coarse:h-10 pointer-coarse:px-3',
          current ? 'bg-pressed text-text' : 'text-muted hover:bg-hover hover:text-text',
        )}
      >
        {title}
        {facts !== null && <span className="text-12 text-faint">{count(facts)}</span>}
      </button>
    </li>
  )
}

/** A notice of facts from untrusted content, which are not used until the user confirms them. */
function Waiting({ waiting }: { waiting: number }) {
  const openFacts = useMemoryStore((state) => state.openFacts)
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card bg-[color-mix(in_oklab,var(--warn)_9%,transparent)] py-2 ps-4 pe-2 text-13">
      <p className="min-w-0 flex-1">
        {waiting === 1 ? 'One thing she read elsewhere is waiting' : `${count(waiting)} things she read elsewhere are waiting`} for you to confirm. Until then, she does not use {waiting === 1 ? 'it' : 'them'}.
      </p>
      <Button variant="quiet" className="text-text" onClick={() => void openFacts({ ...ALL_FACTS, status: 'unconfirmed' })}>
        Look at {waiting === 1 ? 'it' : 'them'}
      </Button>
    </div>
  )
}

function Rows() {
  const list = useMemoryStore((state) => state.facts.list)
  const open = useMemoryStore((state) => state.openedFact)
  const busy = useMemoryStore((state) => state.facts.state === 'loading')
  const moreFacts = useMemoryStore((state) => state.moreFacts)
  return (
    <>
      <VirtualList label="What she knows" items={list} estimate={ROW} open={open} row={drawRow} onKey={pressRow} onEnd={moreFacts} />
      {busy && (
        <p role="status" className="animate-appear py-4 text-center text-13 text-faint [animation-delay:400ms] [animation-fill-mode:backwards]">
          Loading more…
        </p>
      )}
    </>
  )
}

const drawRow = (fact: Fact, { tabbable }: RowPlace) => <FactRow fact={fact} tabbable={tabbable} />

function pressRow(event: KeyboardEvent, fact: Fact): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const state = useMemoryStore.getState()
  if (event.key === 'e') state.openFact(fact.id)
  else if (event.key === 'Delete' || event.key === 'Backspace') void state.askToForget({ fact: fact.id })
  else if (event.key === 'x') state.chooseFact(fact, !state.chosenFacts.some(({ id }) => id === fact.id))
  else if (event.key === 'Escape' && state.chosenFacts.length > 0) state.clearChosen()
  else return
  event.preventDefault()
}

/** The actions on the selected facts. */
function Chosen() {
  const chosen = useMemoryStore((state) => state.chosenFacts.length)
  const { clearChosen } = useMemoryStore.getState()
  const { show } = useStore.getState()
  if (chosen === 0) return null
  return (
    <div className="sticky bottom-4 z-10 mt-4 flex justify-center">
      <div role="toolbar" aria-label="Selected facts" className="flex animate-rise items-center gap-1 rounded-card bg-raised py-1.5 ps-4 pe-1.5 text-13 shadow-float">
        <span className="me-2">{count(chosen)} chosen</span>
        {chosen > 1 ? (
          <Button variant="primary" icon={<Merge size={15} />} onClick={() => show({ kind: 'mergeFacts' })}>
            Merge into one
          </Button>
        ) : (
          <span className="pe-2 text-muted">Select another to merge them</span>
        )}
        <IconButton label="Clear the selection" onClick={clearChosen}>
          <X size={16} />
        </IconButton>
      </div>
    </div>
  )
}

function Nothing() {
  const show = useStore((state) => state.show)
  const name = useStore((state) => state.companionName)
  return (
    <EmptyState title="Nothing yet" text={`Talk with ${name}, and what matters appears here by itself: who you are, what you like, what you are up to. You can also tell her something right away.`}>
      <Button variant="primary" icon={<Plus size={15} />} onClick={() => show({ kind: 'addFact' })}>
        Add a fact
      </Button>
      <Button variant="quiet" icon={<Upload size={15} />} onClick={() => show({ kind: 'importMemory' })}>
        Import from another app
      </Button>
    </EmptyState>
  )
}

function NoneFound() {
  const { filter } = useMemoryStore((state) => state.facts)
  const openFacts = useMemoryStore((state) => state.openFacts)
  const words =
    filter.q !== ''
      ? 'Nothing she knows matches.'
      : filter.status === 'unconfirmed'
        ? 'Nothing is waiting for you to confirm.'
        : filter.status === 'past'
          ? 'Nothing has been replaced or has faded so far.'
          : 'Nothing of this kind.'
  return (
    <div className="py-6">
      <p className="text-15 text-muted">{words}</p>
      <Button className="mt-3" onClick={() => void openFacts(ALL_FACTS)}>
        Show everything current
      </Button>
    </div>
  )
}

