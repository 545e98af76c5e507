import { Layers, Plus, Trash2 } from 'lucide-react'
import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react'
import type { VectorEntry } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { since } from '@/design/format'
import { own } from '@/design/own'
import { RetryNote, LoadingNote, EmptyState, PageFrame } from '@/shell/PageFrame'
import { FilterField } from '@/tools/FilterField'
import { plain } from '@/tools/wording'
import { UnsavedChange } from './UnsavedChange'
import { type MemoryDraftKey, entryKey, type MemoryDraft } from './drafts'
import { EditButtons, EditText, editKeys } from './EditText'
import { LabelChips } from './LabelChips'
import { labelsText, readLabels } from './labels'
import { VirtualList, returnToRow, type RowPlace } from './VirtualList'
import { OriginMark } from './OriginMark'
import { useDraft } from './useDraft'
import { useMemoryStore } from './useMemoryStore'
import { useSlash } from './useSlash'

const DEBOUNCE_MS = 200
const ROW = 64
const MOST_LABELS = 5
const ABOUT = 'Texts that she or a program saved, to be found by meaning. They can be of any kind and length.'

/** The list of entries in the vector store. */
export function EntriesView() {
  const { list, state, trouble, q } = useMemoryStore((store) => store.entries)
  const { openEntries } = useMemoryStore.getState()
  const [adding, setAdding] = useState(() => useMemoryStore.getState().memoryDrafts['new entry'] !== undefined)
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
      {list.length === 0 && state === 'ready' && q !== '' && <p className="py-6 text-15 text-muted">Nothing similar was found.</p>}
      {bare && state === 'ready' && !adding && (
        <EmptyState title="No entries yet" text="She can save texts here and find them again by what they mean. You can add the first one yourself.">
          {begin}
        </EmptyState>
      )}
      {list.length === 0 && state === 'loading' && <LoadingNote text="Loading the entries…" rows={4} />}
      {state === 'failed' && <RetryNote text={trouble ?? ''} onRetry={() => void openEntries()} />}
    </PageFrame>
  )
}

function Search() {
  const q = useMemoryStore((state) => state.entries.q)
  const openEntries = useMemoryStore((state) => state.openEntries)
  const [typed, setTyped] = useState(q)
  const field = useRef<HTMLDivElement>(null)
  useSlash(field)
  useEffect(() => {
    if (typed === q) return
    const timer = setTimeout(() => void openEntries(typed), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed, q, openEntries])
  return (
    <div ref={field} className="sticky top-0 z-10 -mx-1 flex bg-[linear-gradient(var(--ground)_75%,transparent)] px-1 pt-4 pb-4">
      <FilterField label="Search by meaning" value={typed} onChange={setTyped} />
    </div>
  )
}

function Rows() {
  const list = useMemoryStore((state) => state.entries.list)
  const open = useMemoryStore((state) => state.openedEntry)
  const moreEntries = useMemoryStore((state) => state.moreEntries)
  return <VirtualList label="Entries" items={list} estimate={ROW} open={open} row={drawRow} onKey={pressRow} onEnd={moreEntries} />
}

const drawRow = (entry: VectorEntry, { tabbable }: RowPlace) => <EntryRow entry={entry} tabbable={tabbable} />

function pressRow(event: KeyboardEvent, entry: VectorEntry): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const state = useMemoryStore.getState()
  if (event.key === 'e') state.openEntry(entry.id)
  else if (event.key === 'Delete' || event.key === 'Backspace') void state.deleteEntry(entry.id)
  else return
  event.preventDefault()
}

const EntryRow = memo(function EntryRow({ entry, tabbable }: { entry: VectorEntry; tabbable: boolean }) {
  const open = useMemoryStore((state) => state.openedEntry === entry.id)
  const trouble = useMemoryStore((state) => own(state.entryTrouble, entry.id))
  const draft = useDraft(entryKey(entry.id))
  const { openEntry, dropEntryChange } = useMemoryStore.getState()
  if (open) return <EntryPanel entry={entry} />
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
          <span className="mt-0.5 flex flex-wrap gap-x-2 gap-y-1 text-12/5 text-faint">
            <span>{since(entry.updatedAt, new Date())}</span>
            <EntryId id={entry.id} />
            <LabelChips labels={entry.metadata} most={MOST_LABELS} />
            <OriginMark origins={entry.origins} />
          </span>
        </span>
      </button>
      {draft && <UnsavedChange name={plain(entry.content)} onResume={() => openEntry(entry.id)} onDrop={() => dropEntryChange(entry.id)} />}
      {trouble && (
        <p role="alert" className="ps-11 pe-3 pb-2.5 text-13 wrap-anywhere text-danger">
          {trouble} It stays as it was.
        </p>
      )}
    </div>
  )
})

/** The id under which Luna and programs refer to the entry. */
function EntryId({ id }: { id: string }) {
  return (
    <span className="max-w-48 truncate font-mono" title={`Id: ${plain(id)}`}>
      {plain(id)}
    </span>
  )
}

function EntryPanel({ entry }: { entry: VectorEntry }) {
  const { openEntry, changeEntry, dropEntryChange, deleteEntry } = useMemoryStore.getState()
  const finish = () => {
    dropEntryChange(entry.id)
    openEntry(null)
    returnToRow(entry.id)
  }
  return (
    <div className="-mx-4 my-2 rounded-panel bg-surface px-4 py-4 shadow-lit sm:-mx-5 sm:px-5">
      <EntryFields
        draftKey={entryKey(entry.id)}
        before={{ content: entry.content, labels: labelsText(entry.metadata) }}
        onSave={(content, metadata) => {
          const same = content === entry.content && JSON.stringify(metadata) === JSON.stringify(entry.metadata)
          finish()
          if (!same) void changeEntry(entry.id, { content, metadata })
          return Promise.resolve(null)
        }}
        onLeave={finish}
      >
        <Button variant="danger" icon={<Trash2 size={15} />} onClick={() => void deleteEntry(entry.id)}>
          Delete
        </Button>
        <span className="flex text-12 text-faint">
          <EntryId id={entry.id} />
        </span>
      </EntryFields>
    </div>
  )
}

/** The form for a new entry. Its text is kept as a draft, because it is stored nowhere else. */
function NewEntry({ onClose }: { onClose: () => void }) {
  const { addEntry, dropDraft } = useMemoryStore.getState()
  const begun = useDraft('new entry') !== undefined
  return (
    <div className="-mx-4 mt-4 mb-3 rounded-panel bg-surface px-4 py-4 shadow-lit sm:-mx-5 sm:px-5">
      <EntryFields
        draftKey="new entry"
        before={{ content: '', labels: '' }}
        onSave={async (content, metadata) => {
          const trouble = await addEntry({ content, metadata })
          if (trouble === null) {
            dropDraft('new entry')
            onClose()
          }
          return trouble
        }}
        onLeave={onClose}
        leave="Close"
      >
        {begun && (
          <Button variant="quiet" onClick={() => dropDraft('new entry')}>
            Clear
          </Button>
        )}
      </EntryFields>
    </div>
  )
}

type Written = Required<Pick<MemoryDraft, 'content' | 'labels'>>

interface FieldsProps {
  /** The key of the draft that holds the text until it is saved. */
  draftKey: MemoryDraftKey
  before: Written
  onSave: (content: string, metadata: Record<string, unknown>) => Promise<string | null>
  onLeave: () => void
  leave?: string
  children?: React.ReactNode
}

function EntryFields({ draftKey, before, onSave, onLeave, leave = 'Cancel', children }: FieldsProps) {
  const written: Written = { ...before, ...useDraft(draftKey) }
  const { keepDraft, dropDraft } = useMemoryStore.getState()
  const [trouble, setTrouble] = useState<string | null>(null)
  // Labels are shown as JSON only for editing.
  const [raw, setRaw] = useState(before.labels === '' || written.labels !== before.labels)
  const write = (part: Partial<Written>) => {
    const { content, labels } = { ...written, ...part }
    if (content === before.content && labels === before.labels) dropDraft(draftKey)
    else keepDraft(draftKey, { content, labels })
  }
  const save = async () => {
    const content = written.content.trim()
    const labels = readLabels(written.labels)
    if (content === '') setTrouble('An entry needs some text.')
    else if (labels === null) setTrouble('The labels must be a JSON object, such as {"topic": "garden"}.')
    else setTrouble(await onSave(content, labels))
  }
  return (
    <div onKeyDown={editKeys(() => void save(), onLeave)}>
      <EditText focus label="Text of the entry" placeholder="What should be found again?" value={written.content} onChange={(content) => write({ content })} />
      {raw ? (
        <EditText label="Labels, as JSON" placeholder='Optional labels: {"topic": "garden"}' value={written.labels} onChange={(labels) => write({ labels })} className="mt-2 font-mono text-12/5!" />
      ) : (
        <p className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-12/5">
          <LabelChips labels={readLabels(written.labels) ?? {}} />
          <Button variant="quiet" className="h-7" onClick={() => setRaw(true)}>
            Change the labels
          </Button>
        </p>
      )}
      {trouble && (
        <p role="alert" className="mt-2 text-13 wrap-anywhere text-danger">
          {trouble}
        </p>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {children}
        <span className="flex-1" />
        <EditButtons onSave={() => void save()} onCancel={onLeave} cancel={leave} />
      </div>
    </div>
  )
}
