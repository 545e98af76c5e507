import type { FileDecision, ProposalFile } from '@/api/protocol.gen'
import { count, plural } from '@/design/format'
import { FILE_DECISIONS } from './decisions'

/** The number of added and removed lines. */
export function Counts({ files }: { files: Pick<ProposalFile, 'added' | 'removed'>[] }) {
  const added = files.reduce((sum, file) => sum + file.added, 0)
  const removed = files.reduce((sum, file) => sum + file.removed, 0)
  return (
    <span className="flex shrink-0 gap-1.5 font-mono text-12">
      <span className="sr-only">{`${plural(added, 'line')} added, ${count(removed)} removed`}</span>
      {added > 0 && (
        <span aria-hidden="true" className="text-ok">
          +{count(added)}
        </span>
      )}
      {removed > 0 && (
        <span aria-hidden="true" className="text-danger">
          −{count(removed)}
        </span>
      )}
    </span>
  )
}

/** The line counts of one file, and how much of it was accepted. A skipped file has no counts. */
export function FileCounts({ file, decision = file.decision }: { file: ProposalFile; decision?: FileDecision | undefined }) {
  const mark = decision && FILE_DECISIONS[decision]
  return (
    <>
      {mark && <span className="shrink-0 text-12 text-warn">{mark}</span>}
      {decision !== 'none' && <Counts files={[file]} />}
    </>
  )
}
