import { Layers, Plus, Trash2 } from 'lucide-react'
import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react'
import type { VectorEntry } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { since } from '@/design/format'
import { own } from '@/design/own'
import { AskAgain, Fetching, NothingYet, PageFrame } from '@/shell/PageFrame'
import { useStore } from '@/store'
import { FilterField } from '@/tools/FilterField'
import { plain, resultText } from '@/tools/words'
import { EditButtons, EditText, editKeys } from './EditText'
import { LongList, returnToRow, type RowPlace } from './LongList'
import { OriginMark } from './Origins'
import { useSlash } from './useSlash'

const REST_MS = 200
const ROW = 64
const ABOUT = 'Texts that she or a program has put away to be found by their meaning. They may be of any kind and length.'

/** The vector store. */
export function EntriesView() {
  const { list, state, trouble, q } = useStore((store) => store.entries)
  const { openEntries } = useStore.getState()
  const [adding, setAdding] = useState(false)
  useEffect(() => void openEntries(), [openEntries])
  const begin = (
    <Button icon={<Plus size={15} />} onClick={() => setAdding(true)}>
      New entry
    </Button>
  )
  const bare = list.length === 0 && q === ''
  return (
    <PageFrame page="entries" about={ABOUT} actions={bare || adding ? undefined : begin}>
      {!(bare && state === 'ready') && <Search />}
      {adding && <NewEntry onClose={() => setAdding(false)} />}
      {list.length > 0 && <Rows />}
      {list.length === 0 && state === 'ready' && q !== '' && <p className="py-6 text-15 text-muted">Nothing comes near these words.</p>}
      {bare && state === 'ready' && !adding && (
        <NothingYet title="Nothing put away" text="With her tools for it she puts texts away here and finds them again by what they mean. You can put the first one in yourself.">
          {begin}
        </NothingYet>
      )}
      {list.length === 0 && state === 'loading' && <Fetching words="Looking through the entries…" rows={4} />}
      {state === 'failed' && <AskAgain words={trouble ?? ''} onRetry={() => void openEntries()} />}
    </PageFrame>
  )
}

function Search() {
  const q = useStore((state) => state.entries.q)
  const openEntries = useStore((state) => state.openEntries)
  const [typed, setTyped] = useState(q)
  const field = useRef<HTMLDivElement>(null)
  useSlash(field)
  useEffect(() => {
    if (typed === q) return
    const timer = setTimeout(() => void openEntries(typed), REST_MS)
    return () => clearTimeout(timer)
  }, [typed, q, openEntries])
  return (
    <div ref={field} className="sticky top-0 z-10 -mx-1 flex bg-[linear-gradient(var(--ground)_75%,transparent)] px-1 pt-4 pb-4">
      <FilterField label="Search by meaning" value={typed} onChange={setTyped} />
    </div>
  )
}

function Rows() {
  const list = useStore((state) => state.entries.list)
  const open = useStore((state) => state.openedEntry)
  const moreEntries = useStore((state) => state.moreEntries)
  return <LongList label="Entries" items={list} estimate={ROW} open={open} row={drawRow} onKey={pressRow} onEnd={moreEntries} />
}

const drawRow = (entry: VectorEntry, { tabbable }: RowPlace) => <EntryRow entry={entry} tabbable={tabbable} />

function pressRow(event: KeyboardEvent, entry: VectorEntry): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const state = useStore.getState()
  if (event.key === 'e') state.openEntry(entry.id)
  else if (event.key === 'Delete' || event.key === 'Backspace') void state.deleteEntry(entry.id)
  else return
  event.preventDefault()
}

const EntryRow = memo(function EntryRow({ entry, tabbable }: { entry: VectorEntry; tabbable: boolean }) {
  const open = useStore((state) => state.openedEntry === entry.id)
  const trouble = useStore((state) => own(state.entryTrouble, entry.id))
  const { openEntry } = useStore.getState()
  if (open) return <EntryPanel entry={entry} />
  const labels = Object.entries(entry.metadata)
  return (
    <div className="-mx-3 rounded-card transition-colors hover:bg-hover">
      <button
        type="button"
        data-row={entry.id}
        tabIndex={tabbable ? 0 : -1}
        aria-expanded={false}
        onClick={() => openEntry(entry.id)}
        className="flex w-full items-start gap-3.5 rounded-card px-3 py-2.5 text-start"
      >
        <Layers size={17} className="mt-1 text-faint" />
        <span className="min-w-0 flex-1">
          <span className="line-clamp-3 text-15 wrap-anywhere" dir="auto">
            {plain(entry.content)}
          </span>
          <span className="mt-0.5 flex flex-wrap gap-x-3 text-12/5 text-faint">
            <span>{since(entry.updatedAt, new Date())}</span>
            {labels.slice(0, 3).map(([name, value]) => (
              <span key={name} className="max-w-60 truncate">
                {plain(name)}: {plain(resultText(value)).slice(0, 80)}
              </span>
            ))}
            <OriginMark origins={entry.origins} />
          </span>
        </span>
      </button>
      {trouble && (
        <p role="alert" className="ps-11 pe-3 pb-2.5 text-13 wrap-anywhere text-danger">
          {trouble.words} It stays as it was.
        </p>
      )}
    </div>
  )
})

function EntryPanel({ entry }: { entry: VectorEntry }) {
  const failed = useStore((state) => own(state.entryTrouble, entry.id))
  const { openEntry, changeEntry, deleteEntry } = useStore.getState()
  const finish = () => {
    openEntry(null)
    returnToRow(entry.id)
  }
  return (
    <div className="-mx-4 my-2 rounded-panel bg-surface px-4 py-4 shadow-lit sm:-mx-5 sm:px-5">
      <EntryFields
        content={failed?.said.content ?? entry.content}
        metadata={failed?.said.metadata ?? entry.metadata}
        onSave={(content, metadata) => {
          const same = content === entry.content && JSON.stringify(metadata) === JSON.stringify(entry.metadata)
          if (!same) void changeEntry(entry.id, { content, metadata })
          finish()
          return Promise.resolve(null)
        }}
        onCancel={finish}
      >
        <Button look="danger" icon={<Trash2 size={15} />} onClick={() => void deleteEntry(entry.id)}>
          Delete
        </Button>
      </EntryFields>
    </div>
  )
}

function NewEntry({ onClose }: { onClose: () => void }) {
  const addEntry = useStore((state) => state.addEntry)
  return (
    <div className="-mx-4 mt-4 mb-3 rounded-panel bg-surface px-4 py-4 shadow-lit sm:-mx-5 sm:px-5">
      <EntryFields
        content=""
        metadata={{}}
        onSave={async (content, metadata) => {
          const trouble = await addEntry({ content, metadata })
          if (trouble === null) onClose()
          return trouble
        }}
        onCancel={onClose}
      />
    </div>
  )
}

interface FieldsProps {
  content: string
  metadata: Record<string, unknown>
  onSave: (content: string, metadata: Record<string, unknown>) => Promise<string | null>
  onCancel: () => void
  children?: React.ReactNode
}

function EntryFields({ content, metadata, onSave, onCancel, children }: FieldsProps) {
  const [text, setText] = useState(content)
  const [labels, setLabels] = useState(() => (Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata, null, 2)))
  const [trouble, setTrouble] = useState<string | null>(null)
  const save = async () => {
    const read = readLabels(labels)
    if (text.trim() === '') setTrouble('An entry needs some words.')
    else if (read === null) setTrouble('The labels are not a JSON object, such as {"topic": "garden"}.')
    else setTrouble(await onSave(text.trim(), read))
  }
  return (
    <div onKeyDown={editKeys(() => void save(), onCancel)}>
      <EditText focus label="Text of the entry" placeholder="What should be found again?" value={text} onChange={setText} />
      <EditText label="Labels, as JSON" placeholder='Labels, if you like: {"topic": "garden"}' value={labels} onChange={setLabels} className="mt-2 font-mono text-12/5!" />
      {trouble && (
        <p role="alert" className="mt-2 text-13 wrap-anywhere text-danger">
          {trouble}
        </p>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {children}
        <span className="flex-1" />
        <EditButtons onSave={() => void save()} onCancel={onCancel} />
      </div>
    </div>
  )
}

/** Null where it is no object. */
export function readLabels(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {}
  try {
    const read = JSON.parse(text) as unknown
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : null
  } catch {
    return null
  }
}
