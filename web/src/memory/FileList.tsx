import { ChevronRight, FileText, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { MemoryFile } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { TextField } from '@/design/Field'
import { bytes, since } from '@/design/format'
import { RetryNote, LoadingNote, EmptyState, PageFrame } from '@/shell/PageFrame'
import { fragmentOf } from '@/shell/route'
import { useStore } from '@/store'
import { plain } from '@/tools/wording'
import { fileKey } from './drafts'
import { OriginMark } from './OriginMark'
import { useDraft } from './useDraft'
import { useMemoryStore } from './useMemoryStore'

const ABOUT = 'Longer notes that she keeps for herself. You can write some, too. Every change is kept and can be undone.'

export function FileList() {
  const files = useMemoryStore((state) => state.memoryFiles)
  const trouble = useMemoryStore((state) => state.memoryFilesTrouble)
  const { refreshFiles } = useMemoryStore.getState()
  const [naming, setNaming] = useState(false)
  useEffect(() => void refreshFiles(), [refreshFiles])
  const begin = (
    <Button icon={<Plus size={15} />} onClick={() => setNaming(true)}>
      New file
    </Button>
  )
  return (
    <PageFrame page="files" about={ABOUT} actions={files && files.length > 0 && !naming ? begin : undefined}>
      {naming && <NewFile names={(files ?? []).map(({ name }) => name)} onClose={() => setNaming(false)} />}
      {trouble && <RetryNote text={trouble} onRetry={() => void refreshFiles()} />}
      {!files && !trouble && <LoadingNote text="Loading the files…" rows={3} />}
      {files?.length === 0 && !naming && (
        <EmptyState title="No files yet" text="When something is too long for one sentence, she writes it to a file: a recipe, a plan, notes on a book. You can start one, too.">
          {begin}
        </EmptyState>
      )}
      {files && files.length > 0 && (
        <ul className="-mx-3 pt-5">
          {files.map((file) => (
            <li key={file.name}>
              <FileLine file={file} />
            </li>
          ))}
        </ul>
      )}
    </PageFrame>
  )
}

function FileLine({ file }: { file: MemoryFile }) {
  const begun = useDraft(fileKey(file.name)) !== undefined
  return (
    <a href={fragmentOf({ page: 'memory', tab: 'files', item: file.name })} className="flex items-center gap-3.5 rounded-card px-3 py-2.5 transition-colors hover:bg-hover">
      <FileText size={17} className="text-faint" />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-15" dir="auto">
          {plain(file.name)}
        </span>
        <span className="flex flex-wrap gap-x-3 text-12/5 text-faint">
          <span>changed {since(file.changedAt, new Date())}</span>
          <span>{bytes(file.bytes)}</span>
          {begun && <span className="text-muted">unsaved change</span>}
          <OriginMark origins={file.origins} />
        </span>
      </span>
      <ChevronRight size={16} className="text-faint" />
    </a>
  )
}

/** The form that names a new file. Its text is written on its own page. */
function NewFile({ names, onClose }: { names: string[]; onClose: () => void }) {
  const [name, setName] = useState('')
  const [trouble, setTrouble] = useState<string | null>(null)
  const { writeMemoryFile } = useMemoryStore.getState()
  const { go } = useStore.getState()
  const begin = async () => {
    const typed = name.trim()
    if (typed === '') return
    const full = /\.md$/i.test(typed) ? typed : `${typed}.md`
    const title = full.replace(/\.md$/i, '')
    const failed = names.includes(full) ? null : await writeMemoryFile(full, `# ${title}\n`)
    if (failed === null) go({ page: 'memory', tab: 'files', item: full })
    else setTrouble(failed)
  }
  return (
    <form
      className="pt-5"
      onSubmit={(event) => {
        event.preventDefault()
        void begin()
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <div className="flex gap-2">
        <TextField autoFocus aria-label="Name of the file" placeholder="Name of the file" value={name} maxLength={120} dir="auto" onChange={(event) => setName(event.target.value)} />
        <Button type="submit" variant="primary" className="h-9">
          Start
        </Button>
        <Button variant="quiet" className="h-9" onClick={onClose}>
          Cancel
        </Button>
      </div>
      {trouble && (
        <p role="alert" className="mt-1.5 text-13 text-danger">
          {trouble}
        </p>
      )}
    </form>
  )
}
