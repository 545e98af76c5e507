import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { ContextPart, RelevantFile } from '@/api/protocol.gen'
import { count, plural } from '@/design/format'
import { classNames } from '@/design/classNames'
import { BacktickText } from '@/design/BacktickText'
import { useStore } from '@/store'
import { plain } from '@/tools/wording'
import { nameOf } from './tree'

/** The files read for this reply, and the tokens by part of the context. */
export function ContextLine({ files, parts }: { files: RelevantFile[]; parts: ContextPart[] }) {
  const [open, setOpen] = useState(false)
  if (files.length === 0 && parts.length === 0) return null
  const total = parts.reduce((sum, part) => sum + part.tokens, 0)
  const largest = Math.max(1, ...parts.map(({ tokens }) => tokens))
  const read = files.length > 0 ? `Looked at ${plural(files.length, 'file')}` : 'What she read'
  return (
    <div className={open ? 'mb-4' : 'mb-2'}>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="-ms-1 flex max-w-full items-center gap-1 rounded-control py-1 ps-1 pe-2 text-13 text-faint transition-colors hover:text-text pointer-coarse:py-2.5"
      >
        <ChevronRight size={15} className={classNames('transition-transform duration-200', open && 'rotate-90')} />
        <span className="truncate">
          {read} · {plural(total, 'token')}
        </span>
      </button>
      {open && (
        <div className="mt-1 flex flex-col gap-3 border-s border-hairline ps-4">
          {parts.length > 0 && (
            <ul aria-label="Tokens by part" className="flex flex-col gap-2">
              {parts.map((part, index) => (
                <li key={index} className="text-12">
                  <span className="flex items-baseline gap-2">
                    <bdi className="min-w-0 flex-1 truncate text-muted" title={part.source}>
                      {plain(part.source)}
                    </bdi>
                    {part.cut && <span className="shrink-0 text-warn">cut</span>}
                    <span className="shrink-0 text-faint">{count(part.tokens)}</span>
                  </span>
                  <span aria-hidden="true" className="mt-1 block h-1 overflow-hidden rounded-full bg-[color-mix(in_oklab,var(--text)_8%,transparent)]">
                    <span className={classNames('block h-full rounded-full', part.cut ? 'bg-warn' : 'bg-blue')} style={{ width: `${(part.tokens / largest) * 100}%` }} />
                  </span>
                </li>
              ))}
            </ul>
          )}
          {files.length > 0 && (
            <ul aria-label="Relevant files" className="flex flex-col gap-1">
              {files.map((file) => (
                <li key={file.path} className="text-12">
                  <button
                    type="button"
                    title={file.path}
                    onClick={() => useStore.getState().go({ page: 'code', view: 'file', item: file.path })}
                    className="max-w-full truncate text-blue underline decoration-1 underline-offset-2"
                  >
                    <bdi>{plain(nameOf(file.path))}</bdi>
                  </button>
                  {file.reasons.length > 0 && <span className="ms-2 text-muted"><BacktickText text={plain(file.reasons.join(', '))} /></span>}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </div>
  )
}
