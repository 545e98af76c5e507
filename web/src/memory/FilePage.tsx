import { ChevronLeft, ChevronRight, Pencil, RotateCcw, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { MemoryFileChange, MemoryFileView } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { bytes, fullTime, since } from '@/design/format'
import { classNames } from '@/design/classNames'
import { Markdown } from '@/markdown/Markdown'
import { RetryNote, LoadingNote, PageFrame } from '@/shell/PageFrame'
import { fragmentOf } from '@/shell/route'
import { plain } from '@/tools/wording'
import { Difference } from './Difference'
import { fileKey } from './drafts'
import { EditButtons, EditText, editKeys } from './EditText'
import { OriginMark } from './OriginMark'
import { useDraft } from './useDraft'
import { useMemoryStore } from './useMemoryStore'

/** A memory file, for reading, editing and restoring earlier versions. */
export function FilePage({ name }: { name: string }) {
  const file = useMemoryStore((state) => (state.memoryFile?.name === name ? state.memoryFile : null))
  const { openMemoryFile } = useMemoryStore.getState()
  useEffect(() => void openMemoryFile(name), [openMemoryFile, name])
  return (
    <PageFrame page="files" name={name}>
      <a
        href={fragmentOf({ page: 'memory', tab: 'files' })}
        className="mt-3 -ms-1 inline-flex items-center gap-1 rounded-control py-1 pe-2 text-13 text-muted transition-colors hover:text-text pointer-coarse:py-2.5"
      >
        <ChevronLeft size={15} />
        All files
      </a>
      {!file?.view && !file?.trouble && <LoadingNote text="Opening…" />}
      {file?.trouble && !file.gone && <RetryNote text={file.trouble} onRetry={() => void openMemoryFile(name)} />}
      {file?.gone && <p role="alert" className="py-6 text-15 text-muted">There is no file with this name. It may have been deleted.</p>}
      {file?.view && !file.gone && <Opened view={file.view} />}
    </PageFrame>
  )
}

function Opened({ view }: { view: MemoryFileView }) {
  const { name, changedAt } = view.file
  const draftKey = fileKey(name)
  const draft = useDraft(draftKey)
  const [editing, setEditing] = useState(draft !== undefined)
  const [trouble, setTrouble] = useState<string | null>(null)
  const { writeMemoryFile, deleteMemoryFile, keepDraft, dropDraft } = useMemoryStore.getState()
  const content = draft?.content ?? view.content
  const overtaken = draft?.upon !== undefined && draft.upon !== changedAt
  const finish = () => {
    setEditing(false)
    setTrouble(null)
    dropDraft(draftKey)
  }
  const save = async () => {
    const failed = content === view.content ? null : await writeMemoryFile(name, content)
    if (failed === null) finish()
    else setTrouble(failed)
  }
  return (
    <article aria-label={plain(name)} className="pt-2">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 border-b border-hairline pb-4">
        <div className="min-w-0">
          <h1 className="display text-30 wrap-anywhere" dir="auto">
            {plain(name)}
          </h1>
          <p className="mt-1 flex flex-wrap gap-x-3 text-13 text-faint">
            <span>changed {since(view.file.changedAt, new Date())}</span>
            <span>{bytes(view.file.bytes)}</span>
            <OriginMark origins={view.file.origins} />
          </p>
        </div>
        {!editing && (
          <div className="flex gap-1">
            <Button icon={<Pencil size={15} />} onClick={() => setEditing(true)}>
              Edit
            </Button>
            <Button variant="danger" icon={<Trash2 size={15} />} onClick={() => void deleteMemoryFile(name)}>
              Delete
            </Button>
          </div>
        )}
      </div>
      {!editing ? (
        <div className="pt-5">
          <h2 className="sr-only">Content</h2>
          {view.content.trim() === '' ? <p className="text-15 text-muted">It is empty.</p> : <Markdown source={view.content} flowing />}
        </div>
      ) : (
        <div className="pt-4" onKeyDown={editKeys(() => void save(), finish)}>
          <EditText focus label={`Text of ${name}`} value={content} onChange={(text) => keepDraft(draftKey, { content: text, upon: draft?.upon ?? changedAt })} className="min-h-60 font-mono text-13/5" />
          {overtaken && <p className="mt-2 text-13 text-warn">The file was changed after you started. Saving replaces it with this text.</p>}
          <div className="mt-3 flex items-center justify-end gap-2">
            {trouble && (
              <p role="alert" className="min-w-0 flex-1 text-13 wrap-anywhere text-danger">
                {trouble} Your changes are still here.
              </p>
            )}
            <EditButtons onSave={() => void save()} onCancel={finish} />
          </div>
        </div>
      )}
      {view.history.length > 0 && !editing && <History view={view} />}
    </article>
  )
}

function History({ view }: { view: MemoryFileView }) {
  return (
    <section aria-label="Earlier versions" className="mt-10">
      <h2 className="border-b border-hairline pb-2 text-15 font-medium">Earlier versions</h2>
      <ol className="pt-1">
        {view.history.map((change, index) => (
          <Change key={change.id} name={view.file.name} change={change} before={view.history[index + 1]?.content ?? ''} latest={index === 0} />
        ))}
      </ol>
    </section>
  )
}

interface ChangeProps {
  name: string
  change: MemoryFileChange
  before: string
  latest: boolean
}

function Change({ name, change, before, latest }: ChangeProps) {
  const [open, setOpen] = useState(false)
  const restore = useMemoryStore((state) => state.restoreMemoryFile)
  return (
    <li>
      <div className="flex min-h-9 items-center gap-2">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="-ms-1 flex min-w-0 flex-1 items-center gap-2 rounded-control py-1.5 ps-0.5 pe-2 text-start text-13 text-muted transition-colors hover:text-text pointer-coarse:py-3"
        >
          <ChevronRight size={15} className={classNames('text-faint transition-transform duration-200', open && 'rotate-90')} />
          <span className="min-w-0 truncate" dir="auto">
            {plain(change.what)}
          </span>
          <time dateTime={change.at} title={fullTime(change.at)} className="shrink-0 text-12 text-faint">
            {since(change.at, new Date())}
          </time>
        </button>
        {latest ? (
          <span className="text-12 text-faint">current</span>
        ) : (
          change.content !== null && (
            <Button variant="quiet" className="h-7" icon={<RotateCcw size={14} />} aria-label={`Restore this: ${plain(change.what)}`} onClick={() => void restore(name, change.id)}>
              Restore this
            </Button>
          )
        )}
      </div>
      {open && <Difference before={before} after={change.content ?? ''} />}
    </li>
  )
}
