import { Check, Minus, X } from 'lucide-react'
import type { FileDecision, Proposal } from '@/api/protocol.gen'
import { classNames } from '@/design/classNames'
import { plain } from '@/tools/wording'
import { changesOf, takenCount } from './choices'
import { FileCounts } from './Counts'
import { FileIcon } from './FileIcon'
import type { Review } from './state'
import { useCodeStore } from './useCodeStore'
import { folderOf, nameOf } from './tree'

/** The files of a proposal: each links to its changes and shows the decision on them. */
export function ReviewRail({ review, proposal }: { review: Review; proposal: Proposal }) {
  const { goToChange } = useCodeStore.getState()
  const here = review.at === null ? null : review.at.slice(review.at.indexOf(' ') + 1)
  return (
    <ul aria-label="Files that would change" className="flex flex-col px-2 py-2">
      {proposal.files.map((file) => {
        const changes = changesOf(file)
        const taken = takenCount(review.choices, changes)
        const answered = changes.every(({ key }) => review.choices[key] !== undefined)
        const state = file.decision ?? (taken === 0 ? 'none' : taken < changes.length ? 'some' : answered ? 'all' : 'open')
        const first = changes[0]?.key
        return (
          <li key={file.path}>
            <button
              type="button"
              aria-current={here === file.path ? 'true' : undefined}
              title={file.path}
              onClick={() => first !== undefined && goToChange(proposal.id, first)}
              className={classNames('flex w-full min-w-0 items-center gap-2 rounded-control px-2 py-1.5 text-start text-13 transition-colors', here === file.path ? 'bg-pressed text-text' : 'text-muted hover:bg-hover hover:text-text')}
            >
              <Sign state={state} path={file.path} />
              <span className="min-w-0 flex-1">
                <bdi className={classNames('block truncate', file.kind === 'deleted' && 'line-through', file.decision === 'none' && 'text-faint')}>{plain(nameOf(file.path))}</bdi>
                {folderOf(file.path) !== '' && <bdi className={classNames('block truncate text-12/4', file.decision === 'none' ? 'text-faint' : 'text-muted')}>{plain(folderOf(file.path))}</bdi>}
              </span>
              <FileCounts file={file} />
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** The sign for the choice or the decision on a file. */
function Sign({ state, path }: { state: FileDecision; path: string }) {
  switch (state) {
    case 'none':
      return <X size={14} className="text-warn" />
    case 'some':
      return <Minus size={14} className="text-warn" />
    case 'all':
      return <Check size={14} className="text-ok" />
    case 'open':
      return <FileIcon path={path} />
  }
}
