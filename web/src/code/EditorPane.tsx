import { FileX2, ListTree, Lock, Save } from 'lucide-react'
import { Suspense } from 'react'
import { Boundary } from '@/design/Boundary'
import { Broken } from '@/design/Broken'
import { Button } from '@/design/Button'
import { bytes } from '@/design/format'
import { Keys } from '@/design/Keys'
import { own } from '@/design/own'
import { lazyPart } from '@/design/lazyPart'
import { Tooltip } from '@/design/Tooltip'
import { Difference } from '@/memory/Difference'
import { RetryNote, LoadingNote } from '@/shell/PageFrame'
import { plain } from '@/tools/wording'
import type { Buffer } from './state'
import { useCodeStore } from './useCodeStore'
import { nameOf } from './tree'

/** Loaded with the first file, since the editor is large. */
const Editor = lazyPart(() => import('./editor/Editor'))

export function EditorPane({ path }: { path: string }) {
  const buffer = useCodeStore((state) => own(state.buffers, path))
  const { readBuffer } = useCodeStore.getState()
  const file = buffer?.file
  return (
    <>
      <FileHead path={path} buffer={buffer} />
      {buffer?.conflict && <Conflict path={path} buffer={buffer} />}
      {!file && (
        <div className="px-6">
          {buffer?.trouble ? <Trouble {...buffer.trouble} onRetry={() => void readBuffer(path)} /> : <LoadingNote text={`Opening ${nameOf(path)}…`} />}
        </div>
      )}
      {file?.binary && <Binary size={file.bytes} />}
      {file && !file.binary && (
        <Boundary fallback={<Broken />}>
          <Suspense fallback={<div className="px-6"><LoadingNote text="Opening the editor…" /></div>}>
            <Editor file={file} />
          </Suspense>
        </Boundary>
      )}
    </>
  )
}

/** The reason why nothing is shown, with a retry if that may help. */
function Trouble({ text, again, onRetry }: { text: string; again: boolean; onRetry: () => void }) {
  if (again) return <RetryNote text={text} onRetry={onRetry} />
  return (
    <p role="alert" className="max-w-(--measure) py-6 text-15 wrap-anywhere text-muted">
      {plain(text)}
    </p>
  )
}

function FileHead({ path, buffer }: { path: string; buffer: Buffer | undefined }) {
  const parts = path.split('/')
  const { save, pick } = useCodeStore.getState()
  const file = buffer?.file
  return (
    <div className="flex h-8 shrink-0 items-center gap-3 px-5 text-12 text-faint pointer-coarse:h-11">
      <h1 className="flex min-w-0 flex-1 items-center gap-1 overflow-hidden">
        {parts.map((name, index) => (
          <span key={index} className={index === parts.length - 1 ? 'shrink-0 text-muted' : 'min-w-4 truncate'}>
            {index > 0 && <span aria-hidden="true" className="pe-1 opacity-60">/</span>}
            <bdi>{plain(name)}</bdi>
          </span>
        ))}
        {file && !file.editable && !file.binary && (
          <span className="ms-2 flex shrink-0 items-center gap-1.5">
            <Lock size={12} />
            read only
          </span>
        )}
      </h1>
      {buffer?.saving && <span role="status">Saving…</span>}
      {buffer?.unsaved && !buffer.saving && !buffer.conflict && (
        <button type="button" onClick={() => void save(path)} className="flex h-6 shrink-0 items-center gap-1.5 rounded-control px-1.5 text-accent-text transition-colors hover:bg-hover pointer-coarse:h-9">
          <Save size={14} />
          Save
          <span className="touch:hidden">
            <Keys keys="mod+s" />
          </span>
        </button>
      )}
      {file && file.symbols.length > 0 && (
        <Tooltip label="Go to a symbol" keys="mod+;" side="bottom">
          <button type="button" onClick={() => pick('symbol')} className="flex h-6 items-center gap-1.5 rounded-control px-1.5 transition-colors hover:bg-hover hover:text-text pointer-coarse:h-9">
            <ListTree size={14} />
            {file.symbols.length}
            <span className="sr-only">symbols</span>
          </button>
        </Tooltip>
      )}
    </div>
  )
}

function Binary({ size }: { size: number }) {
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-3 px-6 text-center">
      <FileX2 size={28} className="text-faint" />
      <p className="text-15 text-muted">This is not a text file, so it cannot be edited here.</p>
      <p className="text-12 text-faint">{bytes(size)}</p>
    </div>
  )
}

/** The conflict of unsaved edits with a change on the disk: both choices, and the difference. */
function Conflict({ path, buffer }: { path: string; buffer: Buffer }) {
  const { keepMine, takeTheirs } = useCodeStore.getState()
  const theirs = buffer.conflict?.theirs ?? null
  return (
    <div role="alert" className="mx-4 mb-2 shrink-0 rounded-card bg-[color-mix(in_oklab,var(--warn)_10%,transparent)] px-4 py-3">
      <p className="text-15">
        {theirs ? `${nameOf(path)} changed on the disk while you were editing it.` : `${nameOf(path)} was deleted from the disk while you were editing it.`} <span className="text-muted">Your changes are still here.</span>
      </p>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button disabled={buffer.saving} onClick={() => void keepMine(path)}>
          {theirs ? 'Keep mine and overwrite it' : 'Keep mine and save it again'}
        </Button>
        <Button disabled={buffer.saving} onClick={() => takeTheirs(path)}>
          {theirs ? 'Use the version on disk' : 'Close it'}
        </Button>
      </div>
      {theirs && !theirs.binary && (
        <details className="mt-2.5">
          <summary className="w-fit rounded-control text-13 text-muted">Differences: − mine, + on the disk</summary>
          <div className="max-h-56 overflow-y-auto">
            <Difference before={buffer.unsaved?.text() ?? ''} after={theirs.content} className="mt-2" />
          </div>
        </details>
      )}
    </div>
  )
}
