import { Check, TriangleAlert, Upload } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { MemoryImportReply } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { Dialog } from '@/design/Dialog'
import { plural } from '@/design/format'
import { classNames } from '@/design/classNames'
import { useStore } from '@/store'
import { plain } from '@/tools/wording'
import { useMemoryStore } from './useMemoryStore'
import { formatName, listed } from './wording'

const FORMATS = [
  { title: 'Perigee', about: 'an export of this page, as JSON' },
  { title: 'Markdown', about: 'a list with a fact in each line' },
  { title: 'ChatGPT', about: 'conversations.json, or the whole zip file' },
  { title: 'SillyTavern', about: 'a chat as .jsonl' },
]

/** The dialog to import a file, by choosing or dropping it, with a summary of what was imported. */
export default function ImportDialog() {
  const imported = useMemoryStore((state) => state.imported)
  const { clearImport } = useMemoryStore.getState()
  const { show } = useStore.getState()
  useEffect(() => clearImport, [clearImport])
  const close = () => show(null)
  return (
    <Dialog title="Import a file" onClose={close} width="sm:w-[30rem]">
      <div className="flex min-h-0 flex-col gap-4 overflow-y-auto px-5 pt-px pb-5">
        {imported?.state === 'reading' && (
          <p role="status" className="py-4 text-15 text-muted">
            Reading <bdi>“{plain(imported.name)}”</bdi>. A long history may take a minute…
          </p>
        )}
        {imported?.state === 'done' && imported.reply && <Outcome name={imported.name} reply={imported.reply} />}
        {imported?.state === 'failed' && (
          <p role="alert" className="text-13 wrap-anywhere text-danger">
            {imported.trouble} Nothing from <bdi>“{plain(imported.name)}”</bdi> was imported.
          </p>
        )}
        {imported?.state !== 'reading' && <DropZone again={imported !== null} />}
        {imported === null && (
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-13">
            {FORMATS.map(({ title, about }) => (
              <div key={title} className="contents">
                <dt>{title}</dt>
                <dd className="text-muted">{about}</dd>
              </div>
            ))}
          </dl>
        )}
        {imported !== null && imported.state !== 'reading' && (
          <div className="flex justify-end">
            <Button onClick={close}>Close</Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}

function DropZone({ again }: { again: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const { importMemory } = useMemoryStore.getState()
  const take = (files: FileList | null) => {
    const file = files?.[0]
    if (file) void importMemory(file)
  }
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer.files)
      }}
      className={classNames('flex flex-col items-center gap-3 rounded-card px-4 py-7 text-center outline-1 outline-dashed transition-colors', over ? 'bg-hover outline-blue' : 'outline-[color-mix(in_oklab,var(--text)_22%,transparent)]')}
    >
      <Upload size={20} className="text-faint" />
      <p className="text-13 text-muted">{over ? 'Drop to import' : again ? 'Another file?' : 'Drop a file here'}</p>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File to import"
        accept=".json,.jsonl,.md,.markdown,.txt,.zip"
        onChange={(event) => {
          take(event.target.files)
          event.target.value = ''
        }}
      />
      <Button variant={again ? 'quiet' : 'primary'} onClick={() => input.current?.click()}>
        Choose a file
      </Button>
    </div>
  )
}

function Outcome({ name, reply }: { name: string; reply: MemoryImportReply }) {
  const came = [
    ...(reply.facts > 0 ? [plural(reply.facts, 'fact')] : []),
    ...(reply.conversations > 0 ? [`${plural(reply.conversations, 'conversation')} with ${plural(reply.messages, 'message')}`] : []),
    ...(reply.entries > 0 ? [plural(reply.entries, 'entry', 'entries')] : []),
    ...(reply.files > 0 ? [plural(reply.files, 'file')] : []),
  ]
  return (
    <div role="status" className="flex gap-3 rounded-card bg-[color-mix(in_oklab,var(--ok)_9%,transparent)] px-4 py-3 text-13">
      <Check size={16} className="mt-0.5 text-ok" />
      <div className="min-w-0">
        <p className="wrap-anywhere">
          <bdi>“{plain(name)}”</bdi> was read as {formatName(reply.format)}. {came.length === 0 ? 'Nothing new was imported.' : `Imported ${listed(came)}.`}
          {reply.known > 0 && ` ${came.length === 0 ? plural(reply.known, 'was', 'were') : plural(reply.known, 'more was', 'more were')} here already.`}
        </p>
        {reply.conversations > 0 && <p className="mt-1 text-muted">She is reading them now. What she learns appears on this page.</p>}
        {reply.problems.length > 0 && (
          <ul aria-label="What was not imported" className="mt-2 flex max-h-40 flex-col gap-1 overflow-y-auto">
            {reply.problems.map((problem, index) => (
              <li key={index} className="flex gap-2 text-muted">
                <TriangleAlert size={14} className="mt-0.5 text-warn" />
                <span className="min-w-0 wrap-anywhere">{plain(problem)}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
