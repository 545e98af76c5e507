import { Check, Minus, X } from 'lucide-react'
import type { Proposal } from '@/api/protocol.gen'
import { join } from '@/design/join'
import { plain } from '@/tools/words'
import { changesOf, takenOf } from './choices'
import { Counts } from './Counts'
import { FileIcon } from './FileIcon'
import type { Review } from './reviewSlice'
import { useCode } from './store'
import { folderOf, nameOf } from './tree'

/** The files of a proposal: each leads to its changes, and shows what was said to them. */
export function ReviewRail({ review, proposal }: { review: Review; proposal: Proposal }) {
  const { lookAt } = useCode.getState()
  const here = review.at === null ? null : review.at.slice(review.at.indexOf(' ') + 1)
  return (
    <ul aria-label="Files that would change" className="flex flex-col px-2 py-2">
      {proposal.files.map((file) => {
        const changes = changesOf(file)
        const taken = takenOf(review.choices, changes)
        const answered = changes.every(({ key }) => review.choices[key] !== undefined)
        const first = changes[0]?.key
        return (
          <li key={file.path}>
            <button
              type="button"
              aria-current={here === file.path ? 'true' : undefined}
              title={file.path}
              onClick={() => first !== undefined && lookAt(proposal.id, first)}
              className={join('flex w-full min-w-0 items-center gap-2 rounded-control px-2 py-1.5 text-start text-13 transition-colors', here === file.path ? 'bg-pressed text-text' : 'text-muted hover:bg-hover hover:text-text')}
            >
              <Sign taken={taken} of={changes.length} answered={answered} path={file.path} />
              <span className="min-w-0 flex-1">
                <bdi className={join('block truncate', file.kind === 'deleted' && 'line-through')}>{plain(nameOf(file.path))}</bdi>
                {folderOf(file.path) !== '' && <bdi className="block truncate text-12/4 text-muted">{plain(folderOf(file.path))}</bdi>}
              </span>
              <Counts files={[file]} />
            </button>
          </li>
        )
      })}
    </ul>
  )
}

function Sign({ taken, of, answered, path }: { taken: number; of: number; answered: boolean; path: string }) {
  if (taken === 0) return <X size={14} className="text-warn" />
  if (taken < of) return <Minus size={14} className="text-warn" />
  return answered ? <Check size={14} className="text-ok" /> : <FileIcon path={path} />
}
