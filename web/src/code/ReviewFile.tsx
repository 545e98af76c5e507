import { ArrowRight, Check, ChevronRight, FileSymlink, Minus, X } from 'lucide-react'
import { memo, useState } from 'react'
import type { FileChangeKind, ProposalFile, ProposalId } from '@/api/protocol.gen'
import { count } from '@/design/format'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import { fragmentOf } from '@/shell/route'
import { plain } from '@/tools/wording'
import { changeKey, changesOf, type Choices, takenCount } from './choices'
import { languageOf } from './colours'
import { FileCounts } from './Counts'
import { Answer, HunkView } from './HunkView'
import type { Review } from './state'
import { useCodeStore } from './useCodeStore'
import { folderOf, nameOf } from './tree'

/** The number of lines above which a file is folded at first. */
const MOST_LINES = 1200

const KINDS: Record<FileChangeKind, { title: string; colour: string } | null> = {
  added: { title: 'new', colour: 'text-ok' },
  deleted: { title: 'deleted', colour: 'text-danger' },
  changed: null,
  renamed: { title: 'renamed', colour: 'text-blue' },
  binary: { title: 'not text', colour: 'text-warn' },
}

interface Props {
  id: ProposalId
  /** True if the changes can still be accepted or skipped. */
  open: boolean
  file: ProposalFile
  review: Review
  split: boolean
  /** The line to highlight. */
  found: number | null
}

export const ReviewFile = memo(
  function ReviewFile({ id, open, file, review, split, found }: Props) {
    const lines = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0)
    const [folded, setFolded] = useState(lines > MOST_LINES)
    const [seenFound, setSeenFound] = useState<number | null>(null)
    if (found !== null && found !== seenFound) {
      setSeenFound(found)
      setFolded(false)
    }
    const language = languageOf(file.path)
    const kind = KINDS[file.kind]
    const leftOut = file.decision === 'none'
    return (
      <section aria-label={file.path} className="border-b border-hairline">
        <header className="sticky top-0 z-[5] flex h-11 items-center gap-2 bg-[color-mix(in_oklab,var(--surface)_92%,var(--ground))] ps-2 pe-3">
          <IconButton size="small" label={folded ? `Show ${file.path}` : `Collapse ${file.path}`} aria-expanded={!folded} onClick={() => setFolded(!folded)}>
            <ChevronRight size={15} className={classNames('transition-transform duration-200', !folded && 'rotate-90')} />
          </IconButton>
          <h2 className={classNames('flex min-w-0 flex-1 items-baseline gap-2 text-13', leftOut && 'text-muted')}>
            <a href={fragmentOf({ page: 'code', view: 'file', item: file.path })} className="max-w-full shrink-0 truncate font-medium" title={file.path}>
              <bdi>{plain(nameOf(file.path))}</bdi>
            </a>
            <bdi className="min-w-0 truncate text-12 text-faint">
              {file.renamedFrom ? (
                <>
                  {plain(file.renamedFrom)} <ArrowRight size={12} className="inline" /> {plain(file.path)}
                </>
              ) : (
                plain(folderOf(file.path))
              )}
            </bdi>
          </h2>
          {kind && <span className={classNames('shrink-0 text-12', kind.colour)}>{kind.title}</span>}
          <FileCounts file={file} />
          {open && <WholeFile id={id} file={file} choices={review.choices} />}
        </header>
        {!folded && file.decision === 'some' && <p className="px-5 py-2 text-12 text-muted">Only the changes that were kept are shown.</p>}
        {!folded && lines === 0 && <NoHunks id={id} file={file} review={review} open={open} />}
        {!folded &&
          lines > 0 &&
          file.hunks.map((hunk) => {
            const key = changeKey(file.path, hunk.id)
            return <HunkView key={key} id={id} name={key} open={open} hunk={hunk} language={language} active={review.at === key} choice={leftOut ? 'no' : review.choices[key]} edit={review.edits[key]} split={split} found={found} />
          })}
        {folded && (
          <button type="button" onClick={() => setFolded(false)} className="block w-full px-5 py-3 text-start text-13 text-muted transition-colors hover:bg-hover hover:text-text">
            {lines > MOST_LINES ? `A large change: ${count(lines)} lines. Show it` : 'Show it'}
          </button>
        )}
      </section>
    )
  },
  (before, after) => before.file === after.file && before.open === after.open && before.split === after.split && before.found === after.found && sameReview(before.review, after.review, after.file),
)

/** Returns true if neither a choice, an edit nor the position changed within this file. */
function sameReview(before: Review, after: Review, file: ProposalFile): boolean {
  const keys = changesOf(file).map(({ key }) => key)
  const looked = (at: string | null) => at !== null && keys.includes(at)
  if (before.at !== after.at && (looked(before.at) || looked(after.at))) return false
  return (before.choices === after.choices && before.edits === after.edits) || keys.every((key) => before.choices[key] === after.choices[key] && before.edits[key] === after.edits[key])
}

/** The accepted part of a file, as a checkbox that switches all of it. */
function WholeFile({ id, file, choices }: { id: ProposalId; file: ProposalFile; choices: Choices }) {
  const changes = changesOf(file)
  const taken = takenCount(choices, changes)
  const state = taken === changes.length ? 'all' : taken === 0 ? 'none' : 'some'
  const stateText = { all: 'All changes are kept', some: `${taken} of ${changes.length} are kept`, none: 'All changes are skipped' }[state]
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={state === 'some' ? 'mixed' : state === 'all'}
      aria-label={`${file.path}: ${stateText}`}
      aria-keyshortcuts="a"
      title={`${stateText} (A)`}
      onClick={() => useCodeStore.getState().decideFile(id, file.path)}
      className="-me-1 grid size-7 shrink-0 place-items-center rounded-control hover:bg-hover pointer-coarse:size-9"
    >
      <span className={classNames('grid size-4 place-items-center rounded-[4px]', state === 'none' ? 'text-faint shadow-[inset_0_0_0_1px_var(--faint)]' : state === 'all' ? 'bg-ok text-ground' : 'bg-warn text-ground')}>
        {state === 'all' ? <Check size={12} className="stroke-[2.5]!" /> : state === 'some' ? <Minus size={12} className="stroke-[2.5]!" /> : <X size={11} />}
      </span>
    </button>
  )
}

const WITHOUT: Partial<Record<FileChangeKind, string>> = {
  binary: 'It is not a text file, so there is nothing to show.',
  renamed: 'It is only moved. Its text stays the same.',
  added: 'An empty file.',
  deleted: 'The whole file is deleted.',
}

function NoHunks({ id, file, review, open }: { id: ProposalId; file: ProposalFile; review: Review; open: boolean }) {
  const key = changesOf(file)[0]?.key ?? changeKey(file.path, null)
  const active = review.at === key
  return (
    <div data-change={key} data-active={active ? '' : undefined} className={classNames('hunk flex items-center gap-3 px-5 py-3 text-13 text-muted', (review.choices[key] === 'no' || file.decision === 'none') && 'opacity-50')}>
      <FileSymlink size={15} className="text-faint" />
      <span className="flex-1">{WITHOUT[file.kind] ?? 'There is nothing to show.'}</span>
      {open && <Answer id={id} name={key} choice={review.choices[key]} />}
    </div>
  )
}
